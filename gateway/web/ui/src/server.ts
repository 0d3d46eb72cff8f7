// What the server says and can be asked. Everything in it that a tool or a model wrote is text.

import type { Source } from "../../../../data/view/src/result";
import type { Prose } from "./prose";
import type { Question } from "./question";

export interface Hints {
  read_only: boolean;
  destructive: boolean;
  idempotent: boolean;
  open_world: boolean;
}

export interface Tool {
  name: string;
  server: string;
  original: string;
  title: string;
  description?: string;
  /** JSON as text: its numbers keep their digits. */
  input?: string;
  hints: Hints;
  data?: boolean;
  note?: string;
}

/** How a tool server is, and what became of its tools. */
export interface Health {
  id: string;
  state: "connecting" | "up" | "down";
  since: string;
  name?: string;
  protocol?: string;
  fault?: string;
  tries?: number;
  next?: string;
  tools?: { name: string; title: string; note?: string }[];
  refused?: { name: string; reason: string }[];
}

export interface Run {
  id: string;
  conversation: string;
  input: { text?: string; tool?: string };
  started: string;
  ended: boolean;
}

export interface Conversation {
  id: string;
  title: string;
  updated: string;
  share?: string;
  runs?: Run[];
}

/** Ended runs, with all that is stored of them. */
export interface Answers {
  runs: (Run & { events: RunEvent[] })[];
  more: boolean;
}

export interface Ref {
  run: string;
  seq: number;
}

export interface Page {
  columns: { name: string; numeric?: boolean }[];
  rows: (string | null)[][];
  total: number;
  matched: number;
  page: number;
  size: number;
}

/** A name and the text of a value; a single value has no name. */
export interface Argument {
  name?: string;
  value: string;
}

export interface Call {
  id: string;
  turn: number;
  tool: string;
  title: string;
  arguments?: Argument[];
  hints: Hints;
  state: "waiting" | "running" | "answered" | "failed" | "declined" | "rejected" | "stopped";
  read?: string;
  cut?: boolean;
  screen?: boolean;
  verified?: boolean;
  note?: string;
  ms?: number;
}

export interface Consent {
  call: string;
  tool: string;
  title: string;
  arguments?: Argument[];
  hints: Hints;
  state: "asked" | "given" | "refused" | "expired";
}

export type RunEvent = { seq: number } & (
  | { type: "text"; data: { turn: number; prose: Prose[]; final?: boolean } }
  | { type: "tool_call"; data: Call }
  | { type: "consent"; data: Consent }
  | { type: "question"; data: Question }
  | { type: "progress"; data: { call: string; done: number; total?: number; message?: string } }
  | { type: "table"; data: { call: string; tool: string; same?: Ref; guarded?: number; table?: Page } }
  | { type: "chart"; data: { call: string; tool: string; same?: Ref; config?: string } }
  | { type: "sources"; data: { call: string; tool: string; title: string; sources?: Source[]; none?: boolean } }
  | { type: "force"; data: { call: string; tool: string; text: string } }
  | { type: "error"; data: { fault: string; message: string } }
  | { type: "notice"; data: { message: string } }
  | { type: "done"; data: { reason: string } }
);

/** What the screen got of a call: JSON as text, and images as data: URLs. */
export interface Panel {
  structured: string;
  cut?: boolean;
  images?: string[];
}

/** A conversation in one file, with nothing left to fetch. */
export interface FileRecord {
  title: string;
  runs: (Run & { events: RunEvent[]; results: (Panel & { call: string })[] })[];
}

/** A Refusal is an answer that is not the one asked for: a code for the page and a sentence for people. */
export class Refusal extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

export async function ask<T>(path: string, method = "GET", body?: string): Promise<T> {
  const response = await fetch(path, { method, ...(body !== undefined && { body, headers: { "Content-Type": "application/json" } }) }).catch(() => {
    throw new Refusal("unreachable", "");
  });
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T;
  const fault = (await response.json().catch(() => ({}))) as { error?: string; message?: string };
  throw new Refusal(fault.error ?? "internal", fault.message ?? `HTTP ${response.status}`);
}
