// Choosing a tool from a list and filling its form.

import { button, element, uniqueId } from "../../../../data/view/src/element";
import { drawForm } from "./form";
import type { Page } from "./parts";
import { ask, Refusal, type Run, type Tool } from "./server";

export class ToolPicker {
  readonly node = element("section", { class: "picker" });
  private tools: Tool[] = [];

  /** start runs a tool: arguments are JSON text. */
  constructor(private readonly page: Page, private readonly start: (tool: string, args: string) => Promise<Run>) {}

  async load(): Promise<void> {
    try {
      this.tools = await ask<Tool[]>("/tools");
      this.showList();
    } catch (error) {
      this.node.replaceChildren(element("p", { class: "wrong", role: "alert" }, this.page.explain(error)));
    }
  }

  showList(): void {
    const { words } = this.page;
    const heading = uniqueId();
    const list = element("div");
    const draw = (query: string) => {
      const wanted = query.trim().toLowerCase();
      const found = this.tools.filter((t) => `${t.title} ${t.name} ${t.description ?? ""}`.toLowerCase().includes(wanted));
      const servers = [...new Set(found.map((t) => t.server))];
      list.replaceChildren(...servers.flatMap((server) => [
        element("h3", { class: "server" }, element("bdi", {}, server)),
        element("ul", { class: "tools" }, ...found.filter((t) => t.server === server).map((t) => this.drawChoice(t))),
      ]));
      if (this.tools.length === 0) list.append(element("p", { class: "quiet" }, words.noTools), element("p", { class: "where" }, element("a", { class: "button", href: "/servers" }, words.servers)));
      else if (found.length === 0) list.append(element("p", { class: "quiet" }, words.noToolMatches));
    };
    this.node.setAttribute("aria-labelledby", heading);
    this.node.replaceChildren(element("h2", { id: heading, tabindex: "-1" }, words.chooseTool));
    if (this.tools.length > 8) {
      const search = element("input", { type: "search", placeholder: words.filterTools, "aria-label": words.filterTools, autocomplete: "off" });
      search.addEventListener("input", () => draw(search.value));
      this.node.append(search);
    }
    this.node.append(list);
    draw("");
  }

  private drawChoice(tool: Tool): HTMLElement {
    const { words } = this.page;
    const tags = [tool.data ? words.givesSources : words.noSource, tool.hints.read_only ? "" : tool.hints.destructive ? words.destroys : words.changes].filter((t) => t !== "");
    const first = (tool.description ?? "").split(/\n\s*\n/)[0]!.slice(0, 300);
    return element("li", {}, button(() => this.showForm(tool), { class: "tool", "data-tool": tool.name },
      element("strong", {}, element("bdi", {}, tool.title)),
      element("span", { class: "told" }, element("bdi", {}, first)),
      element("span", { class: "tags" }, ...tags.map((tag, i) => element("span", { class: i === 0 && !tool.data ? "tag warn" : "tag" }, tag)))));
  }

  private showForm(tool: Tool): void {
    const { words } = this.page;
    const heading = element("h2", { id: uniqueId(), tabindex: "-1" }, element("bdi", {}, tool.title));
    const form = drawForm(tool.input ?? "{}", words);
    const trouble = element("div", { class: "wrong", role: "alert" });
    const go = element("button", { type: "submit", class: "button primary" }, words.run);
    const node = element("form", { novalidate: "" }, form.node, trouble, element("div", { class: "actions" }, go));
    node.addEventListener("submit", (event) => {
      event.preventDefault();
      const args = form.read();
      if (args === undefined) return;
      go.disabled = true;
      trouble.replaceChildren();
      this.start(tool.name, args).then(
        () => { go.disabled = false; },
        (error: unknown) => {
          go.disabled = false;
          const said = error instanceof Refusal && error.code === "arguments" ? error.message : this.page.explain(error);
          trouble.replaceChildren(element("p", {}, element("bdi", {}, said)));
        });
    });
    this.node.setAttribute("aria-labelledby", heading.id);
    this.node.replaceChildren(button(() => this.back(tool), { class: "back" }, `← ${words.anotherTool}`), heading, element("code", { class: "name" }, tool.name));
    if (tool.description) this.node.append(element("p", { class: "told" }, element("bdi", {}, tool.description)));
    if (tool.note) this.node.append(element("p", { class: "note" }, element("bdi", {}, tool.note)));
    this.node.append(node);
    heading.focus();
  }

  private back(tool: Tool): void {
    this.showList();
    [...this.node.querySelectorAll<HTMLElement>(".tool")].find((choice) => choice.dataset["tool"] === tool.name)?.focus();
  }
}
