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

/** isNumeric holds when every cell that is not null is a number, or text in JSON number form, and there is one. */
export function isNumeric(column: readonly Cell[]): boolean {
  let seen = false;
  for (const cell of column) {
    if (cell === null) continue;
    if (typeof cell === "boolean" || !isNumber(String(cell))) return false;
    seen = true;
  }
  return seen;
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
  if (isNumeric(column)) {
    const values = column.map((cell) => (cell === null ? null : decimal(String(cell))));
    present.sort((i, j) => sign * compare(values[i]!, values[j]!));
  } else {
    const collator = new Intl.Collator(language, { numeric: true });
    present.sort((i, j) => sign * collator.compare(cellText(column[i]!), cellText(column[j]!)));
  }
  return present.concat(missing);
}
