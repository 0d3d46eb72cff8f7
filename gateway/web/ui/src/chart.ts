// A chart from its configuration as text: drawn from numbers, listed with the digits that the tool wrote.

import { drawChart, type Figure } from "../../../../data/view/src/chart";
import { element } from "../../../../data/view/src/element";
import { readSpec, type Spec } from "../../../../data/view/src/spec";
import { rowsOf } from "../../../../data/view/src/summary";
import { drawTable } from "../../../../data/view/src/table";
import type { Texts } from "../../../../data/view/src/texts";
import type { Words } from "./words";

/** drawExactChart makes the figure; a configuration that breaks a rule is a sentence instead. */
export function drawExactChart(config: string, texts: Texts, words: Words, announce: (text: string) => void): Figure {
  try {
    const spec = readSpec(JSON.parse(config), "chart");
    const figure = drawChart(spec, texts.chart(1), texts, announce);
    const details = figure.node.querySelector("details");
    // The figure fills its table when nobody else has: this listener comes first.
    details?.addEventListener("toggle", () => {
      if (details.open && details.childElementCount === 1) details.append(drawTable(rowsOf(withDigits(spec, config), texts), texts, announce));
    }, { capture: true });
    return figure;
  } catch {
    return { node: element("p", { class: "not-drawn" }, words.chartRefused), draw: () => {}, remove: () => {} };
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

/** withDigits is the spec with each number as the text that it was; a browser that cannot tell gives its own. */
function withDigits(spec: Spec, config: string): Spec {
  const keep: Reviver = (_key, value, context) => (typeof value === "number" ? context?.source ?? String(value) : value);
  const parse = JSON.parse as (text: string, reviver: Reviver) => { data: { labels?: unknown; datasets: { data: unknown }[] } };
  const { labels, datasets } = parse(config, keep).data;
  const series = spec.series.map((s, i) => ({ ...s, data: datasets[i]?.data ?? s.data }));
  return { ...spec, labels: labels ?? spec.labels, series } as unknown as Spec;
}
