// A chart from its configuration as text: drawn from numbers, labelled with the digits that the tool wrote.

import { drawChart, type Figure } from "../../../../data/view/src/chart";
import { element } from "../../../../data/view/src/element";
import { readSpec, type Spec, type Written } from "../../../../data/view/src/spec";
import type { Texts } from "../../../../data/view/src/texts";
import { digitsOf, readExact } from "./exact";
import type { Words } from "./words";

/** drawExactChart makes the figure; of a configuration that breaks a rule it tells the text. */
export function drawExactChart(config: string, texts: Texts, words: Words, announce: (text: string) => void): Figure {
  try {
    const spec = readSpec(JSON.parse(config), "chart");
    return drawChart(withDigits(spec, config), texts.chart(1), texts, announce);
  } catch {
    const raw = element("details", { class: "raw" }, element("summary", {}, texts.dataOf), element("pre", { tabindex: "0" }, config));
    return { node: element("div", {}, element("p", { class: "not-drawn" }, words.chartRefused), raw), draw: () => undefined, remove: () => undefined };
  }
}

/** withDigits is the spec with each number's text beside it. */
function withDigits(spec: Spec, config: string): Spec {
  const { data } = readExact(config) as { data: { labels?: unknown[]; datasets: { data: unknown[] }[] } };
  const labels = (data.labels ?? []).map((label) => digitsOf(label) ?? (label as string));
  const series = spec.series.map((s, i) => ({ ...s, written: (data.datasets[i]?.data ?? []).map(written) }));
  return { ...spec, labels, series };
}

function written(value: unknown): Written {
  if (value === null) return null;
  const text = digitsOf(value);
  if (text !== undefined) return text;
  return Object.fromEntries(Object.entries(value as object).map(([part, number]) => [part, digitsOf(number) ?? ""])) as unknown as Written;
}
