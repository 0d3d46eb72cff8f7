// Elements built from a tag, attributes and children; a text child becomes a text node, so data is never read as markup.

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | undefined> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

/** button is a plain button that calls act when clicked. */
export function button(act: () => void, attributes: Record<string, string | undefined>, ...children: (Node | string)[]): HTMLButtonElement {
  const node = element("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", act);
  return node;
}

let last = 0;

/** uniqueId is an id that no other element of the page has. */
export function uniqueId(): string {
  return `n${++last}`;
}
