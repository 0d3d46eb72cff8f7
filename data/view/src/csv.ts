// A table as CSV (RFC 4180): exactly as given, or with cells that a spreadsheet would run as formulas made plain text.

import { isGroupedNumber, type Rows } from "./cell";

/** exactCSV writes every cell as given. An empty text is quoted, so that it differs from null. */
export function exactCSV(rows: Rows): string {
  return rows.map((row) => row.map((cell) => field(cell)).join(",") + "\r\n").join("");
}

/**
 * spreadsheetCSV puts an apostrophe, which stays visible, before whatever a spreadsheet would take for a formula, and
 * counts the cells. A byte order mark tells spreadsheets that this is UTF-8.
 */
export function spreadsheetCSV(rows: Rows): { text: string; guarded: number } {
  let guarded = 0;
  const safe = rows.map((row) =>
    row.map((cell) => {
      const plain = typeof cell === "string" ? harmless(cell) : cell;
      if (plain !== cell) guarded++;
      return plain;
    }),
  );
  return { text: "\uFEFF" + exactCSV(safe), guarded };
}

// Spreadsheets skip blanks and characters without a form before they look for the sign, and take its full-width and small
// forms too. One that is set to another separator, as most are where numbers have a comma, starts a cell within a text.
const blank = "[\\s\\p{Z}\\p{Cc}\\p{Cf}]*";
const sign = "[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]";
const formula = new RegExp(`^${blank}${sign}|^[\\t\\r\\n]`, "u");
// A run of separators is walked once: the last of them is the one that counts.
const within = new RegExp(`([;\\t\\r\\n](?:(?![\\t\\r\\n])[\\s\\p{Z}\\p{Cc}\\p{Cf}])*)(${sign})`, "gu");

function harmless(text: string): string {
  return (!isGroupedNumber(text) && formula.test(text) ? "'" + text : text).replace(within, "$1'$2");
}

function field(cell: Rows[number][number]): string {
  if (cell === null) return "";
  const text = String(cell);
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
