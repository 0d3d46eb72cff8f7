// The list of conversations: searched, and linked by their own addresses.

import { button, element } from "../../../../data/view/src/element";
import type { Page } from "./parts";
import { ask, type Conversation } from "./server";

export class History {
  readonly node: HTMLElement;
  private readonly list = element("ul");
  private readonly search: HTMLInputElement;
  private latest = 0;

  constructor(private readonly page: Page, private readonly current: () => string) {
    const { words } = page;
    this.search = element("input", { type: "search", placeholder: words.search, "aria-label": words.search, autocomplete: "off" });
    let due = 0;
    this.search.addEventListener("input", () => {
      clearTimeout(due);
      due = window.setTimeout(() => void this.load(), 200);
    });
    this.node = element("nav", { class: "history", "aria-label": words.conversations }, this.search, this.list);
  }

  /** load lists from the start, or continues after the entries listed so far. */
  async load(offset = 0): Promise<void> {
    const mine = ++this.latest;
    const { words } = this.page;
    const query = this.search.value.trim();
    try {
      const { conversations, more } = await ask<{ conversations: Conversation[]; more?: boolean }>(`/conversations?${new URLSearchParams({ q: query, offset: String(offset) })}`);
      if (mine !== this.latest) return;
      if (offset === 0) this.list.replaceChildren();
      this.list.querySelector(".older")?.remove();
      this.list.append(...conversations.map((c) => {
        const here = c.id === this.current();
        return element("li", {}, element("a", { href: `/c/${encodeURIComponent(c.id)}`, "aria-current": here ? "page" : undefined }, element("bdi", {}, c.title || words.untitled)));
      }));
      if (more) this.list.append(element("li", { class: "older" }, button(() => void this.load(offset + conversations.length), { class: "plain" }, words.older)));
      if (offset === 0 && conversations.length === 0) this.list.append(element("li", { class: "quiet" }, query === "" ? words.noConversations : words.nothingFound));
    } catch (error) {
      if (mine === this.latest) this.list.replaceChildren(element("li", { class: "quiet" }, this.page.explain(error)));
    }
  }
}
