// A table of which the server sorts, filters and sends a page at a time. Cells are text, exactly as the tool gave them, with
// marks drawn between the digits of numbers.

import { button, element, uniqueId } from "../../../../data/view/src/element";
import { drawMarks, withoutMarks } from "../../../../data/view/src/marks";
import { whenPrinted } from "../../../../data/view/src/paper";
import type { Page as Owner } from "./parts";
import { ask, type Page } from "./server";

const worthFiltering = 12;

/** drawPagedTable draws the first page; path is where the server has the rest and the files. */
export function drawPagedTable(first: Page, guarded: number, path: string, owner: Owner): HTMLElement {
  const { texts, words, announce } = owner;
  let page = first;
  let whole: Page | undefined; // for paper, and only as long as nothing else is chosen
  let printing = false;
  let sortedBy = -1;
  let descending = false;
  let filter = "";
  let latest = 0;

  const captionId = uniqueId();
  const heads = first.columns.map((column, c) => {
    const mark = element("span", { class: "mark", "aria-hidden": "true" });
    return element("th", { scope: "col", class: column.numeric ? "number" : undefined }, button(() => sort(c), {}, element("bdi", {}, column.name), mark));
  });
  const content = element("tbody");
  const caption = element("caption", { id: captionId }, texts.tableCaption(first.total, first.columns.length));
  const table = element("table", {}, caption, element("thead", {}, element("tr", {}, ...heads)), content);
  const frame = element("div", { class: "frame", role: "region", tabindex: "0", "aria-labelledby": captionId }, table);
  const node = element("div", { class: "table" });
  if (first.total > worthFiltering) node.append(filterBox());
  node.append(frame);

  const range = element("span");
  const previous = button(() => void load(page.page - 1), {}, texts.previous);
  const next = button(() => void load(page.page + 1), {}, texts.next);
  const pages = element("nav", { class: "pages", "aria-label": texts.pages }, previous, range, next);
  const none = element("p", { class: "quiet" }, texts.noRows);
  const missing = element("p", { class: "paper quiet" });
  const { box, addresses } = downloads();
  node.append(missing, pages, none, box);

  function filterBox(): HTMLElement {
    const input = element("input", { type: "search", placeholder: words.filterRows, "aria-label": words.filterRows, autocomplete: "off", spellcheck: "false" });
    let due = 0;
    input.addEventListener("input", () => {
      clearTimeout(due);
      due = window.setTimeout(() => {
        filter = input.value;
        void load(0);
      }, 200);
    });
    return element("div", { class: "filter" }, input);
  }

  // What is chosen is what leaves; the server names the files.
  function downloads() {
    const link = (text: string, title?: string) => element("a", { class: "button", download: "", title }, text);
    const [exact, safe, workbook] = [link(texts.exactFile), link(texts.spreadsheetFile, texts.spreadsheetHint), link(words.workbook, words.workbookHint)];
    const box = element("div", { class: "downloads" }, exact, safe, workbook);
    if (guarded > 0) box.append(element("p", { class: "outcome" }, texts.guarded(guarded)));
    const addresses = () => {
      const query = chosen();
      workbook.href = `${path}/xlsx?${query}`;
      exact.href = `${path}/csv?${query}`;
      query.set("spreadsheet", "");
      safe.href = `${path}/csv?${query}`;
    };
    return { box, addresses };
  }

  function chosen(): URLSearchParams {
    const query = new URLSearchParams();
    if (sortedBy >= 0) query.set("sort", String(sortedBy));
    if (descending) query.set("descending", "");
    if (filter !== "") query.set("filter", filter);
    const digits = withoutMarks(filter, texts.marks);
    if (digits !== filter) query.set("digits", digits);
    return query;
  }

  // The third click restores the original order.
  function sort(column: number): void {
    if (sortedBy !== column) [sortedBy, descending] = [column, false];
    else if (!descending) descending = true;
    else sortedBy = -1;
    void load(0, sortedBy < 0 ? texts.unsorted : texts.sorted(first.columns[column]!.name, descending));
  }

  // Answers may overtake each other; only the latest counts.
  async function load(number: number, said = ""): Promise<void> {
    const mine = ++latest;
    const query = chosen();
    query.set("page", String(number));
    try {
      const loaded = await ask<Page>(`${path}?${query}`);
      if (mine !== latest) return;
      page = loaded;
      whole = undefined;
      draw();
      frame.scrollTop = 0;
      announce([said, range.textContent].filter((part) => part !== "").join(". "));
    } catch {
      if (mine === latest) announce(words.unreachable);
    }
  }

  function draw(): void {
    heads.forEach((head, c) => {
      const state = c !== sortedBy ? "none" : descending ? "descending" : "ascending";
      head.setAttribute("aria-sort", state);
      head.querySelector(".mark")!.textContent = state === "none" ? "" : descending ? "▼" : "▲";
    });
    const { rows } = printing && whole ? whole : page;
    content.replaceChildren(...rows.map((row) => element("tr", {}, ...row.map(drawCell))));
    missing.textContent = page.matched > rows.length ? texts.notPrinted(page.matched - rows.length) : "";
    caption.textContent = texts.tableCaption(first.total, first.columns.length) + (page.matched < page.total ? ` · ${words.shown(texts.count(page.matched))}` : "");
    addresses();
    const from = page.page * page.size;
    range.textContent = page.matched === 0 ? words.noMatch : texts.range(from + 1, from + page.rows.length, page.matched);
    previous.disabled = page.page === 0;
    next.disabled = from + page.size >= page.matched;
    pages.hidden = page.total <= page.size && filter === "";
    none.hidden = page.total > 0;
  }

  // The first column names its row, unless it is numbers.
  function drawCell(cell: string | null, c: number): HTMLElement {
    const numeric = first.columns[c]?.numeric;
    const text = element("bdi", {}, ...(numeric ? drawMarks(cell ?? "", texts.marks) : [cell ?? ""]));
    return c === 0 && !numeric ? element("th", { scope: "row" }, text) : element("td", { class: numeric ? "number" : undefined }, text);
  }

  async function fetchWhole(): Promise<void> {
    if (!node.isConnected || page.matched <= page.rows.length) return;
    const [mine, query] = [latest, chosen()];
    query.set("paper", "");
    const loaded = await ask<Page>(`${path}?${query}`);
    if (mine === latest) whole = loaded;
  }

  const print = (now: boolean) => () => {
    printing = now;
    draw();
  };
  if (first.total > first.rows.length) {
    owner.beforePaper(fetchWhole);
    whenPrinted(node, print(true), print(false));
  }
  draw();
  return node;
}
