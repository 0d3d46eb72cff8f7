// The table as a file: exact, and safe for spreadsheets. Where a frame may not save files, the text is offered to copy.

import type { Rows } from "./cell";
import { exactCSV, spreadsheetCSV } from "./csv";
import { button, element, uniqueId } from "./element";
import type { Texts } from "./texts";

export interface TextFile {
  name: string;
  type: string;
  text: string;
}

/** A Save tries to store a file; it answers false when it cannot know or knows that it failed. */
export type Save = (file: TextFile) => Promise<boolean>;

/** drawDownloads gives the two buttons and what is said after them. */
export function drawDownloads(rows: Rows, texts: Texts, save: Save, announce: (text: string) => void): HTMLElement {
  const hint = uniqueId();
  const outcome = element("div", { class: "outcome" });

  async function offer(name: string, text: string, note: string): Promise<void> {
    const saved = await save({ name, type: "text/csv", text }).catch(() => false);
    const said = [saved ? texts.saved(name) : texts.notSaved, note].filter((part) => part !== "").join(" ");
    outcome.replaceChildren(element("p", {}, said));
    announce(said);
    if (saved) return;
    const area = element("textarea", { readonly: "", rows: "6", "aria-label": texts.fileText, spellcheck: "false" });
    area.value = text;
    outcome.append(area);
  }

  const exact = button(() => void offer("table.csv", exactCSV(rows), ""), {}, texts.exactFile);
  const safe = button(() => {
    const { text, guarded } = spreadsheetCSV(rows);
    void offer("table-spreadsheet.csv", text, guarded > 0 ? texts.guarded(guarded) : "");
  }, { "aria-describedby": hint, title: texts.spreadsheetHint }, texts.spreadsheetFile);
  return element("div", { class: "downloads" }, exact, safe, element("span", { id: hint, class: "unseen" }, texts.spreadsheetHint), outcome);
}

/** saveByLink saves through the browser, which may block it without a word: the answer is never true. */
export const saveByLink: Save = (file) => {
  const url = URL.createObjectURL(new Blob([file.text], { type: `${file.type};charset=utf-8` }));
  const link = element("a", { href: url, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return Promise.resolve(false);
};
