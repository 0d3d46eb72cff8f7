// What a server asks the user in the middle of a call: a form, or a page to visit. The answer goes to that server and
// nowhere else. A number travels as the digits that were typed.

import { isNumber } from "../../../../data/view/src/decimal";
import { button, element, uniqueId } from "../../../../data/view/src/element";
import { frame, readFields, type Field } from "./form";
import type { Page } from "./parts";
import { ask } from "./server";
import type { Words } from "./words";

export interface Question {
  id: string;
  call: string;
  server: string;
  message: string;
  fields?: QuestionField[];
  url?: string;
  state: "asked" | "accepted" | "declined" | "cancelled" | "expired";
}

interface QuestionField {
  name: string;
  title?: string;
  description?: string;
  kind: "text" | "number" | "integer" | "boolean" | "one_of" | "several_of";
  format?: string;
  required?: boolean;
  min?: string;
  max?: string;
  choices?: { value: string; title?: string }[];
  default?: string[];
}

export class Questions {
  private readonly cards = new Map<string, HTMLElement>();
  private readonly open = new Map<string, Question>();

  constructor(private readonly page: Page, private readonly run: string, private readonly flow: HTMLElement) {}

  /** follow shows a question, and what became of it. */
  follow(question: Question, live: boolean): void {
    if (question.state === "asked" && live) {
      this.open.set(question.id, question);
      const card = this.draw(question);
      this.place(question.id, card);
      this.page.announce(this.page.words.asksYou(question.server));
      if (document.activeElement === document.body || document.activeElement?.classList.contains("run")) card.focus({ preventScroll: false });
      return;
    }
    this.open.delete(question.id);
    const { words } = this.page;
    const became = question.state === "asked" ? words.became.expired : words.became[question.state];
    this.place(question.id, element("p", { class: "quiet asked" }, element("bdi", {}, `${words.asked(question.server)} ${question.message}`), ` · ${became}`));
  }

  /** close marks all open questions as expired: no call waits for their answers any more. */
  close(): void {
    for (const question of [...this.open.values()]) this.follow({ ...question, state: "expired" }, false);
  }

  private place(id: string, node: HTMLElement): void {
    const old = this.cards.get(id);
    this.cards.set(id, node);
    if (!old) this.flow.append(node);
    else {
      const held = old.contains(document.activeElement);
      old.replaceWith(node);
      if (held) node.closest<HTMLElement>(".run")?.focus({ preventScroll: true });
    }
  }

  private draw(question: Question): HTMLElement {
    const { words } = this.page;
    const heading = uniqueId();
    const fields = (question.fields ?? []).map((f) => [f.name, drawField(f, words)] as const);
    const trouble = element("p", { class: "wrong", role: "alert" });
    const buttons: HTMLButtonElement[] = [];
    const send = async (action: string) => {
      const content = action === "accept" ? readFields(fields) : "{}";
      if (content === undefined) return;
      trouble.textContent = "";
      for (const b of buttons) b.disabled = true;
      try {
        await ask(`/runs/${this.run}/questions/${encodeURIComponent(question.id)}`, "POST", `{"action":"${action}","content":${content}}`);
      } catch (error) {
        trouble.textContent = this.page.explain(error);
        for (const b of buttons) b.disabled = false;
      }
    };
    const accept = element("button", { type: "submit", class: "button primary" }, question.url ? words.visited : fields.length > 0 ? words.send : words.accept);
    buttons.push(button(() => void send("cancel"), { class: "plain" }, words.notNow), button(() => void send("decline"), { class: "button" }, words.decline), accept);
    const form = element("form", { novalidate: "" },
      ...(question.url ? [drawVisit(question.url, words)] : [element("div", { class: "fields" }, ...fields.map(([, field]) => field.node))]),
      trouble, element("p", { class: "quiet" }, element("bdi", {}, words.answerGoes(question.server))), element("div", { class: "actions" }, ...buttons));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void send("accept");
    });
    return element("section", { class: "asks", tabindex: "-1", "aria-labelledby": heading },
      element("h3", { id: heading }, element("bdi", {}, words.asksYou(question.server))), element("p", { class: "told" }, element("bdi", {}, question.message)), form);
  }
}

/** drawVisit shows where a link leads, whole, and leaves going there to the user. */
function drawVisit(url: string, words: Words): HTMLElement {
  const at = URL.canParse(url) ? new URL(url) : undefined;
  if (!at || !/^https?:$/.test(at.protocol)) return element("p", {}, element("bdi", {}, url));
  const id = uniqueId();
  return element("div", { class: "visit" },
    element("p", {}, words.leadsTo, " ", element("strong", { dir: "ltr" }, at.host)),
    element("p", { id, class: "address", dir: "ltr" }, at.href),
    element("a", { class: "button", href: at.href, target: "_blank", rel: "noopener noreferrer", "aria-describedby": id }, words.visit));
}

function drawField(f: QuestionField, words: Words): Field {
  switch (f.kind) {
    case "several_of":
      return severalField(f, words);
    case "boolean":
      return choiceField(f, words, [["true", words.yes], ["false", words.no]], (value) => value);
    case "one_of":
      return choiceField(f, words, (f.choices ?? []).map((c) => [c.value, c.title || c.value]), (value) => JSON.stringify(value));
    case "integer":
    case "number":
      return textField(f, words, { inputmode: "decimal" }, between(f), (text) => {
        const plain = text.trim();
        if (!isNumber(plain)) return { fault: words.notNumber };
        return f.kind === "integer" && !/^-?\d+$/.test(plain) ? { fault: words.notInteger } : { raw: plain };
      });
    default: {
      const length = between(f);
      const hints = [f.format === "date-time" ? words.asDateTime : "", length === "" ? "" : words.characters(length)];
      const type = { date: "date", email: "email", uri: "url" }[f.format ?? ""] ?? "text";
      return textField(f, words, { type, ...(f.max && { maxlength: f.max }) }, hints.filter((part) => part !== "").join(" "), (text) => ({ raw: JSON.stringify(text) }));
    }
  }
}

function textField(f: QuestionField, words: Words, attributes: Record<string, string>, hint: string, parse: (text: string) => { raw?: string; fault?: string }): Field {
  const control = element("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
  control.value = f.default?.[0] ?? "";
  const read = () => (control.value !== "" ? parse(control.value) : f.required ? { fault: words.needed } : {});
  return frame(f.name, { title: f.title, description: f.description }, f.required ?? false, words, control, read, hint);
}

function choiceField(f: QuestionField, words: Words, choices: [string, string][], raw: (value: string) => string): Field {
  // An option's value is its position, because the real value may be the empty text.
  const control = element("select", {}, element("option", { value: "" }, f.required ? words.choose : words.notSet), ...choices.map(([, text], i) => element("option", { value: `c${i}` }, text)));
  const given = choices.findIndex(([value]) => value === f.default?.[0]);
  if (given >= 0) control.value = `c${given}`;
  const read = () => {
    const chosen = choices[control.selectedIndex - 1];
    return chosen ? { raw: raw(chosen[0]) } : f.required ? { fault: words.needed } : {};
  };
  return frame(f.name, { title: f.title, description: f.description }, f.required ?? false, words, control, read);
}

function severalField(f: QuestionField, words: Words): Field {
  const [about, wrong] = [uniqueId(), uniqueId()];
  const boxes = (f.choices ?? []).map(({ value, title }) => {
    const box = element("input", { type: "checkbox" });
    box.checked = f.default?.includes(value) ?? false;
    return { value, box, node: element("label", {}, box, " ", element("bdi", {}, title || value)) };
  });
  const limits = between(f);
  const fault = element("p", { id: wrong, class: "wrong" });
  const hint = element("p", { id: about, class: "hint" }, element("bdi", {}, [f.description ?? "", limits === "" ? "" : words.choices(limits)].filter((part) => part !== "").join(" ")));
  hint.hidden = hint.textContent === "";
  const node = element("fieldset", { class: "field several", "aria-describedby": `${about} ${wrong}` },
    element("legend", {}, element("bdi", {}, f.title || f.name), " ", element("span", { class: "kind" }, f.required ? words.required : words.optional)), ...boxes.map((b) => b.node), hint, fault);
  return {
    node,
    read() {
      const chosen = boxes.filter((b) => b.box.checked).map((b) => JSON.stringify(b.value));
      return chosen.length > 0 || f.required ? { raw: `[${chosen.join(",")}]` } : {};
    },
    mark(text) { fault.textContent = text; },
  };
}

function between({ min, max }: QuestionField): string {
  if (min && max) return min === max ? min : `${min} – ${max}`;
  return min ? `≥ ${min}` : max ? `≤ ${max}` : "";
}
