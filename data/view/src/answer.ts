// A whole answer on the page: text, charts, table, sources; or the one thing to say when there is none.

import { Breach } from "./breach";
import { drawChart, type Figure } from "./chart";
import type { Look } from "./configuration";
import { drawDownloads, type Save } from "./download";
import { element } from "./element";
import type { Result } from "./result";
import { drawSources, type Open } from "./sources";
import { drawTable } from "./table";
import type { Texts } from "./texts";

export interface Tools {
  texts: Texts;
  look(): Look;
  save: Save;
  open: Open;
  announce: (text: string) => void;
}

/** An Answer draws into one element and replaces whatever it drew before. */
export class Answer {
  private figures: Figure[] = [];

  constructor(private readonly root: HTMLElement) {}

  showLoading(texts: Texts): void {
    this.replace(element("p", { class: "quiet loading" }, texts.loading));
    this.root.setAttribute("aria-busy", "true");
  }

  showMessage(text: string, detail?: string): void {
    this.replace(element("p", { class: "quiet" }, text), ...(detail ? [element("p", { class: "given" }, element("bdi", {}, detail))] : []));
  }

  showToolError(texts: Texts, said: string): void {
    this.replace(element("section", { class: "fault" }, element("h2", {}, texts.toolFailed), element("p", { class: "given" }, element("bdi", {}, said))));
  }

  showBreach(texts: Texts, breach: Breach): void {
    const where = element("p", { class: "given" }, element("code", {}, breach.message));
    this.replace(element("section", { class: "fault" }, element("h2", {}, texts.refused), element("p", {}, texts.refusedWhy), where));
  }

  showResult(result: Result, tools: Tools): void {
    const { texts, announce } = tools;
    const parts: Node[] = [];
    const figures = result.charts.map((spec, i) => drawChart(spec, texts.chart(i + 1), texts, announce));
    if (result.force !== undefined) parts.push(element("p", { class: "force" }, element("bdi", {}, result.force)));
    parts.push(...figures.map((figure) => figure.node));
    if (result.table) {
      parts.push(element("section", { class: "data" }, drawTable(result.table, texts, announce, result.columns), drawDownloads(result.table, texts, tools.save, announce)));
    }
    if (parts.length === 0) parts.push(element("p", { class: "quiet" }, texts.empty));
    parts.push(drawSources(result.sources, texts, tools.open, announce));
    this.replace(...parts);
    this.figures = figures;
    this.redraw(tools.look());
    const said = [result.force ?? "", ...result.charts.map((c) => texts.kinds[c.kind]), result.table ? texts.tableDrawn(result.table.length - 1) : ""];
    announce(said.filter((part) => part !== "").join(". ") || texts.empty);
  }

  /** redraw repeats what a canvas does not take from the style sheet. */
  redraw(look: Look): void {
    for (const figure of this.figures) figure.draw(look);
  }

  clear(): void {
    this.replace();
  }

  private replace(...nodes: Node[]): void {
    for (const figure of this.figures) figure.remove();
    this.figures = [];
    this.root.replaceChildren(...nodes);
    this.root.setAttribute("aria-busy", "false");
  }
}
