// From a checked chart to Chart.js' own configuration. Every option is written here, none is passed through, and no
// number reaches the reader through a formatter that could round it.

import type { ChartConfiguration, ChartDataset, ScaleOptions, TooltipItem } from "chart.js";
import { paletteColour, withAlpha } from "./colour";
import { withMarks, type Marks } from "./marks";
import { isIndex, usedAxes } from "./obstacle";
import { hasPoints, hasSlices, type Axis, type AxisName, type Point, type Series, type Spec } from "./spec";
import { digits, labelText, seriesName, shorten } from "./summary";
import type { Texts } from "./texts";

/** The page's colours and font, resolved: a canvas knows no CSS variables. */
export interface Look {
  ink: string;
  muted: string;
  rule: string;
  paper: string;
  font: string;
  dark: boolean;
}

// Shapes tell series apart where colours do not.
const shapes = ["circle", "rect", "triangle", "rectRot", "star", "crossRot"] as const;

export function configure(spec: Spec, look: Look, texts: Texts): ChartConfiguration {
  const index = new Set(usedAxes(spec).filter((name) => isIndex(spec, name)));
  const numericLabels = [...index].some((name) => (spec.axes[name]?.type ?? "category") !== "category");
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion -- the compiler refuses the callbacks of all kinds without it
  return {
    type: spec.kind,
    data: {
      labels: spec.labels.map((label) => (numericLabels ? Number(label) : labelText(label))),
      datasets: spec.series.map((series, i) => dataset(spec, series, i, look, texts)),
    },
    options: {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      locale: texts.language,
      indexAxis: spec.indexAxis,
      color: look.ink,
      font: { family: look.font, size: 12 },
      layout: { padding: 4 },
      interaction: hasSlices(spec.kind) || hasPoints(spec.kind) ? { mode: "nearest" } : { mode: "index", intersect: false, axis: spec.indexAxis },
      scales: Object.fromEntries(usedAxes(spec).map((name) => [name, scale(spec, name, look, texts.marks)])),
      plugins: { tooltip: tooltip(spec, look, texts) },
    },
  } as ChartConfiguration;
}

/** colourOf is the colour of a series, or of a slice in a chart that has slices. */
export function colourOf(spec: Spec, i: number, look: Look): string {
  if (hasSlices(spec.kind)) return cycled(spec.series[0]?.backgroundColor, i) ?? paletteColour(i, look.dark);
  const series = spec.series[i]!;
  const [first, second] = isLine(spec, series) ? [series.borderColor, series.backgroundColor] : [series.backgroundColor, series.borderColor];
  return first?.[0] ?? second?.[0] ?? paletteColour(i, look.dark);
}

function dataset(spec: Spec, series: Series, i: number, look: Look, texts: Texts): ChartDataset {
  const colour = colourOf(spec, i, look);
  const many = series.data.length > 60;
  const common = {
    label: seriesName(spec, i, texts),
    data: series.data.map((v) => (typeof v === "object" && v !== null ? { ...v } : v)),
    hidden: series.hidden ?? false,
    order: series.order ?? 0,
    ...(series.stack !== undefined && { stack: series.stack }),
  };
  const onAxes = { ...common, ...(series.yAxisID !== undefined && { yAxisID: series.yAxisID }) };
  if (hasSlices(spec.kind)) {
    const fill = series.data.map((_, k) => cycled(series.backgroundColor, k) ?? withAlpha(paletteColour(k, look.dark), spec.kind === "polarArea" ? 0.8 : 1));
    return { ...common, backgroundColor: fill, hoverBackgroundColor: fill, borderColor: given(series.borderColor) ?? look.paper, borderWidth: 2 };
  }
  if (isLine(spec, series)) {
    const area = series.backgroundColor?.[0] ?? withAlpha(colour, stacked(spec, series) ? 0.6 : 0.15);
    return {
      ...(spec.kind === "radar" ? common : { ...onAxes, type: "line" }),
      borderColor: colour,
      backgroundColor: area,
      borderWidth: 2,
      fill: stacked(spec, series) ? (series.fill ?? true) && "stack" : (series.fill ?? false),
      tension: series.tension ?? 0,
      pointStyle: shapes[i % shapes.length],
      // Markers bury a line of many points. A lone point between gaps has no line to show it, so it keeps its marker.
      pointRadius: series.data.length > 100 ? series.data.map((v, k) => (v !== null && isAlone(series, k) ? 1.5 : 0)) : many ? 1.5 : 3,
      pointHoverRadius: many ? 4 : 5,
      pointBackgroundColor: given(series.borderColor) ?? colour,
      pointBorderColor: given(series.borderColor) ?? colour,
      ...(i >= 8 && { borderDash: [6, 3] }),
    };
  }
  const points = hasPoints(spec.kind);
  const fill = given(series.backgroundColor) ?? (points ? withAlpha(colour, 0.65) : colour);
  return {
    ...onAxes,
    ...(series.type !== undefined && { type: series.type }),
    backgroundColor: fill,
    hoverBackgroundColor: fill,
    borderColor: given(series.borderColor) ?? colour,
    borderWidth: points || series.borderColor?.length ? 1 : 0,
    ...(points ? { pointStyle: spec.kind === "bubble" ? "circle" : shapes[i % shapes.length], ...(spec.kind === "scatter" && { pointRadius: many ? 3 : 4.5, pointHoverRadius: 6 }) } : { maxBarThickness: 56 }),
  };
}

function scale(spec: Spec, name: AxisName, look: Look, marks: Marks): ScaleOptions {
  const axis = spec.axes[name] ?? {};
  const index = isIndex(spec, name);
  // "min2" groups from five digits on.
  const ticks = { color: look.muted, font: { family: look.font, size: 12 }, format: { useGrouping: "min2" } };
  const shared = {
    display: axis.display ?? true,
    reverse: axis.reverse ?? false,
    ...(axis.beginAtZero !== undefined && { beginAtZero: axis.beginAtZero }),
    ...(axis.min !== undefined && { min: axis.min }),
    ...(axis.max !== undefined && { max: axis.max }),
  };
  if (name === "r") {
    return {
      ...shared,
      grid: { color: look.rule },
      angleLines: { color: look.rule },
      ticks: { ...ticks, backdropColor: look.paper, maxTicksLimit: 5, z: 1 },
      pointLabels: { color: look.ink, font: { family: look.font, size: 12 }, callback: (label: unknown) => shorten(String(label), 24) },
    };
  }
  const horizontal = name === "x";
  const sides: readonly unknown[] = horizontal ? ["top", "bottom"] : ["left", "right"];
  const type = axis.type ?? (index ? "category" : "linear");
  return {
    ...shared,
    type,
    axis: name[0],
    position: sides.includes(axis.position) ? axis.position : horizontal ? "bottom" : name === "y1" ? "right" : "left",
    stacked: axis.stacked ?? false,
    border: { display: index, color: look.muted },
    ...(hasPoints(spec.kind) && type === "linear" && { grace: "5%", ...bounds(spec, name, axis) }),
    grid: {
      color: (line: { tick?: { value: number } }) => (line.tick?.value === 0 ? look.muted : look.rule),
      display: !index,
      drawOnChartArea: name !== "y1",
      drawTicks: false,
    },
    title: { display: axis.title !== undefined, text: shorten(axis.title ?? "", 80), color: look.muted, font: { family: look.font, size: 12, weight: "normal" } },
    ticks: {
      ...ticks,
      padding: 8,
      maxRotation: type === "category" && horizontal ? 50 : 0,
      autoSkipPadding: 12,
      ...(type === "category" && { callback: (value: string | number) => shorten(labelText(spec.labels[Number(value)] ?? ""), horizontal ? 18 : 24) }),
      ...(type !== "category" && index && { callback: (value: string | number) => withMarks(String(value), marks) }),
    },
  } as unknown as ScaleOptions;
}

// Chart.js rounds what it shows on hover to three decimals; these callbacks show the numbers as given.
function tooltip(spec: Spec, look: Look, texts: Texts) {
  return {
    backgroundColor: look.ink,
    titleColor: look.paper,
    bodyColor: look.paper,
    titleFont: { family: look.font, size: 12 },
    bodyFont: { family: look.font, size: 12 },
    padding: 10,
    cornerRadius: 4,
    boxPadding: 4,
    usePointStyle: true,
    callbacks: {
      title: (items: TooltipItem<"line">[]) => {
        const first = items[0];
        return !first || hasPoints(spec.kind) ? "" : shorten(labelText(spec.labels[first.dataIndex] ?? ""), 80);
      },
      label: (item: TooltipItem<"line">) => `${shorten(seriesName(spec, item.datasetIndex, texts), 60)}: ${valueText(spec.series[item.datasetIndex]!, item.dataIndex, texts.marks)}`,
    },
  };
}

function valueText(series: Series, i: number, marks: Marks): string {
  const value = series.data[i];
  const part = (name: "x" | "y" | "r") => withMarks(digits(series, i, name), marks);
  if (typeof value !== "object" || value === null) return part("y");
  return `x ${part("x")}, y ${part("y")}${value.r === undefined ? "" : `, r ${part("r")}`}`;
}

function isLine(spec: Spec, series: Series): boolean {
  return spec.kind === "radar" || (series.type ?? spec.kind) === "line";
}

// A line on top of others says nothing without its area: a peak would be read in the colour of the next one.
function stacked(spec: Spec, series: Series): boolean {
  const value = spec.indexAxis === "x" ? (series.yAxisID ?? "y") : "x";
  return isLine(spec, series) && spec.kind !== "radar" && spec.axes[value]?.stacked === true;
}

function isAlone(series: Series, i: number): boolean {
  return (series.data[i - 1] ?? null) === null && (series.data[i + 1] ?? null) === null;
}

// The margin around points does not extend beyond zero when no value does.
function bounds(spec: Spec, name: AxisName, axis: Axis): { min?: number; max?: number } {
  const values = spec.series.flatMap((s) => (s.data as readonly Point[]).map((p) => (name === "x" ? p.x : p.y)));
  const [least, most] = [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
  if (axis.min === undefined && least >= 0 && least - (most - least) * 0.05 < 0) return { min: 0 };
  if (axis.max === undefined && most <= 0 && most + (most - least) * 0.05 > 0) return { max: 0 };
  return {};
}

function given(colours: readonly string[] | undefined): string | string[] | undefined {
  return colours === undefined || colours.length === 0 ? undefined : colours.length === 1 ? colours[0] : [...colours];
}

function cycled(colours: readonly string[] | undefined, i: number): string | undefined {
  return colours === undefined || colours.length === 0 ? undefined : colours[i % colours.length];
}
