// A table as CSV (RFC 4180): exactly as given, or with cells that a spreadsheet would run as formulas made plain text.

import type { Rows } from "./cell";
import { isNumber } from "./decimal";

/** exactCSV writes every cell as given. An empty text is quoted, so that it differs from null. */
export function exactCSV(rows: Rows): string {
  return rows.map((row) => row.map((cell) => field(cell)).join(",") + "\r\n").join("");
}

/**
 * spreadsheetCSV puts an apostrophe, which stays visible, before each text that a spreadsheet would take for a formula,
 * and counts them. A byte order mark tells spreadsheets that this is UTF-8.
 */
export function spreadsheetCSV(rows: Rows): { text: string; guarded: number } {
  let guarded = 0;
  const safe = rows.map((row) =>
    row.map((cell) => {
      if (typeof cell !== "string" || !isFormula(cell)) return cell;
      guarded++;
      return "'" + cell;
    }),
  );
  return { text: "\uFEFF" + exactCSV(safe), guarded };
}

// Spreadsheets skip blanks and control characters before they look for the sign, and take its full-width forms too.
function isFormula(text: string): boolean {
  if (isNumber(text)) return false;
  return /^[\s\u0000-\u001F\u007F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) || /^[\t\r\n]/.test(text);
}

function field(cell: Rows[number][number]): string {
  if (cell === null) return "";
  const text = String(cell);
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
