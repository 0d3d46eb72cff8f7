// The sources under an answer. Each shows the host name its link really leads to; a click asks the caller to open it.

import { element, uniqueId } from "./element";
import type { Source } from "./result";
import type { Texts } from "./texts";

/** An Open has a URL opened and reports whether it was. */
export type Open = (url: string) => Promise<boolean>;

/** drawSources lists the sources. The links never navigate by themselves; one that was not opened is shown in full. */
export function drawSources(sources: readonly Source[], texts: Texts, open: Open, announce: (text: string) => void): HTMLElement {
  const id = uniqueId();
  const outcome = element("p", { class: "quiet" });
  async function follow(url: string): Promise<void> {
    const opened = await open(url).catch(() => false);
    outcome.textContent = opened ? "" : texts.notOpened(url);
    announce(outcome.textContent);
  }
  const list = element("ul", {}, ...sources.map((source) => drawSource(source, texts, (url) => void follow(url))));
  return element("section", { class: "sources", "aria-labelledby": id }, element("h2", { id }, texts.sources), list, outcome);
}

function drawSource(source: Source, texts: Texts, follow: (url: string) => void): HTMLElement {
  const title = source.title?.trim() ? source.title : undefined;
  const place = webPlace(source.url);
  const name = element("bdi", {}, title ?? source.url);
  const link = place ? element("a", { href: source.url, rel: "noopener noreferrer", title: source.url }, name) : name;
  for (const press of place ? (["click", "auxclick"] as const) : []) {
    link.addEventListener(press, (event: MouseEvent) => {
      event.preventDefault();
      if (event.button < 2) follow(source.url);
    });
  }
  // Letters of other alphabets may look like those of a known host: then the host's ASCII form is shown beside them.
  const facts = [
    title === undefined && (!place || source.url.includes(place.host)) ? undefined : place?.host ?? source.url,
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

/** webPlace is where a link may lead: the web, and without credentials that would pass for a host. */
function webPlace(url: string): URL | undefined {
  const place = URL.canParse(url) ? new URL(url) : undefined;
  return place && /^https?:$/.test(place.protocol) && place.username === "" && place.password === "" ? place : undefined;
}
