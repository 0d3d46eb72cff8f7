// A table that sorts by its headers and shows two hundred rows at a time. Cells are shown as given, with marks drawn between
// the digits of numbers.

import { cellText, isGrouped, isNumeric, mayBeRounded, order, rounded as roundedTo, type Cell, type Column, type Rows } from "./cell";
import { button, element, uniqueId } from "./element";
import { drawMarks } from "./marks";
import { whenPrinted } from "./paper";
import type { Texts } from "./texts";

const pageSize = 200;
const paperSize = 5_000; // rows on paper: about a hundred sheets

/** drawTable draws rows, of which the first is the header. It calls announce after each change. */
export function drawTable(rows: Rows, texts: Texts, announce: (text: string) => void, described: readonly Column[] = []): HTMLElement {
  const [header = [], ...body] = rows;
  const columns = header.map((_, c) => body.map((row) => row[c] ?? null));
  const numeric = columns.map(isNumeric);
  const original = [...body.keys()];
  let sortedBy = -1;
  let descending = false;
  let positions = original;
  let page = 0;
  let printing = false;

  const captionId = uniqueId();
  const heads = header.map((name, c) => {
    const mark = element("span", { class: "mark", "aria-hidden": "true" });
    const { unit, note } = described[c] ?? {};
    const title = cellText(name) + (unit !== undefined && !cellText(name).includes(unit) ? ` (${unit})` : "");
    return element("th", { scope: "col", class: numeric[c] ? "number" : undefined, title: note }, button(() => sort(c), {}, element("bdi", {}, title), mark));
  });
  const content = element("tbody");
  const table = element("table", {}, element("caption", { id: captionId }, texts.tableCaption(body.length, header.length)), element("thead", {}, element("tr", {}, ...heads)), content);
  const frame = element("div", { class: "frame", role: "region", tabindex: "0", "aria-labelledby": captionId }, table);
  const node = element("div", { class: "table" }, frame);

  const range = element("span");
  const previous = button(() => turn(-1), {}, texts.previous);
  const next = button(() => turn(1), {}, texts.next);
  if (body.length > pageSize) node.append(element("nav", { class: "pages", "aria-label": texts.pages }, previous, range, next));
  if (body.length === 0) node.append(element("p", { class: "quiet" }, texts.noRows));
  if (body.length > paperSize) node.append(element("p", { class: "paper quiet" }, texts.notPrinted(body.length - paperSize)));
  const rounded = body.reduce((n, row) => n + row.filter(mayBeRounded).length, 0);
  if (rounded > 0) node.append(element("p", { class: "quiet" }, texts.rounded(rounded)));

  // The third click restores the original order.
  function sort(column: number): void {
    if (sortedBy !== column) [sortedBy, descending] = [column, false];
    else if (!descending) descending = true;
    else sortedBy = -1;
    positions = sortedBy < 0 ? original : order(columns[column]!, descending, texts.language);
    page = 0;
    announce(sortedBy < 0 ? texts.unsorted : texts.sorted(cellText(header[column] ?? null), descending));
    draw();
  }

  function turn(by: number): void {
    page += by;
    draw();
    frame.scrollTop = 0;
    announce(range.textContent);
  }

  function draw(): void {
    heads.forEach((head, c) => {
      const state = c !== sortedBy ? "none" : descending ? "descending" : "ascending";
      head.setAttribute("aria-sort", state);
      head.querySelector(".mark")!.textContent = state === "none" ? "" : descending ? "▼" : "▲";
    });
    const from = printing ? 0 : page * pageSize;
    const shown = positions.slice(from, from + (printing ? paperSize : pageSize));
    content.replaceChildren(...shown.map((p) => element("tr", {}, ...body[p]!.map(drawCell))));
    range.textContent = texts.range(from + 1, from + shown.length, body.length);
    previous.disabled = page === 0;
    next.disabled = from + pageSize >= body.length;
  }

  // The first column names its row, unless it is numbers.
  function drawCell(cell: Cell, c: number): HTMLElement {
    const given = cellText(cell);
    const column = described[c] ?? {};
    const text = element("bdi", {}, ...(isGrouped(cell, column) ? drawMarks(roundedTo(given, column.decimals), texts.marks) : [given]));
    const node = c === 0 && !numeric[c] ? element("th", { scope: "row" }, text) : element("td", { class: numeric[c] ? "number" : undefined }, text);
    if (mayBeRounded(cell)) node.append(element("sup", {}, "†"));
    return node;
  }

  const print = (now: boolean) => () => {
    printing = now;
    draw();
  };
  if (body.length > pageSize) whenPrinted(node, print(true), print(false));

  draw();
  return node;
}
