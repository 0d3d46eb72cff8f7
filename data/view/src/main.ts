// The page: what the host sends goes to the answer, what the reader does goes to the host.

import "./style.css";
import { Answer, type Tools } from "./answer";
import { Breach } from "./breach";
import { saveByLink } from "./download";
import { Host, isObject, type Context } from "./host";
import { readResult } from "./result";
import { watchSize } from "./size";
import { shorten } from "./summary";
import { textsFor } from "./texts";
import { applyTheme, currentLook, whenPreferenceChanges } from "./theme";

const answer = new Answer(document.getElementById("answer")!);
const status = document.getElementById("status")!;

let context: Context = {};
let texts = textsFor(navigator.language);
let show = () => answer.showLoading(texts);

const host = new Host({
  context: follow,
  result: (params) => draw(() => showResult(params)),
  cancelled: (reason) => draw(() => say(() => answer.showMessage(texts.cancelled, typeof reason === "string" ? shorten(reason, 300) : ""))),
  teardown: () => draw(() => answer.clear()),
});

function draw(how: () => void): void {
  show = how;
  show();
}

// A language change draws anew; a theme change only recolours, so that sorting and focus stay.
function follow(changed: Context): void {
  context = changed;
  applyTheme(context);
  const tag = context["locale"];
  const wanted = textsFor(typeof tag === "string" ? tag : navigator.language);
  document.documentElement.lang = wanted.language;
  if (wanted.language !== texts.language) {
    texts = wanted;
    show();
  } else {
    answer.redraw(currentLook());
  }
}

function showResult(params: Record<string, unknown>): void {
  if (params["isError"] === true) return say(() => answer.showToolError(texts, textOf(params["content"])));
  if (params["structuredContent"] === undefined) return say(() => answer.showMessage(texts.nothingSent));
  const tools: Tools = {
    texts,
    look: currentLook,
    save: (file) => (host.canSave() ? host.save(file) : saveByLink(file)),
    open: (url) => host.openLink(url),
    announce,
  };
  try {
    answer.showResult(readResult(params["structuredContent"]), tools);
  } catch (error) {
    const breach = error instanceof Breach ? error : new Breach("structuredContent", "could not be drawn");
    say(() => answer.showBreach(texts, breach));
  }
}

// A message that is shown instead of data is announced to screen readers as well.
function say(drawn: () => void): void {
  drawn();
  announce(document.getElementById("answer")!.innerText);
}

function announce(text: string): void {
  status.textContent = shorten(text, 500);
}

// The tool's own words, bounded; they are for people, and a failed call has no data to contradict them.
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return "";
  const words = content.slice(0, 20).flatMap((block) => (isObject(block) && block["type"] === "text" && typeof block["text"] === "string" ? [block["text"].slice(0, 4001)] : []));
  return shorten(words.join("\n"), 4000);
}

follow(context);
whenPreferenceChanges(() => follow(context));
if (window.parent === window) {
  draw(() => answer.showMessage(texts.alone));
} else {
  show();
  watchSize((width, height) => host.reportSize(width, height));
  void host.connect();
}
