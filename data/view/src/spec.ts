// A chart as a tool describes it: the closed part of Chart.js that this view draws. What is not listed here is refused,
// because in Chart.js it would throw, blank the canvas, or draw something else than the data.

import { Breach, optional, readChoice, readFlag, readList, readNumber, readObject, readText, required, type Fields } from "./breach";
import { readColours } from "./colour";

export const kinds = ["line", "bar", "pie", "doughnut", "scatter", "bubble", "radar", "polarArea"] as const;
export type Kind = (typeof kinds)[number];

export interface Point {
  x: number;
  y: number;
  r?: number;
}

/** A value, or a point's, as it was written. */
export type Written = string | null | { x: string; y: string; r?: string };

export interface Series {
  label?: string;
  data: readonly (number | null)[] | readonly Point[];
  /** The digits of data, where they are known: 1.10 is a number that JavaScript writes as 1.1. */
  written?: readonly Written[];
  backgroundColor?: readonly string[];
  borderColor?: readonly string[];
  type?: "bar" | "line";
  yAxisID?: "y" | "y1";
  stack?: string;
  fill?: boolean;
  hidden?: boolean;
  tension?: number;
  order?: number;
}

export interface Axis {
  type?: "linear" | "logarithmic" | "category";
  beginAtZero?: boolean;
  stacked?: boolean;
  reverse?: boolean;
  display?: boolean;
  min?: number;
  max?: number;
  position?: "left" | "right" | "top" | "bottom";
  title?: string;
}

export type AxisName = "x" | "y" | "y1" | "r";

export interface Spec {
  kind: Kind;
  alt?: string;
  labels: readonly (string | number)[];
  series: readonly Series[];
  indexAxis: "x" | "y";
  title?: string;
  subtitle?: string;
  legend?: boolean;
  legendPosition?: "top" | "bottom" | "left" | "right";
  axes: Partial<Record<AxisName, Axis>>;
}

/** hasSlices holds for the kinds whose labels name parts of a whole, not places on an axis. */
export function hasSlices(kind: Kind): boolean {
  return kind === "pie" || kind === "doughnut" || kind === "polarArea";
}

/** hasPoints holds for the kinds whose data are points with an x of their own. */
export function hasPoints(kind: Kind): boolean {
  return kind === "scatter" || kind === "bubble";
}

/** readSpec gives the chart or throws a Breach that names the place. */
export function readSpec(value: unknown, place: string): Spec {
  const fields = readObject(value, place, ["type", "alt", "data", "options"]);
  const kind = required(fields, "type", place, (v, p) => readChoice(v, p, kinds));
  const data = required(fields, "data", place, (v, p) => readObject(v, p, ["labels", "datasets"]));
  const labels = readLabels(data, kind, `${place}.data`);
  const most = hasSlices(kind) ? 4 : 24;
  let points = 0;
  const series = required(data, "datasets", `${place}.data`, (v, p) =>
    readList(v, p, 1, most).map((s, i) => {
      const read = readSeries(s, kind, labels.length, `${p}[${i}]`);
      points += read.data.length;
      if (points > 10000) throw new Breach(p, "more than 10000 points in all");
      return read;
    }),
  );
  const alt = optional(fields, "alt", place, (v, p) => readText(v, p, 1000));
  const options = optional(fields, "options", place, readOptions);
  return { kind, labels, series, indexAxis: "x", axes: {}, ...options, ...present({ alt }) };
}

function readLabels(data: Fields, kind: Kind, place: string): readonly (string | number)[] {
  const most = hasSlices(kind) ? 60 : 2000;
  const read = (v: unknown, p: string) =>
    readList(v, p, 0, most).map((label, i) =>
      typeof label === "number" ? readNumber(label, `${p}[${i}]`, -Infinity, Infinity) : readText(label, `${p}[${i}]`, 200),
    );
  return hasPoints(kind) ? optional(data, "labels", place, read) ?? [] : required(data, "labels", place, read);
}

function readSeries(value: unknown, kind: Kind, labels: number, place: string): Series {
  const fields = readObject(value, place, [
    "label", "data", "backgroundColor", "borderColor", "type", "yAxisID", "stack", "fill", "hidden", "tension", "order",
  ]);
  const at = `${place}.data`;
  const list = required(fields, "data", place, (v, p) => readList(v, p, 0, hasSlices(kind) ? 60 : 2000));
  if (!hasPoints(kind) && list.length !== labels) throw new Breach(at, "not as long as labels");
  const data = hasPoints(kind)
    ? list.map((v, i) => readPoint(v, kind, `${at}[${i}]`))
    : list.map((v, i) => (hasSlices(kind) ? readNumber(v, `${at}[${i}]`, 0) : v === null ? null : readNumber(v, `${at}[${i}]`)));
  return {
    data,
    ...present({
      label: optional(fields, "label", place, readTitleText),
      backgroundColor: optional(fields, "backgroundColor", place, readColours),
      borderColor: optional(fields, "borderColor", place, readColours),
      type: optional(fields, "type", place, (v, p) => readChoice(v, p, ["bar", "line"])),
      yAxisID: optional(fields, "yAxisID", place, (v, p) => readChoice(v, p, ["y", "y1"])),
      stack: optional(fields, "stack", place, (v, p) => readText(v, p, 60)),
      fill: optional(fields, "fill", place, readFlag),
      hidden: optional(fields, "hidden", place, readFlag),
      tension: optional(fields, "tension", place, (v, p) => readNumber(v, p, 0, 1)),
      order: optional(fields, "order", place, readOrder),
    }),
  };
}

function readPoint(value: unknown, kind: Kind, place: string): Point {
  const fields = readObject(value, place, kind === "bubble" ? ["x", "y", "r"] : ["x", "y"]);
  const point: Point = { x: required(fields, "x", place, readAny), y: required(fields, "y", place, readAny) };
  if (kind === "bubble") point.r = required(fields, "r", place, (v, p) => readNumber(v, p, 0, 100));
  return point;
}

function readOrder(value: unknown, place: string): number {
  const order = readNumber(value, place, -100, 100);
  if (!Number.isInteger(order)) throw new Breach(place, "not a whole number");
  return order;
}

function readOptions(value: unknown, place: string): Pick<Spec, "axes" | "indexAxis" | "title" | "subtitle" | "legend" | "legendPosition"> {
  const fields = readObject(value, place, ["indexAxis", "plugins", "scales"]);
  const plugins = optional(fields, "plugins", place, (v, p) => {
    const given = readObject(v, p, ["title", "subtitle", "legend"]);
    const legend = optional(given, "legend", p, (l, at) => {
      const shown = readObject(l, at, ["display", "position"]);
      return present({
        legend: optional(shown, "display", at, readFlag),
        legendPosition: optional(shown, "position", at, (v, p) => readChoice(v, p, ["top", "bottom", "left", "right"])),
      });
    });
    return { ...present({ title: optional(given, "title", p, readTitle), subtitle: optional(given, "subtitle", p, readTitle) }), ...legend };
  });
  const axes = optional(fields, "scales", place, (v, p) => {
    const given = readObject(v, p, ["x", "y", "y1", "r"]);
    const read: Spec["axes"] = {};
    for (const name of Object.keys(given) as AxisName[]) read[name] = readAxis(given[name], `${p}.${name}`);
    return read;
  });
  const indexAxis = optional(fields, "indexAxis", place, (v, p) => readChoice(v, p, ["x", "y"]));
  return { axes: axes ?? {}, indexAxis: indexAxis ?? "x", ...plugins };
}

function readAxis(value: unknown, place: string): Axis {
  const fields = readObject(value, place, ["type", "beginAtZero", "stacked", "reverse", "display", "min", "max", "position", "title"]);
  return present({
    type: optional(fields, "type", place, (v, p) => readChoice(v, p, ["linear", "logarithmic", "category"])),
    beginAtZero: optional(fields, "beginAtZero", place, readFlag),
    stacked: optional(fields, "stacked", place, readFlag),
    reverse: optional(fields, "reverse", place, readFlag),
    display: optional(fields, "display", place, readFlag),
    min: optional(fields, "min", place, readAny),
    max: optional(fields, "max", place, readAny),
    position: optional(fields, "position", place, (v, p) => readChoice(v, p, ["left", "right", "top", "bottom"])),
    title: optional(fields, "title", place, readTitle),
  });
}

// A title that is not to be displayed is read, and then counts as none.
function readTitle(value: unknown, place: string): string | undefined {
  const fields = readObject(value, place, ["display", "text"]);
  const display = optional(fields, "display", place, readFlag);
  const text = optional(fields, "text", place, readTitleText);
  return display === false || text === "" ? undefined : text;
}

function readTitleText(value: unknown, place: string): string {
  return readText(value, place, 300);
}

function readAny(value: unknown, place: string): number {
  return readNumber(value, place);
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== undefined)) as Present<T>;
}
