// One tool call: who was asked what, how far it is, and its two panels side by side.

import { element } from "../../../../data/view/src/element";
import type { Page } from "./parts";
import { ask, type Argument, type Call, type Panel } from "./server";

export class CallCard {
  readonly node: HTMLElement;
  /** The structured content is drawn here when the user made the call by hand. */
  readonly screen = element("div", { class: "drawn" });
  private readonly state = element("span", { class: "state" });
  private readonly title = element("h3");
  private readonly name = element("code");
  private readonly given = element("div");
  private readonly progress = element("div", { class: "progress" });
  private readonly read = element("div", { class: "read" });
  private readonly images = element("div", { class: "images" });
  private readonly raw = element("details", { class: "raw" });
  private readonly note = element("p", { class: "note" });
  private readonly panels: HTMLElement;
  private panel: Promise<Panel> | undefined;

  constructor(private readonly page: Page, private readonly byHand: boolean) {
    const { words } = page;
    const left = element("section", { class: "panel model" }, element("h4", {}, byHand ? words.modelReads : words.modelRead), this.read, ...(byHand ? [this.images] : []));
    const right = element("section", { class: "panel screen" }, element("h4", {}, words.screenGot), this.note, this.screen, this.raw);
    const pair = element("div", { class: "panels" }, left, right);
    this.panels = byHand ? pair : element("details", { class: "both" }, element("summary", {}, words.bothPanels), pair);
    this.panels.hidden = true;
    const head = element("header", {}, this.title, this.name, this.state);
    this.node = element("section", { class: byHand ? "call by-hand" : "call" }, head, this.given, this.progress, this.panels, ...(byHand ? [] : [this.images]));
  }

  update(call: Call): void {
    const { words } = this.page;
    this.title.replaceChildren(element("bdi", {}, call.title));
    this.name.textContent = call.tool;
    const took = call.ms === undefined ? "" : call.ms < 1000 ? `${call.ms} ms` : `${(call.ms / 1000).toFixed(1)} s`;
    this.state.className = `state ${call.state}`;
    this.state.textContent = [words.states[call.state], took].filter((part) => part !== "").join(" · ");
    if (this.given.childElementCount === 0) this.given.replaceChildren(...drawArguments(call.arguments));
    const over = call.state !== "waiting" && call.state !== "running";
    if (!over) return;
    this.progress.replaceChildren();
    this.panels.hidden = call.read === undefined && !call.screen && !call.note;
    this.read.replaceChildren(call.read ? element("pre", { tabindex: "0" }, call.read) : element("p", { class: "quiet" }, words.nothingRead));
    if (call.cut) this.read.append(element("p", { class: "quiet" }, words.cut));
    // A call made by hand has the warning of missing sources below.
    const note = this.byHand && call.state === "answered" ? call.note?.replace(/^no source given(; |$)/, "") : call.note;
    this.note.replaceChildren(element("bdi", {}, note ?? (call.verified ? this.page.words.verified : "")));
    this.note.hidden = this.note.textContent === "";
    this.raw.hidden = !call.screen;
    if (call.screen && this.raw.childElementCount === 0) {
      this.offerRaw(call.id);
      if (call.read?.includes("[image: ")) this.awaitImages(call);
    }
    else if (!call.screen && this.screen.childElementCount === 0) this.screen.append(element("p", { class: "quiet" }, words.nothingGot));
  }

  advance(done: number, total: number | undefined, message: string | undefined): void {
    const bar = element("progress", { "aria-label": this.title.textContent, ...(total ? { max: String(total), value: String(Math.min(done, total)) } : {}) });
    this.progress.replaceChildren(bar, element("span", {}, element("bdi", {}, message ?? "")));
  }

  /** load reads the stored result, once; a failure may be tried again. */
  private load(call: string): Promise<Panel> {
    const kept = this.page.record?.runs.flatMap((run) => run.results).find((result) => result.call === call);
    this.panel ??= kept ? Promise.resolve(kept) : ask<Panel>(`/calls/${encodeURIComponent(call)}`);
    this.panel.catch(() => { this.panel = undefined; });
    return this.panel;
  }

  // Images may be large: they are asked for when they come near the reader. A file has them already.
  private awaitImages(call: Call): void {
    const show = () => void this.load(call.id).then(({ images }) => {
      this.images.append(...(images ?? []).map((src, i) => element("img", { src, alt: this.page.words.imageFrom(call.title, i + 1) })));
    }, () => undefined); // the text beside them tells of them
    if (this.page.record) return show();
    const near = new IntersectionObserver((seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      near.disconnect();
      show();
    }, { rootMargin: "600px" });
    near.observe(this.node);
  }

  private offerRaw(call: string): void {
    const { words } = this.page;
    const body = element("div", {}, element("p", { class: "quiet" }, words.loading));
    this.raw.append(element("summary", {}, words.structured), body);
    let asked = false;
    const load = async () => {
      if (asked) return;
      asked = true;
      try {
        const { structured, cut } = await this.load(call);
        body.replaceChildren(structured === "" ? element("p", { class: "quiet" }, words.nothingGot) : element("pre", { tabindex: "0" }, structured));
        if (cut) body.append(element("p", { class: "quiet" }, words.cut));
      } catch (error) {
        asked = false;
        body.replaceChildren(element("p", { class: "quiet" }, this.page.explain(error)));
      }
    };
    this.raw.addEventListener("toggle", () => this.raw.open && void load());
  }
}

/** drawArguments lists what a tool is asked, a name and a value a line. */
export function drawArguments(given: readonly Argument[] | undefined): Node[] {
  if (!given?.length) return [];
  return [
    element("dl", { class: "arguments" }, ...given.map(({ name, value }) =>
      element("div", {}, element("dt", {}, element("bdi", {}, name ?? "")), element("dd", {}, element("bdi", {}, value)))),
    ),
  ];
}
