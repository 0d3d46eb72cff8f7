// What every part of the page is given: the words, where to say something quietly, and how charts follow the colours.

import type { Look } from "../../../../data/view/src/configuration";
import type { Figure } from "../../../../data/view/src/chart";
import { textsFor, type Texts } from "../../../../data/view/src/texts";
import { whenPrinted } from "../../../../data/view/src/paper";
import { applyTheme, currentLook, whenPreferenceChanges } from "../../../../data/view/src/theme";
import { Refusal, type FileRecord } from "./server";
import { wordsFor, type Words } from "./words";

export type Theme = "auto" | "light" | "dark";

export class Page {
  readonly texts: Texts;
  readonly words: Words;
  readonly model = document.body.dataset["model"] ?? "";
  readonly scripted = "scripted" in document.body.dataset;
  /** What the operator offers to ask first. */
  readonly questions = (document.body.dataset["questions"] ?? "").split("\n").filter((question) => question !== "");
  readonly sharing = "share" in document.body.dataset;
  /** What the page shows when it is a file of its own. */
  readonly record = readRecord();
  private readonly figures = new Set<Figure>();
  private readonly papers: (() => Promise<void>)[] = [];

  constructor(private readonly status: HTMLElement) {
    this.texts = textsFor(document.documentElement.lang);
    this.words = wordsFor(document.documentElement.lang);
    this.follow();
    whenPreferenceChanges(() => this.follow());
    whenPrinted(document.body, () => this.follow("light"), () => this.follow());
  }

  /** beforePaper has something done before the page's own button prints. The browser's own command does not wait for it. */
  beforePaper(fetch: () => Promise<void>): void {
    this.papers.push(fetch);
  }

  /** print fetches what is not in the page yet, one after the other, and prints. */
  async print(): Promise<void> {
    for (const fetch of this.papers) await fetch().catch(() => undefined); // then the paper says what is missing
    window.print();
  }

  /** moment is a day and a time in the reader's language and zone. */
  moment(time: string): string {
    return new Date(time).toLocaleString(document.documentElement.lang, { dateStyle: "long", timeStyle: "short" });
  }

  /** announce says something in the page's one status region. */
  announce = (text: string): void => {
    this.status.textContent = text.slice(0, 500);
  };

  /** draw draws a figure that is in the page, and again whenever the colours change. */
  draw(figure: Figure): void {
    this.figures.add(figure);
    figure.draw(currentLook());
  }

  theme(): Theme {
    const chosen = cookie("theme");
    return chosen === "light" || chosen === "dark" ? chosen : "auto";
  }

  setTheme(theme: Theme): void {
    setCookie("theme", theme);
    this.follow();
  }

  setLanguage(language: string): void {
    setCookie("language", language);
    location.reload();
  }

  /** explain is a sentence for what went wrong. */
  explain(error: unknown): string {
    if (!(error instanceof Refusal)) return this.words.faults["internal"]!;
    if (error.code === "unreachable") return this.words.unreachable;
    return (Object.hasOwn(this.words.faults, error.code) ? this.words.faults[error.code] : undefined) ?? error.message;
  }

  private follow(theme = this.theme()): void {
    applyTheme({ theme });
    const look: Look = currentLook();
    for (const figure of this.figures) figure.draw(look);
  }
}

/** readRecord reads what a file holds: its title, and each run in an element of its own. */
function readRecord(): FileRecord | undefined {
  const [head, ...runs] = [...document.querySelectorAll('script[type="application/json"]')].map((node) => JSON.parse(node.textContent) as unknown);
  return head ? ({ ...head, runs } as FileRecord) : undefined;
}

function cookie(name: string): string | undefined {
  return document.cookie.split("; ").find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
}

function setCookie(name: string, value: string): void {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
}
