// A data tool's structured content, checked on arrival: it is foreign, whatever the server promised.

import { Breach, isLonger, optional, readChoice, readList, readNumber, readObject, readText, required } from "./breach";
import type { Cell, Column, Rows } from "./cell";
import { readSpec, type Spec } from "./spec";

export interface Source {
  url: string;
  title?: string;
  publisher?: string;
  license?: string;
  retrieved_at?: string;
  period?: string;
}

export interface Result {
  sources: readonly Source[];
  table?: Rows;
  columns: readonly Column[];
  charts: readonly Spec[];
  force?: string;
}

// The server's limit is 1 MiB of JSON; text alone can never pass that in a result which kept it.
const mostText = 1 << 20;

/** readResult gives the result or throws a Breach that names the place. */
export function readResult(value: unknown): Result {
  const fields = readObject(value, "", ["sources", "table", "columns", "charts", "force"]);
  const sources = required(fields, "sources", "", (v, p) => readList(v, p, 1, 50).map((s, i) => readSource(s, `${p}[${i}]`)));
  const table = optional(fields, "table", "", readTable);
  const columns = optional(fields, "columns", "", (v, p) => readColumns(v, p, table?.[0]?.length ?? 0)) ?? [];
  const charts = optional(fields, "charts", "", (v, p) => readList(v, p, 0, 8).map((c, i) => readSpec(c, `${p}[${i}]`)));
  const force = optional(fields, "force", "", (v, p) => readText(v, p, 4000));
  return { sources, ...(table && { table }), columns, charts: charts ?? [], ...(force && { force }) };
}

const sourceTexts = [["title", 300], ["publisher", 200], ["license", 100], ["retrieved_at", 40], ["period", 60]] as const;

function readSource(value: unknown, place: string): Source {
  if (typeof value === "string") return { url: readURL(value, place) };
  const fields = readObject(value, place, ["url", ...sourceTexts.map(([name]) => name)]);
  const source: Source = { url: required(fields, "url", place, readURL) };
  for (const [name, most] of sourceTexts) {
    const text = optional(fields, name, place, (v, p) => readText(v, p, most));
    if (text !== undefined) source[name] = text;
  }
  return source;
}

function readURL(value: unknown, place: string): string {
  const text = readText(value, place, 2048);
  if (!/^https?:\/\/[^\s\p{Cc}\p{Cf}\p{Cs}"'<>\\^`{|}]+$/u.test(text)) throw new Breach(place, "not an http or https URL");
  if (/^https?:\/\/[^/?#]*@/.test(text)) throw new Breach(place, "a URL that carries credentials");
  try {
    new URL(text);
  } catch {
    throw new Breach(place, "not a well-formed URL");
  }
  return text;
}

function readTable(value: unknown): Rows {
  const rows = readList(value, "table", 1, 5001);
  const width = readList(rows[0], "table[0]", 1, 60).length;
  const names = new Set<string>();
  let budget = mostText;
  return rows.map((row, r) => {
    const place = `table[${r}]`;
    const cells = readList(row, place, 1, 60);
    if (cells.length !== width) throw new Breach(place, "not as long as the header");
    return cells.map((cell, c) => {
      const at = `${place}[${c}]`;
      const read = r === 0 ? readHeader(cell, at, names) : readCell(cell, at);
      if (typeof read === "string") budget -= read.length;
      if (budget < 0) throw new Breach("table", "larger than 1 MiB");
      return read;
    });
  });
}

const columnKinds = ["text", "code", "date", "number", "percent", "money"] as const;

function readColumns(value: unknown, place: string, width: number): Column[] {
  const list = readList(value, place, 0, 60);
  if (list.length !== width) throw new Breach(place, "not as long as the header");
  return list.map((entry, i) => {
    const at = `${place}[${i}]`;
    const fields = readObject(entry, at, ["kind", "unit", "decimals", "note"]);
    const kind = optional(fields, "kind", at, (v, p) => readChoice(v, p, columnKinds));
    const unit = optional(fields, "unit", at, (v, p) => readText(v, p, 40));
    const decimals = optional(fields, "decimals", at, (v, p) => readNumber(v, p, 0, 20));
    const note = optional(fields, "note", at, (v, p) => readText(v, p, 300));
    if (decimals !== undefined && !Number.isInteger(decimals)) throw new Breach(`${at}.decimals`, "not a whole number");
    return { ...(kind && { kind }), ...(unit && { unit }), ...(decimals !== undefined && { decimals }), ...(note && { note }) };
  });
}

function readHeader(value: unknown, place: string, names: Set<string>): string {
  const name = readText(value, place, 200);
  if (name.trim() === "") throw new Breach(place, "an empty header");
  if (names.has(name.trim())) throw new Breach(place, "a header that stands twice");
  names.add(name.trim());
  return name;
}

function readCell(value: unknown, place: string): Cell {
  if (value === null || typeof value === "boolean") return value;
  // A number past every float reaches this page as Infinity: its digits are gone, so nothing true can be shown.
  if (typeof value === "number") return readNumber(value, place, -Infinity, Infinity);
  if (typeof value !== "string") throw new Breach(place, "not text, number, boolean or null");
  if (isLonger(value, 2000)) throw new Breach(place, "longer than 2000 characters");
  return value;
}
