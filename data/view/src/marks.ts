// The marks that a language puts between a number's digits, from five whole digits on: a year stays a year. No digit is
// left out, added or rounded.

import { isNumber } from "./decimal";
import { element } from "./element";

export interface Marks {
  group: string;
  point: string;
}

/** marksOf asks the browser for a language's marks. */
export function marksOf(language: string): Marks {
  const parts = new Intl.NumberFormat(language).formatToParts(1234567.5);
  const mark = (type: string, otherwise: string) => parts.find((part) => part.type === type)?.value ?? otherwise;
  return { group: mark("group", ","), point: mark("decimal", ".") };
}

/** withMarks writes a number of a sentence, or of a drawing; other text stays as it is. */
export function withMarks(text: string, marks: Marks): string {
  const [groups, fraction] = split(text);
  return groups.join(marks.group) + (fraction === undefined ? "" : marks.point + fraction);
}

/** drawMarks draws the marks and leaves them out of the text: what is searched, selected and copied are the tool's digits. */
export function drawMarks(text: string, marks: Marks): (Node | string)[] {
  const [[first = "", ...groups], fraction] = split(text);
  const drawn = [first, ...groups.map((group) => element("span", { class: "group", "data-mark": marks.group }, group))];
  if (fraction === undefined) return drawn;
  return [...drawn, marks.point === "." ? "." : element("span", { class: "point", "data-mark": marks.point }, "."), fraction];
}

/** withoutMarks is what is meant by digits that were typed as they are seen. */
export function withoutMarks(text: string, marks: Marks): string {
  const typed = Array.from(text).every((c) => (c >= "0" && c <= "9") || c === "-" || c === marks.group || c === marks.point);
  return typed ? text.replaceAll(marks.group, "").replaceAll(marks.point, ".") : text;
}

// split gives the groups of the whole digits, the first with its sign, and the digits after the point.
function split(text: string): [string[], (string | undefined)?] {
  const most = 200; // in longer numbers marks do not help the reader
  if (text.length > most || !isNumber(text)) return [[text]];
  const at = text.indexOf(".");
  const [whole, fraction] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  const sign = whole.startsWith("-") ? 1 : 0;
  if (whole.length - sign < 5 || /e/i.test(text)) return [[whole], fraction];
  const groups = [];
  let end = whole.length;
  for (; end - sign > 3; end -= 3) groups.unshift(whole.slice(end - 3, end));
  return [[whole.slice(0, end), ...groups], fraction];
}
