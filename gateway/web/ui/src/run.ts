// One run on the page: what was asked, and everything that the stored events say about it, in their order.

import { drawDownloads, saveByLink } from "../../../../data/view/src/download";
import { button, element } from "../../../../data/view/src/element";
import type { Source } from "../../../../data/view/src/result";
import { drawSources } from "../../../../data/view/src/sources";
import { drawTable } from "../../../../data/view/src/table";
import { CallCard } from "./call";
import { drawExactChart } from "./chart";
import { ConsentDialogs } from "./consent";
import type { Page } from "./parts";
import { buildProse } from "./prose";
import { Questions } from "./question";
import { ask, type Page as TablePage, type Ref, type Run, type RunEvent } from "./server";
import { drawPagedTable } from "./table";

export class RunView {
  readonly node: HTMLElement;
  live: boolean;
  private readonly flow = element("div", { class: "flow" });
  private readonly foot = element("footer");
  private readonly dialogs: ConsentDialogs;
  private readonly questions: Questions;
  private readonly turns = new Map<number, HTMLElement>();
  private readonly calls = new Map<string, CallCard>();
  private readonly sources: Source[] = [];
  private readonly without: string[] = [];
  private shownSources: HTMLElement | undefined;
  private stream: EventSource | undefined;
  private seq = 0;
  private loaded = false;

  /** ended is called once, when nothing more will happen. */
  constructor(private readonly page: Page, private readonly run: Run, private readonly ended: () => void) {
    this.live = !run.ended;
    this.dialogs = new ConsentDialogs(page, run.id);
    this.questions = new Questions(page, run.id, this.flow);
    this.node = element("article", { class: "run", id: `r-${run.id}`, tabindex: "-1" });
    const { text, tool } = run.input;
    if (text !== undefined) {
      this.node.append(element("div", { class: "question" }, element("h2", { class: "unseen" }, page.words.you), element("p", {}, element("bdi", {}, text))));
    } else {
      this.node.append(element("h2", { class: "unseen" }, element("bdi", {}, tool ?? "")));
    }
    this.foot.append(element("time", { class: "when", datetime: run.started }, page.moment(run.started)));
    this.node.append(this.flow, this.foot);
    this.drawFoot();
  }

  /** load draws what is stored, once; events are what was read of it already. */
  async load(events?: readonly RunEvent[]): Promise<void> {
    if (this.loaded) return;
    if (this.live) {
      this.loaded = true;
      this.follow();
      return;
    }
    const kept = this.page.record?.runs.find((run) => run.id === this.run.id);
    events ??= (kept ?? await ask<{ events: RunEvent[] }>(`/runs/${this.run.id}`)).events;
    this.loaded = true;
    for (const event of events) this.take(event);
    this.live = false;
    this.drawFoot();
  }

  private follow(): void {
    const stream = new EventSource(`/runs/${this.run.id}/events`);
    this.stream = stream;
    stream.addEventListener("message", (event) => this.take(JSON.parse(event.data as string) as RunEvent));
    stream.addEventListener("open", () => this.node.classList.remove("lost"));
    stream.addEventListener("error", () => {
      this.node.classList.add("lost");
      if (stream.readyState !== EventSource.CLOSED || !this.live) return;
      // The browser has given up; we have not.
      window.setTimeout(() => this.live && this.follow(), 3000);
    });
  }

  private take(event: RunEvent): void {
    if (event.seq <= this.seq) return;
    this.seq = event.seq;
    try {
      this.draw(event);
    } catch {
      // What cannot be shown must not hide what follows.
      this.flow.append(element("section", { class: "fault" }, element("p", {}, this.page.words.faults["internal"]!)));
    }
  }

  private draw(event: RunEvent): void {
    const { page } = this;
    switch (event.type) {
      case "text": {
        let node = this.turns.get(event.data.turn);
        if (!node) {
          node = element("div", { class: "prose" });
          this.turns.set(event.data.turn, node);
          this.flow.append(node);
        }
        node.replaceChildren(...buildProse(event.data.prose));
        if (node.querySelector("mark")) node.append(element("p", { class: "quiet marks" }, element("mark", {}, page.words.marked), ` ${page.words.notInData}`));
        return;
      }
      case "tool_call": {
        const { id } = event.data;
        let card = this.calls.get(id);
        if (!card) {
          card = new CallCard(page, this.run.input.tool !== undefined);
          this.calls.set(id, card);
          this.flow.append(card.node);
        }
        return card.update(event.data);
      }
      case "consent":
        if (this.live) this.dialogs.follow(event.data);
        return;
      case "question":
        return this.questions.follow(event.data, this.live);
      case "progress":
        return this.calls.get(event.data.call)?.advance(event.data.done, event.data.total, event.data.message);
      case "force":
        return this.place(event, element("section", { class: "from-tool" }, element("h4", {}, page.words.toUser), element("p", { class: "force" }, element("bdi", {}, event.data.text))));
      case "table": {
        const { table, same, guarded } = event.data;
        if (table) {
          const path = `/runs/${this.run.id}/tables/${event.seq}`;
          this.place(event, page.record ? drawWholeTable(table, page) : drawPagedTable(table, guarded ?? 0, path, page));
        } else if (same) this.place(event, again(same, page.words.sameTable));
        return;
      }
      case "chart": {
        const { config, same } = event.data;
        if (config) {
          const figure = drawExactChart(config, page.texts, page.words, page.announce);
          this.place(event, figure.node);
          page.draw(figure);
        } else if (same) this.place(event, again(same, page.words.sameChart));
        return;
      }
      case "sources":
        if (event.data.none) this.without.push(event.data.title);
        this.sources.push(...(event.data.sources ?? []));
        return this.drawSources(event.data.call);
      case "error":
        this.flow.append(drawFault(event.data.fault, event.data.message, page));
        return;
      case "notice":
        this.flow.append(element("p", { class: "quiet notice" }, event.data.message));
        return;
      case "done":
        return this.end(event.data.reason);
    }
  }

  /** place puts a part where the screen's panel is, for a call by hand, or else into the answer. */
  private place(event: RunEvent & { data: { call: string } }, node: HTMLElement): void {
    node.id = `e-${this.run.id}-${event.seq}`;
    const card = this.run.input.tool === undefined ? undefined : this.calls.get(event.data.call);
    (card?.screen ?? this.flow).append(node);
  }

  private drawSources(call: string): void {
    const { texts, words, announce } = this.page;
    const open = (url: string) => {
      window.open(url, "_blank", "noopener,noreferrer");
      return Promise.resolve(true);
    };
    const node = drawSources(this.sources, texts, open, announce);
    const list = node.querySelector("ul")!;
    for (const title of this.without) {
      list.append(element("li", { class: "no-source" }, element("strong", {}, words.noSource), " ", element("bdi", { class: "facts" }, words.noSourceBy(title))));
    }
    this.shownSources?.remove();
    this.shownSources = node;
    const card = this.run.input.tool === undefined ? undefined : this.calls.get(call);
    if (card) card.screen.append(node);
    else this.node.insertBefore(node, this.foot);
  }

  private end(reason: string): void {
    const { words } = this.page;
    this.stream?.close();
    this.dialogs.close();
    this.questions.close();
    const said = { answered: "", stopped: words.stopped, failed: words.failed, interrupted: words.interrupted }[reason] ?? "";
    const was = this.live;
    this.live = false;
    this.drawFoot();
    // A fault shown above says it already.
    if (said !== "" && !(reason === "failed" && this.flow.querySelector(".fault"))) this.foot.append(element("p", { class: "quiet" }, said));
    if (!was || this.run.ended) return;
    this.page.announce(said || words.answered);
    this.ended();
  }

  private drawFoot(): void {
    if (!this.live) return this.foot.querySelector(".live")?.remove();
    const { words } = this.page;
    const stop = button(() => {
      stop.disabled = true;
      ask(`/runs/${this.run.id}/stop`, "POST").catch((error: unknown) => {
        stop.disabled = false;
        this.page.announce(this.page.explain(error));
      });
    }, { class: "button stop" }, words.stop);
    this.foot.append(element("div", { class: "live" }, element("span", { class: "pulse", "aria-hidden": "true" }), element("span", { class: "quiet" }, words.answering), stop));
  }
}

/** drawWholeTable is for a file: all rows are there, as text, and with them every digit. */
function drawWholeTable(table: TablePage, page: Page): HTMLElement {
  const rows = [table.columns.map((column) => column.name), ...table.rows];
  const save: typeof saveByLink = async (file) => {
    await saveByLink(file);
    return true;
  };
  return element("div", {}, drawTable(rows, page.texts, page.announce), drawDownloads(rows, page.texts, save, page.announce));
}

/** drawFault says it in the reader's language, and what the gateway said exactly below. */
function drawFault(fault: string, message: string, page: Page): HTMLElement {
  const { faults } = page.words;
  const translated = page.texts.language !== "en" && Object.hasOwn(faults, fault) ? faults[fault] : undefined;
  const node = element("section", { class: "fault" }, element("p", {}, element("bdi", {}, translated ?? message)));
  if (translated !== undefined) node.append(element("p", { class: "quiet", lang: "en" }, element("bdi", {}, message)));
  return node;
}

function again(ref: Ref, text: string): HTMLElement {
  return element("p", { class: "again" }, element("a", { href: `#e-${ref.run}-${ref.seq}` }, text));
}
