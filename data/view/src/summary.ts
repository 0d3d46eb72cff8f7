// A chart in words: one sentence for those who cannot see it, and its data as the rows of a table.

import { mayBeRounded, type Cell, type Rows } from "./cell";
import { withMarks } from "./marks";
import { hasPoints, hasSlices, type Point, type Series, type Spec } from "./spec";
import type { Extreme, Texts } from "./texts";

/** summarise says kind, series, count and the two extremes with their places. */
export function summarise(spec: Spec, texts: Texts): string {
  let count = 0;
  let low: Extreme | undefined;
  let high: Extreme | undefined;
  let least = Infinity;
  let most = -Infinity;
  spec.series.forEach((series, s) => {
    series.data.forEach((datum, i) => {
      if (datum === null) return;
      count++;
      const value = typeof datum === "number" ? datum : datum.y;
      const at = () => ({ value: withMarks(digits(series, i, "y"), texts.marks), where: place(spec, s, i, texts) });
      if (value < least) [least, low] = [value, at()];
      if (value > most) [most, high] = [value, at()];
    });
  });
  return low && high ? texts.summary(subject(spec, texts), count, low, high) : texts.noValues(subject(spec, texts));
}

/** rowsOf is the chart's data as a table with a header. */
export function rowsOf(spec: Spec, texts: Texts): Rows {
  if (!hasPoints(spec.kind)) {
    const header = [texts.label, ...spec.series.map((_, s) => seriesName(spec, s, texts))];
    return [header, ...spec.labels.map((label, i) => [label, ...spec.series.map((s) => (s.written?.[i] ?? s.data[i]) as Cell)])];
  }
  const bubble = spec.kind === "bubble";
  const header = [texts.seriesColumn, axisName(spec, "x"), axisName(spec, "y"), ...(bubble ? ["r"] : [])];
  const points = spec.series.flatMap((series, s) =>
    ((series.written ?? series.data) as readonly Point[]).map((p) => [seriesName(spec, s, texts), p.x, p.y, ...(bubble ? [p.r ?? null] : [])]),
  );
  return [header, ...points];
}

/** seriesName is the series' label; without one its number, or the plain word for a value when it is alone. */
export function seriesName(spec: Spec, i: number, texts: Texts): string {
  return labelOf(spec, i) ?? (spec.series.length === 1 ? texts.value : texts.series(i + 1));
}

/** labelText is a label as given, with the table's mark where the host may have rounded it. */
export function labelText(label: string | number): string {
  return String(label) + (mayBeRounded(label) ? "†" : "");
}

/** digits is one value as it was written, or one part of a point. */
export function digits(series: Series, i: number, part: "x" | "y" | "r"): string {
  const datum = series.written?.[i] ?? series.data[i];
  return String((typeof datum === "object" && datum !== null ? datum[part] : datum) ?? "");
}

/** shorten cuts text that must fit a line of the drawing; the table of the data has it whole. */
export function shorten(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length > most ? characters.slice(0, most - 1).join("").trimEnd() + "…" : text;
}

function labelOf(spec: Spec, i: number): string | undefined {
  const label = spec.series[i]?.label;
  return label === undefined || label.trim() === "" ? undefined : label;
}

// A lone series without a label has no name to say.
function subject(spec: Spec, texts: Texts): string {
  const kind = texts.kinds[spec.kind];
  return spec.series.length === 1 && labelOf(spec, 0) === undefined ? kind : texts.of(kind, namesOf(spec, texts));
}

function namesOf(spec: Spec, texts: Texts): string {
  const names = spec.series.map((_, i) => shorten(seriesName(spec, i, texts), 60));
  return texts.list(names.length > 3 ? [...names.slice(0, 2), texts.others(names.length - 2)] : names);
}

function place(spec: Spec, s: number, i: number, texts: Texts): string {
  const datum = spec.series[s]!.data[i];
  const at = typeof datum === "object" && datum !== null ? `${axisName(spec, "x")} ${withMarks(digits(spec.series[s]!, i, "x"), texts.marks)}` : shorten(labelText(spec.labels[i] ?? ""), 60);
  return spec.series.length > 1 && !hasSlices(spec.kind) ? `${shorten(seriesName(spec, s, texts), 60)}, ${at}` : at;
}

function axisName(spec: Spec, name: "x" | "y"): string {
  return spec.axes[name]?.title ?? name;
}
