// How the tool servers are: connected or not, why not, when next, and what became of each of their tools.

import { element } from "../../../../data/view/src/element";
import type { Page } from "./parts";
import { ask, type Health } from "./server";

const between = 4000; // milliseconds

export class Servers {
  readonly node: HTMLElement;
  private readonly list = element("ul", { class: "servers" });
  private readonly trouble = element("p", { class: "wrong" });
  private readonly states = new Map<string, string>();
  private readonly open = new Set<string>();
  private drawn = "";

  constructor(private readonly page: Page) {
    this.node = element("section", {}, this.trouble, this.list);
  }

  /** watch looks again every few seconds while somebody can see it. */
  async watch(): Promise<void> {
    for (;;) {
      if (document.visibilityState === "visible") await this.look();
      await new Promise((again) => setTimeout(again, between));
    }
  }

  private async look(): Promise<void> {
    const { page } = this;
    try {
      const servers = await ask<Health[]>("/servers/health");
      this.trouble.textContent = "";
      const text = JSON.stringify(servers);
      if (text === this.drawn) return;
      this.drawn = text;
      const focused = document.activeElement?.closest("details")?.dataset["of"];
      this.list.replaceChildren(...servers.map((server) => this.draw(server)));
      if (servers.length === 0) this.list.append(element("li", {}, page.words.noServers));
      if (focused !== undefined) this.list.querySelector<HTMLElement>(`[data-of="${CSS.escape(focused)}"] summary`)?.focus();
    } catch (error) {
      this.trouble.textContent = page.explain(error);
    }
  }

  private draw(server: Health): HTMLElement {
    const { words } = this.page;
    const state = words.serverStates[server.state];
    const before = this.states.get(server.id);
    if (before !== undefined && before !== server.state) this.page.announce(`${server.id}: ${state}`);
    this.states.set(server.id, server.state);
    const facts = element("dl", { class: "server-facts" });
    const fact = (name: string, value: string | undefined): void => {
      if (value) facts.append(element("dt", {}, name), element("dd", {}, element("bdi", {}, value)));
    };
    fact(words.since, moment(server.since));
    fact(words.software, server.name);
    fact(words.protocol, server.protocol);
    fact(words.lastError, server.fault);
    fact(words.attempts, server.tries?.toString());
    fact(words.nextAttempt, server.next && moment(server.next));
    const tools = server.tools ?? [];
    const refused = server.refused ?? [];
    return element("li", {},
      element("header", {}, element("h2", {}, element("bdi", {}, server.id)), element("span", { class: `state ${server.state}` }, state)),
      facts,
      ...this.folded(`${server.id} tools`, words.toolsOffered(String(tools.length)), tools.map((tool) => [tool.name, tool.title === tool.name ? "" : tool.title, tool.note ?? ""])),
      ...this.folded(`${server.id} refused`, words.toolsRefused(String(refused.length)), refused.map((tool) => [tool.name, "", tool.reason])));
  }

  /** folded is a list that stays as open as its reader left it. */
  private folded(of: string, heading: string, items: [name: string, title: string, note: string][]): HTMLElement[] {
    if (items.length === 0) return [];
    const node = element("details", { "data-of": of }, element("summary", {}, heading), element("ul", {}, ...items.map(([name, title, note]) =>
      element("li", {}, element("code", {}, element("bdi", {}, name)), ...(title ? [" ", element("bdi", {}, title)] : []), ...(note ? [element("p", {}, element("bdi", {}, note))] : [])))));
    node.open = this.open.has(of);
    node.addEventListener("toggle", () => {
      if (node.open) this.open.add(of);
      else this.open.delete(of);
    });
    return [node];
  }
}

function moment(time: string): string {
  return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(time));
}
