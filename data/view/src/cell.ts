// Cells and columns: what a table holds, how a cell is shown, and when a column counts as numbers.

import { compare, decimal, isNumber } from "./decimal";

export type Cell = string | number | boolean | null;
export type Rows = readonly (readonly Cell[])[];

/** cellText is the cell as given: text untouched, numbers as JavaScript writes them, null as nothing. */
export function cellText(cell: Cell): string {
  return cell === null ? "" : String(cell);
}

/** mayBeRounded marks whole numbers past 2^53: a host that parsed them into floats may have changed their last digits. */
export function mayBeRounded(cell: Cell): boolean {
  return typeof cell === "number" && Number.isInteger(cell) && !Number.isSafeInteger(cell);
}

/** What the tool says that a column holds. */
export interface Column {
  kind?: "text" | "code" | "date" | "number" | "percent" | "money";
  unit?: string;
  decimals?: number;
  note?: string;
}

/** isGrouped holds for quantities, of which the digits are grouped: numbers, unless the column says that they are codes. */
export function isGrouped(cell: Cell, { kind }: Column): boolean {
  const figures = kind === "number" || kind === "percent" || kind === "money";
  return figures || (typeof cell === "number" && kind === undefined);
}

/** isNumeric holds for a column of cells that read as numbers, which is aligned and sorted as such. */
export function isNumeric(column: readonly Cell[]): boolean {
  return readings(column) !== undefined;
}

// Numbers with their digits in groups, as texts may have them: the marks of a thousand, and of a fraction.
const grouped: readonly (readonly [RegExp, string, string])[] = [
  [/^[-−+]?\d{1,3}(?:,\d{3})*(?:\.\d+)?$/, ",", "."],
  [/^[-−+]?\d{1,3}(?:\.\d{3})*(?:,\d+)?$/, ".", ","],
  [/^[-−+]?\d{1,3}(?:[ \u00A0\u2009\u202F]\d{3})*(?:,\d+)?$/u, "\u00A0", ","],
  [/^[-−+]?\d{1,3}(?:['’]\d{3})*(?:\.\d+)?$/u, "’", "."],
];

/**
 * readings gives each cell as a JSON number, where all cells that are not null read as one: in JSON's form, or with digits
 * grouped in one manner throughout.
 */
export function readings(column: readonly Cell[]): (string | null)[] | undefined {
  if (column.every((cell) => cell === null || typeof cell === "boolean")) return undefined;
  const plain = (cell: Cell) => (cell === null ? null : typeof cell !== "boolean" && isNumber(String(cell)) ? String(cell) : undefined);
  const all = (read: (cell: Cell) => string | null | undefined) => {
    const out: (string | null)[] = [];
    for (const cell of column) {
      const text = read(cell);
      if (text === undefined) return undefined;
      out.push(text);
    }
    return out;
  };
  const simple = all(plain);
  if (simple) return simple;
  for (const [form, group, point] of grouped) {
    const read = all((cell) => {
      if (typeof cell !== "string") return plain(cell);
      if (cell.length > 60 || !form.test(cell)) return undefined;
      const marks = group === "\u00A0" ? /[ \u00A0\u2009\u202F]/gu : group === "’" ? /['’]/gu : group;
      const digits = cell.replaceAll(marks, "").replace(point, ".").replace("−", "-").replace("+", "");
      return isNumber(digits) ? digits : undefined;
    });
    if (read) return read;
  }
  return undefined;
}

/** isGroupedNumber holds for a text that is a number and nothing else, however its digits are grouped. */
export function isGroupedNumber(text: string): boolean {
  return readings([text]) !== undefined;
}

/** rounded writes a JSON number with so many decimals at most, for show: half a unit is rounded away from zero. */
export function rounded(text: string, decimals: number | undefined): string {
  const [whole = "", fraction = ""] = text.split(".");
  if (decimals === undefined || !isNumber(text) || /e/i.test(text) || text.length > 200 || fraction.length <= decimals) return text;
  const negative = whole.startsWith("-");
  let units = BigInt((negative ? whole.slice(1) : whole) + fraction.slice(0, decimals));
  if (fraction[decimals]! >= "5") units++;
  const digits = String(units).padStart(decimals + 1, "0");
  const at = digits.length - decimals;
  return (negative && units > 0n ? "-" : "") + digits.slice(0, at) + (decimals > 0 ? "." + digits.slice(at) : "");
}

/**
 * order gives the positions of the column's cells in rising or falling order. Numbers compare exactly, text by the
 * language's own rules; null comes last either way and equals keep their place.
 */
export function order(column: readonly Cell[], descending: boolean, language: string): number[] {
  const sign = descending ? -1 : 1;
  const positions = [...column.keys()];
  const present = positions.filter((i) => column[i] !== null);
  const missing = positions.filter((i) => column[i] === null);
  const numbers = readings(column);
  if (numbers) {
    const values = numbers.map((text) => (text === null ? null : decimal(text)));
    present.sort((i, j) => sign * compare(values[i]!, values[j]!));
  } else {
    const collator = new Intl.Collator(language, { numeric: true });
    present.sort((i, j) => sign * collator.compare(cellText(column[i]!), cellText(column[j]!)));
  }
  return present.concat(missing);
}
