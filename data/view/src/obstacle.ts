// Why a well-formed chart cannot be drawn truthfully, and how many of its values an axis range hides.

import { isNumber } from "./decimal";
import { hasPoints, hasSlices, type Axis, type AxisName, type Point, type Series, type Spec } from "./spec";

export type Obstacle = "empty" | "zero" | "logarithm" | "range" | "axis" | "mixed" | "failed";

/** obstacle names the first reason not to draw, or nothing. */
export function obstacle(spec: Spec): Obstacle | undefined {
  const values = spec.series.flatMap((s) => (s.data as readonly (number | Point | null)[]).filter((v) => v !== null));
  if (values.length === 0) return "empty";
  if (hasSlices(spec.kind) && values.every((v) => v === 0)) return "zero";
  const mixable = spec.kind === "bar" || spec.kind === "line";
  if (spec.series.some((s) => s.type !== undefined && !mixable && s.type !== spec.kind)) return "mixed";
  for (const name of usedAxes(spec)) {
    const axis = spec.axes[name] ?? {};
    const fault = axisFault(spec, name, axis);
    if (fault) return fault;
  }
  return undefined;
}

/** usedAxes are the axes that this chart has; options for others have no effect. */
export function usedAxes(spec: Spec): AxisName[] {
  if (spec.kind === "radar" || spec.kind === "polarArea") return ["r"];
  if (hasSlices(spec.kind)) return [];
  const second = spec.series.some((s) => s.yAxisID === "y1");
  const first = spec.series.some((s) => s.yAxisID !== "y1");
  return ["x", ...(first ? ["y" as const] : []), ...(second ? ["y1" as const] : [])];
}

/** hiddenValues counts the values that lie outside their own axis' range. */
export function hiddenValues(spec: Spec): number {
  let hidden = 0;
  for (const series of spec.series) {
    for (const value of series.data) {
      if (value === null) continue;
      hidden += placesOf(spec, series, value).some(([axis, v]) => v < (axis.min ?? -Infinity) || v > (axis.max ?? Infinity)) ? 1 : 0;
    }
  }
  return hidden;
}

/** isIndex reports whether the labels are along this axis. */
export function isIndex(spec: Spec, name: AxisName): boolean {
  return !hasPoints(spec.kind) && name !== "r" && name.startsWith(spec.indexAxis);
}

function axisFault(spec: Spec, name: AxisName, axis: Axis): Obstacle | undefined {
  // Chart.js would read category bounds as positions, and keep the labels of a second index axis for itself.
  const type = axis.type ?? (isIndex(spec, name) ? "category" : "linear");
  if (name === "r" && type !== "linear") return "axis";
  if (name === "y1" && isIndex(spec, name)) return "axis";
  if (type === "category" && (!isIndex(spec, name) || axis.min !== undefined || axis.max !== undefined)) return "axis";
  if (isIndex(spec, name) && type !== "category" && !spec.labels.every((l) => isNumber(String(l)))) return "axis";
  if (axis.min !== undefined && axis.max !== undefined && axis.min >= axis.max) return "range";
  if (type === "logarithmic") {
    if ((axis.min ?? 1) <= 0 || (axis.max ?? 1) <= 0) return "logarithm";
    const values = isIndex(spec, name) ? spec.labels.map(Number) : valuesOn(spec, axis);
    if (values.some((v) => v <= 0)) return "logarithm";
  }
  return undefined;
}

function valuesOn(spec: Spec, axis: Axis): number[] {
  return spec.series.flatMap((s) =>
    (s.data as readonly (number | Point | null)[]).flatMap((v) =>
      v === null ? [] : placesOf(spec, s, v).filter(([a]) => a === axis).map(([, n]) => n),
    ),
  );
}

function placesOf(spec: Spec, series: Series, value: number | Point): [Axis, number][] {
  const on = (name: AxisName) => spec.axes[name] ?? {};
  if (typeof value !== "number") return [[on("x"), value.x], [on(series.yAxisID ?? "y"), value.y]];
  if (hasSlices(spec.kind) && spec.kind !== "polarArea") return [];
  if (spec.kind === "radar" || spec.kind === "polarArea") return [[on("r"), value]];
  return [[spec.indexAxis === "y" ? on("x") : on(series.yAxisID ?? "y"), value]];
}
