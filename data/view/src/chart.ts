// One chart as a figure: title, legend of buttons, canvas, a sentence that says what it shows, and its data as a table. A
// chart that cannot be drawn shows the reason and the open table instead.

import {
  ArcElement, BarController, BarElement, BubbleController, CategoryScale, Chart, DoughnutController, Filler, LinearScale, LineController, LineElement,
  LogarithmicScale, PieController, PointElement, PolarAreaController, RadarController, RadialLinearScale, ScatterController, Tooltip,
} from "chart.js";
import { colourOf, configure, type Look } from "./configuration";
import { button, element, uniqueId } from "./element";
import { hiddenValues, obstacle, type Obstacle } from "./obstacle";
import { hasPoints, hasSlices, type Spec } from "./spec";
import { labelText, rowsOf, seriesName, summarise } from "./summary";
import { drawTable } from "./table";
import type { Texts } from "./texts";

Chart.register(
  ArcElement, BarController, BarElement, BubbleController, CategoryScale, DoughnutController, Filler, LinearScale, LineController, LineElement,
  LogarithmicScale, PieController, PointElement, PolarAreaController, RadarController, RadialLinearScale, ScatterController, Tooltip,
);

export interface Figure {
  node: HTMLElement;
  /** draw may only be called once the node is in the page, and again whenever the look changes. */
  draw(look: Look): void;
  remove(): void;
}

/** drawChart makes the figure of a chart; name is its accessible name when it has no title. */
export function drawChart(spec: Spec, name: string, texts: Texts, announce: (text: string) => void): Figure {
  const titleId = uniqueId();
  const sentence = summarise(spec, texts);
  const canvas = element("canvas", { role: "img", "aria-label": spec.alt?.trim() || sentence });
  const plot = element("div", { class: "plot" }, canvas);
  plot.style.height = `${heightOf(spec)}px`;
  const legend = element("div", { class: "legend", role: "group", "aria-label": texts.legend });
  const notes = element("div", { class: "notes" }, element("p", {}, sentence));
  const details = dataTable(spec, texts, announce);
  const body = element("div", { class: `body legend-${spec.legendPosition ?? "top"}` }, legend, plot);
  const node = element("figure", { class: "chart", "aria-labelledby": titleId });
  const heading = element("h2", { id: titleId, class: spec.title === undefined ? "unseen" : "title" }, element("bdi", {}, spec.title ?? name));
  node.append(element("figcaption", {}, heading), body, notes, details);
  if (spec.subtitle !== undefined) heading.after(element("p", { class: "subtitle" }, element("bdi", {}, spec.subtitle)));
  const outside = hiddenValues(spec);
  if (outside > 0) notes.append(element("p", {}, texts.clipped(outside)));

  let chart: Chart | undefined;
  const off = new Set<number>(hasSlices(spec.kind) ? [] : spec.series.flatMap((s, i) => (s.hidden ? [i] : [])));

  function giveUp(reason: Obstacle): void {
    if (!body.contains(plot)) return;
    body.replaceChildren(element("p", { class: "not-drawn" }, element("strong", {}, texts.notDrawn), ` ${texts.obstacles[reason]}`));
    details.open = true;
  }

  function show(target: Chart, item: number, visible: boolean): void {
    if (!hasSlices(spec.kind)) target.setDatasetVisibility(item, visible);
    else if (target.getDataVisibility(item) !== visible) target.toggleDataVisibility(item);
  }

  function draw(look: Look): void {
    // Without a context Chart.js would leave the canvas blank and go on.
    const reason = obstacle(spec) ?? (canvas.getContext("2d") === null ? "failed" : undefined);
    if (reason) return giveUp(reason);
    try {
      chart?.destroy();
      chart = undefined;
      chart = new Chart(canvas, configure(spec, look, texts));
      for (const item of off) show(chart, item, false);
      if (off.size > 0) chart.update();
      drawLegend(look);
    } catch {
      giveUp("failed");
    }
  }

  function drawLegend(look: Look): void {
    const items = legendItems(spec, texts);
    legend.hidden = items.length === 0;
    if (legend.childElementCount === items.length) {
      // Only the colours can have changed; the buttons stay, and with them the focus.
      items.forEach((_, i) => ((legend.children[i]!.firstElementChild as HTMLElement).style.backgroundColor = colourOf(spec, i, look)));
      return;
    }
    legend.replaceChildren(
      ...items.map((item, i) => {
        const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
        swatch.style.backgroundColor = colourOf(spec, i, look);
        const toggle = button(() => {
          const visible = off.delete(i);
          if (!visible) off.add(i);
          toggle.setAttribute("aria-pressed", String(visible));
          if (!chart) return;
          show(chart, i, visible);
          chart.update();
        }, { "aria-pressed": String(!off.has(i)) }, swatch, element("bdi", {}, item));
        return toggle;
      }),
    );
  }

  return { node, draw, remove: () => chart?.destroy() };
}

function legendItems(spec: Spec, texts: Texts): string[] {
  const named = hasSlices(spec.kind) || spec.series.length > 1 || spec.series[0]?.label !== undefined;
  if (!(spec.legend ?? named)) return [];
  return hasSlices(spec.kind) ? spec.labels.map(labelText) : spec.series.map((_, i) => seriesName(spec, i, texts));
}

// The table is made when it is first opened: a chart may hold ten thousand points.
function dataTable(spec: Spec, texts: Texts, announce: (text: string) => void): HTMLDetailsElement {
  const details = element("details", {}, element("summary", {}, texts.dataOf));
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    const rows = rowsOf(spec, texts);
    details.append(drawTable(rows, texts, announce, rows[0]?.map((_, c) => (c === 0 ? {} : { kind: "number" }))));
  });
  return details;
}

function heightOf(spec: Spec): number {
  if (hasSlices(spec.kind) || spec.kind === "radar") return 340;
  if (spec.indexAxis === "x" || hasPoints(spec.kind)) return 340;
  const bars = spec.labels.length * (spec.kind === "bar" ? Math.min(spec.series.length, 4) : 1);
  return Math.min(1000, Math.max(220, 72 + bars * 26));
}
