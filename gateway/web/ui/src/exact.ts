// JSON whose numbers keep their digits: each is the browser's own raw JSON, which is written as it was read. A browser
// that has none gives its numbers.

export interface Digits {
  readonly rawJSON: string;
}

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

const json = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  stringify(value: unknown, replacer: null, indent: number): string;
  rawJSON?(text: string): Digits;
  isRawJSON?(value: unknown): boolean;
};

/** readExact reads JSON text; a number in it is its digits. */
export function readExact(text: string): unknown {
  return json.parse(text, (_key, value, context) => (typeof value === "number" && json.rawJSON && context?.source !== undefined ? json.rawJSON(context.source) : value));
}

/** writeExact writes what readExact read. */
export function writeExact(value: unknown, indent = 0): string {
  return json.stringify(value, null, indent);
}

/** digitsOf is the text of a number, and nothing for what is no number. */
export function digitsOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return json.isRawJSON?.(value) ? (value as Digits).rawJSON : undefined;
}
