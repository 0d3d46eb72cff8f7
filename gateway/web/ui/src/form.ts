// A form made from a tool's input schema. What is typed becomes JSON text, digit for digit; the server has the last word.

import { compare, decimal, isNumber } from "../../../../data/view/src/decimal";
import { element, uniqueId } from "../../../../data/view/src/element";
import { digitsOf, readExact, writeExact } from "./exact";
import type { Words } from "./words";

type Schema = Record<string, unknown>;

export interface Form {
  node: HTMLElement;
  /** read gives the arguments as JSON text, or nothing after it has marked what is wrong. */
  read(): string | undefined;
}

export interface Field {
  node: HTMLElement;
  /** JSON text, nothing for an argument that is left out, or a fault. */
  read(): { raw?: string; fault?: string };
  mark(fault: string): void;
}

const mostFields = 60;

/** drawForm makes the form of a schema, which is JSON text: a number in it may have more digits than a browser's own. */
export function drawForm(schema: string, words: Words): Form {
  const input = readExact(schema);
  const root = isObject(input) ? input : {};
  const properties = Object.entries(isObject(root["properties"]) ? root["properties"] : {});
  const required = Array.isArray(root["required"]) ? root["required"] : [];
  if (properties.length > mostFields || (properties.length === 0 && root["additionalProperties"] !== false && !("properties" in root))) {
    const field = jsonField(words.arguments, {}, true, words, "{}");
    return { node: element("div", { class: "fields" }, field.node), read: () => readOne(field) };
  }
  const fields = properties.map(([name, schema]) => [name, drawField(name, resolve(schema, root), required.includes(name), words)] as const);
  const node = element("div", { class: "fields" }, ...fields.map(([, field]) => field.node));
  if (fields.length === 0) node.append(element("p", { class: "quiet" }, words.noArguments));
  return { node, read: () => readFields(fields) };
}

/** readFields gives an object as JSON text, or nothing after it has marked what is wrong. */
export function readFields(fields: readonly (readonly [string, Field])[]): string | undefined {
  const pairs: string[] = [];
  let first: Field | undefined;
  for (const [name, field] of fields) {
    const { raw, fault } = field.read();
    field.mark(fault ?? "");
    if (fault) first ??= field;
    else if (raw !== undefined) pairs.push(`${JSON.stringify(name)}:${raw}`);
  }
  first?.node.querySelector<HTMLElement>("input, select, textarea")?.focus();
  return first ? undefined : `{${pairs.join(",")}}`;
}

function readOne(field: Field): string | undefined {
  const { raw, fault } = field.read();
  field.mark(fault ?? "");
  return fault ? undefined : raw ?? "{}";
}

function drawField(name: string, schema: Schema, needed: boolean, words: Words): Field {
  const choices = Array.isArray(schema["enum"]) ? schema["enum"] : "const" in schema ? [schema["const"]] : undefined;
  if (choices && choices.length <= 500) return choiceField(name, schema, needed, words, choices.map((v) => [typeof v === "string" ? v : writeExact(v), writeExact(v)]));
  switch (schema["type"]) {
    case "boolean":
      return choiceField(name, schema, needed, words, [[words.yes, "true"], [words.no, "false"]]);
    case "integer":
    case "number":
      return textField(name, schema, needed, words, { inputmode: "decimal" }, (text) => {
        const plain = text.trim();
        if (!isNumber(plain)) return { fault: words.notNumber };
        if (schema["type"] === "integer" && !/^-?\d+$/.test(plain)) return { fault: words.notInteger };
        return { raw: plain };
      });
    case "string":
      return textField(name, schema, needed, words, {}, (text) => ({ raw: JSON.stringify(text) }));
    default:
      return jsonField(name, schema, needed, words);
  }
}

function textField(
  name: string, schema: Schema, needed: boolean, words: Words, attributes: Record<string, string>, parse: (text: string) => { raw?: string; fault?: string },
): Field {
  const control = element("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
  const given = schema["default"];
  control.value = typeof given === "string" ? given : digitsOf(given) ?? "";
  // A control of one line loses what a default may have, such as line breaks: untouched, it is what it was.
  const start = control.value;
  function read() {
    if (start !== "" && control.value === start && typeof given === "string") return { raw: JSON.stringify(given) };
    return control.value !== "" ? parse(control.value) : needed ? { fault: words.needed } : {};
  }
  return frame(name, schema, needed, words, control, read);
}

function choiceField(name: string, schema: Schema, needed: boolean, words: Words, choices: [string, string][]): Field {
  const empty = element("option", { value: "" }, needed ? words.choose : words.notSet);
  const control = element("select", {}, empty, ...choices.map(([text, raw]) => element("option", { value: raw }, text)));
  const given = "default" in schema ? writeExact(schema["default"]) : "";
  control.value = choices.find(([, raw]) => same(raw, given))?.[1] ?? "";
  const read = () => (control.value !== "" ? { raw: control.value } : needed ? { fault: words.needed } : {});
  return frame(name, schema, needed, words, control, read);
}

/** same holds for equal JSON texts, and for two spellings of one number. */
function same(a: string, b: string): boolean {
  return a === b || (isNumber(a) && isNumber(b) && compare(decimal(a), decimal(b)) === 0);
}

function jsonField(name: string, schema: Schema, needed: boolean, words: Words, start = ""): Field {
  const control = element("textarea", { rows: "3", spellcheck: "false", class: "json" });
  control.value = "default" in schema && schema["default"] !== null ? writeExact(schema["default"], 2) : start;
  function read() {
    const text = control.value.trim();
    if (text === "") return needed ? { fault: words.needed } : {};
    try {
      const value: unknown = JSON.parse(text);
      if (schema["type"] === "array" && !Array.isArray(value)) return { fault: words.notList };
      if (schema["type"] === "object" && !isObject(value)) return { fault: words.notObject };
    } catch {
      return { fault: words.notJSON };
    }
    return { raw: text };
  }
  return frame(name, schema, needed, words, control, read, words.asJSON(schema["type"] === "array" ? "[…]" : "{…}"));
}

/** frame puts a control between its label and what is said about it. */
export function frame(
  name: string, schema: Schema, needed: boolean, words: Words, control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  read: Field["read"], more = "",
): Field {
  const [id, about, wrong] = [uniqueId(), uniqueId(), uniqueId()];
  control.id = id;
  const title = schema["title"];
  const label = element("label", { for: id }, element("bdi", {}, typeof title === "string" && title !== "" ? title.slice(0, 200) : name));
  const kind = [needed ? words.required : words.optional, limits(schema)].filter((part) => part !== "").join(" · ");
  const described = typeof schema["description"] === "string" ? schema["description"].slice(0, 2000) : "";
  const hint = element("p", { id: about, class: "hint" }, element("bdi", {}, [described, more].filter((part) => part !== "").join(" ")));
  const fault = element("p", { id: wrong, class: "wrong" });
  control.setAttribute("aria-describedby", `${about} ${wrong}`);
  if (needed) control.setAttribute("aria-required", "true");
  const node = element("div", { class: "field" }, element("div", { class: "label" }, label, element("span", { class: "kind" }, kind)), control, hint, fault);
  hint.hidden = hint.textContent === "";
  return {
    node,
    read,
    mark(text) {
      fault.textContent = text;
      if (text === "") control.removeAttribute("aria-invalid");
      else control.setAttribute("aria-invalid", "true");
    },
  };
}

function limits(schema: Schema): string {
  const low = digitsOf(schema["minimum"]);
  const high = digitsOf(schema["maximum"]);
  if (low !== undefined && high !== undefined) return `${low} – ${high}`;
  if (low !== undefined) return `≥ ${low}`;
  return high !== undefined ? `≤ ${high}` : "";
}

/** resolve follows local references and ignores "or null"; the outer title, description and default win. */
function resolve(schema: unknown, root: Schema, depth = 0): Schema {
  if (!isObject(schema) || depth > 8) return {};
  const { $ref: ref, anyOf, ...own } = schema;
  if (typeof ref === "string") return { ...resolve(follow(ref, root), root, depth + 1), ...own };
  const arms = Array.isArray(anyOf) ? anyOf.filter((arm) => !(isObject(arm) && arm["type"] === "null")) : [];
  if (arms.length === 1) return { ...resolve(arms[0], root, depth + 1), ...own };
  if (Array.isArray(own["type"])) {
    const types = own["type"].filter((type) => type !== "null");
    return { ...own, type: types.length === 1 ? types[0] : undefined };
  }
  return arms.length > 1 ? own : schema;
}

function follow(ref: string, root: Schema): unknown {
  if (!ref.startsWith("#/")) return undefined;
  return ref.slice(2).split("/").reduce<unknown>((at, part) => {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);
}

export function isObject(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) && digitsOf(value) === undefined;
}
