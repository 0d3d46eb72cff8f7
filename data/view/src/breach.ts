// A breach is a place in foreign data and the rule broken there; the readers below turn unknown values into known ones or
// throw one. A rule never repeats the value: it may be long, hostile or private.

export class Breach extends Error {
  constructor(readonly place: string, readonly rule: string) {
    super(`${place || "structuredContent"}: ${rule}`);
    this.name = "Breach";
  }
}

export type Fields = Record<string, unknown>;

export function readObject(value: unknown, place: string, allowed: readonly string[]): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Breach(place, "not an object");
  for (const key of Object.keys(value)) {
    if (!allowed.includes(key)) throw new Breach(...unknown(place, key));
  }
  return value as Fields;
}

export function readList(value: unknown, place: string, least: number, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new Breach(place, "not a list");
  if (value.length < least) throw new Breach(place, `fewer than ${least} items`);
  if (value.length > most) throw new Breach(place, `more than ${most} items`);
  return value;
}

export function readText(value: unknown, place: string, most: number): string {
  if (typeof value !== "string") throw new Breach(place, "not text");
  if (isLonger(value, most)) throw new Breach(place, `longer than ${most} characters`);
  return value;
}

export function readNumber(value: unknown, place: string, least = -1e15, most = 1e15): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Breach(place, "not a finite number");
  if (value < least) throw new Breach(place, `less than ${least}`);
  if (value > most) throw new Breach(place, `more than ${most}`);
  return value;
}

export function readFlag(value: unknown, place: string): boolean {
  if (typeof value !== "boolean") throw new Breach(place, "not true or false");
  return value;
}

export function readChoice<const T extends readonly string[]>(value: unknown, place: string, choices: T): T[number] {
  if (!choices.includes(value as string)) throw new Breach(place, `not one of ${choices.join(", ")}`);
  return value as T[number];
}

/** optional reads a field that may be absent. JSON has no undefined, so null is not absent. */
export function optional<T>(fields: Fields, name: string, place: string, read: (value: unknown, place: string) => T): T | undefined {
  return Object.hasOwn(fields, name) && fields[name] !== undefined ? read(fields[name], within(place, name)) : undefined;
}

/** required reads a field that must be there. */
export function required<T>(fields: Fields, name: string, place: string, read: (value: unknown, place: string) => T): T {
  if (!Object.hasOwn(fields, name) || fields[name] === undefined) throw new Breach(within(place, name), "required but missing");
  return read(fields[name], within(place, name));
}

/** isLonger counts characters, not UTF-16 units, and only when it must. */
export function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  if (text.length > 2 * most) return true;
  return Array.from(text).length > most;
}

function within(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}

// A foreign name is repeated only when it is a plain word.
function unknown(place: string, key: string): [string, string] {
  return /^[A-Za-z_$][\w$]{0,39}$/.test(key) ? [within(place, key), "not an allowed field"] : [place, "a field whose name is no plain word"];
}
