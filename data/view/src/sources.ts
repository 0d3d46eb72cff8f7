// The sources under an answer. Each shows the host name its link really leads to; a press asks the caller to open it.

import { element, uniqueId } from "./element";
import type { Source } from "./result";
import type { Texts } from "./texts";

/** drawSources lists the sources; the links never navigate by themselves. */
export function drawSources(sources: readonly Source[], texts: Texts, open: (url: string) => void): HTMLElement {
  const id = uniqueId();
  return element(
    "section",
    { class: "sources", "aria-labelledby": id },
    element("h2", { id }, texts.sources),
    element("ul", {}, ...sources.map((source) => drawSource(source, texts, open))),
  );
}

function drawSource(source: Source, texts: Texts, open: (url: string) => void): HTMLElement {
  const title = source.title?.trim() ? source.title : undefined;
  const link = element("a", { href: source.url, rel: "noopener noreferrer", title: source.url }, element("bdi", {}, title ?? source.url));
  for (const press of ["click", "auxclick"] as const) {
    link.addEventListener(press, (event) => {
      event.preventDefault();
      if (event.button < 2) open(source.url);
    });
  }
  const facts = [
    title === undefined ? undefined : new URL(source.url).host,
    source.publisher,
    source.period,
    source.license,
    source.retrieved_at?.trim() ? texts.retrieved(source.retrieved_at) : undefined,
  ].filter((fact) => fact?.trim());
  const item = element("li", {}, link);
  if (facts.length > 0) {
    item.append(element("span", { class: "facts" }, ...facts.flatMap((fact, i) => [i === 0 ? " " : " · ", element("bdi", {}, fact!)])));
  }
  return item;
}
