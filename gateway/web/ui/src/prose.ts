// A model's prose, built node by node from the tree that the server made of its Markdown.

import { element } from "../../../../data/view/src/element";

export type Prose = string | [string, Record<string, string>, ...Prose[]];

// Headings are one or more levels lower, because the page has its own above them.
const tags: Record<string, keyof HTMLElementTagNameMap> = {
  p: "p", br: "br", hr: "hr", h1: "h3", h2: "h3", h3: "h4", h4: "h5", h5: "h6", h6: "h6", em: "em", strong: "strong", del: "del", code: "code",
  mark: "mark", bdi: "bdi", pre: "pre", blockquote: "blockquote", ul: "ul", ol: "ol", li: "li", table: "table", thead: "thead", tbody: "tbody", tr: "tr", th: "th", td: "td",
};

/** buildProse makes nodes; what is no listed element becomes its children. */
export function buildProse(list: readonly Prose[]): Node[] {
  return list.flatMap((item) => {
    if (typeof item === "string") return [document.createTextNode(item)];
    const [name, attributes, ...children] = item;
    const inside = buildProse(children);
    if (name === "a") return [link(attributes["href"] ?? "", inside)];
    const tag = Object.hasOwn(tags, name) ? tags[name] : undefined;
    if (tag === undefined) return inside;
    const node = element(tag, name === "ol" && attributes["start"] ? { start: attributes["start"] } : {}, ...inside);
    if (name === "table") alignNumbers(node as HTMLTableElement);
    return name === "table" || name === "pre" ? [element("div", { class: "scroll", tabindex: "0" }, node)] : [node];
  });
}

/** alignNumbers sets the columns that hold nothing but figures to the right, as in the tables of tools. */
function alignNumbers(table: HTMLTableElement): void {
  const rows = [...table.rows];
  for (let c = 0; c < (rows[0]?.cells.length ?? 0); c++) {
    const column = rows.slice(1).map((row) => row.cells[c]?.textContent.trim() ?? "");
    if (!column.some((text) => /\d/.test(text)) || !column.every((text) => /^[-+\u2212]?[\d.,\s\u2019]*\s?[%\u20ac$\u00a3]?$/.test(text))) continue;
    for (const row of rows) row.cells[c]?.classList.add("number");
  }
}

function link(href: string, inside: Node[]): HTMLElement {
  if (!/^https?:\/\//i.test(href)) return element("span", {}, ...inside);
  return element("a", { href, target: "_blank", rel: "noopener noreferrer", title: href }, ...inside);
}
