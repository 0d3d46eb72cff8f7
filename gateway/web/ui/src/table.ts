// A table of which the server sorts, filters and sends a page at a time. Cells are text, exactly as the tool gave them, with
// marks drawn between the digits of numbers.

import { button, element, uniqueId } from "../../../../data/view/src/element";
import { drawMarks, withoutMarks } from "../../../../data/view/src/marks";
import type { Texts } from "../../../../data/view/src/texts";
import { ask, type Page } from "./server";
import type { Words } from "./words";

const worthFiltering = 12;

/** drawPagedTable draws the first page; path is where the server has the rest and the files. */
export function drawPagedTable(first: Page, guarded: number, path: string, texts: Texts, words: Words, announce: (text: string) => void): HTMLElement {
  let page = first;
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
  node.append(pages, none, downloads());

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

  function downloads(): HTMLElement {
    const exact = element("a", { class: "button", href: `${path}/csv`, download: "table.csv" }, texts.exactFile);
    const safe = element("a", { class: "button", href: `${path}/csv?spreadsheet`, download: "table-spreadsheet.csv", title: texts.spreadsheetHint }, texts.spreadsheetFile);
    const box = element("div", { class: "downloads" }, exact, safe);
    if (guarded > 0) box.append(element("p", { class: "outcome" }, texts.guarded(guarded)));
    return box;
  }

  // The third press gives back the original order.
  function sort(column: number): void {
    if (sortedBy !== column) [sortedBy, descending] = [column, false];
    else if (!descending) descending = true;
    else sortedBy = -1;
    void load(0, sortedBy < 0 ? texts.unsorted : texts.sorted(first.columns[column]!.name, descending));
  }

  // Answers may overtake each other; only the latest counts.
  async function load(number: number, said = ""): Promise<void> {
    const mine = ++latest;
    const query = new URLSearchParams({ page: String(number) });
    if (sortedBy >= 0) query.set("sort", String(sortedBy));
    if (descending) query.set("descending", "");
    if (filter !== "") query.set("filter", filter);
    const digits = withoutMarks(filter, texts.marks);
    if (digits !== filter) query.set("digits", digits);
    try {
      const loaded = await ask<Page>(`${path}?${query}`);
      if (mine !== latest) return;
      page = loaded;
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
    content.replaceChildren(...page.rows.map((row) => element("tr", {}, ...row.map(drawCell))));
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

  draw();
  return node;
}
