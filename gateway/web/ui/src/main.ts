// The page: conversations at the side, one conversation in the middle, and below it what can be asked next.

import "./style.css";
import { button, element, uniqueId } from "../../../../data/view/src/element";
import { whenPrinted } from "../../../../data/view/src/paper";
import { History } from "./history";
import { Page, type Theme } from "./parts";
import { RunView } from "./run";
import { ask, Refusal, type Answers, type Conversation, type Run } from "./server";
import { Servers } from "./servers";
import { ToolPicker } from "./tools";

const status = element("p", { id: "status", role: "status", class: "unseen" });
const page = new Page(status);
const { words } = page;
const runs = new Map<string, RunView>();
const tabs = page.record ? undefined : new BroadcastChannel("diptych");
// What is shown below the conversation: the question's box, the tools, or a button that leads to them.
let mode: "ask" | "tools" | "closed" = page.model !== "" ? "ask" : document.body.dataset["conversation"] ? "closed" : "tools";
let conversation = document.body.dataset["conversation"] ?? "";

const title = element("h1");
const titleTools = element("div", { class: "title-tools" });
const welcome = element("section", { class: "welcome" });
const transcript = element("div", { class: "transcript" });
const composer = element("section", { class: "composer" });
const side = element("aside", { id: "side" });
const menu = button(() => openMenu(!side.classList.contains("open")), { class: "menu", "aria-controls": "side", "aria-expanded": "false", "aria-label": words.menu }, "☰");
const main = element("main", { id: "main", tabindex: "-1" }, element("header", { class: "bar" }, menu, title, titleTools, drawImprint()), welcome, transcript, composer);
const history = new History(page, () => conversation);
const picker = new ToolPicker(page, (tool, args) => start(`"tool":${JSON.stringify(tool)},"arguments":${args}`));

function openMenu(open: boolean): void {
  side.classList.toggle("open", open);
  main.inert = open;
  menu.setAttribute("aria-expanded", String(open));
  if (open) side.querySelector<HTMLElement>("a, input")?.focus();
  else menu.focus();
}

side.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && side.classList.contains("open")) openMenu(false);
});

document.addEventListener("click", (event) => {
  if (side.classList.contains("open") && !side.contains(event.target as Node) && !menu.contains(event.target as Node)) openMenu(false);
});

/** drawImprint says on paper of what day it is, and who wrote it. */
function drawImprint(): HTMLElement {
  const imprint = element("p", { class: "paper quiet" });
  whenPrinted(document.body, () => {
    const model = page.model === "" ? [] : [words.modelIs(page.model)];
    imprint.textContent = [words.printed(page.moment(new Date().toISOString())), ...model].join(" · ");
  }, () => undefined);
  return imprint;
}

function drawSide(): void {
  const brand = element("a", { class: "brand", href: "/" }, element("span", { class: "mark-two", "aria-hidden": "true" }), "Diptych");
  const close = button(() => openMenu(false), { class: "menu close", "aria-label": words.close }, "×");
  side.append(element("div", { class: "brand-row" }, brand, close), element("a", { class: "button new", href: "/" }, words.newConversation), history.node,
    element("a", { class: "plain to-servers", href: "/servers", ...(location.pathname === "/servers" && { "aria-current": "page" }) }, words.servers), settings());
}

function settings(): HTMLElement {
  const [languageId, themeId] = [uniqueId(), uniqueId()];
  const language = element("select", { id: languageId }, ...[["en", "English"], ["pt", "Português"], ["es", "Español"]].map(([tag, name]) => element("option", { value: tag, lang: tag }, name!)));
  language.value = document.documentElement.lang;
  language.addEventListener("change", () => page.setLanguage(language.value));
  const theme = element("select", { id: themeId }, ...(["auto", "light", "dark"] as const).map((name) => element("option", { value: name }, words.themes[name])));
  theme.value = page.theme();
  theme.addEventListener("change", () => page.setTheme(theme.value as Theme));
  return element("div", { class: "settings" }, element("label", { for: languageId }, words.language), language, element("label", { for: themeId }, words.theme), theme);
}

function drawWelcome(): void {
  welcome.hidden = conversation !== "" || (page.model !== "" && mode === "tools");
  const lead = page.model === "" ? words.chooseWhy : words.askWhy;
  welcome.replaceChildren(element("p", { class: "lead" }, lead));
  if (!page.scripted) { // else it is said where one asks
    welcome.append(element("p", { class: "quiet" }, element("bdi", {}, page.model === "" ? words.noModel : words.modelIs(page.model))));
  }
  if (page.model !== "" && page.questions.length > 0) welcome.append(drawQuestions());
}

function drawQuestions(): HTMLElement {
  const trouble = element("p", { class: "wrong", role: "alert" });
  const choices = page.questions.map((question) => {
    const choice = button(() => {
      choice.disabled = true;
      start(`"text":${JSON.stringify(question)}`).catch((error: unknown) => {
        choice.disabled = false;
        trouble.textContent = page.explain(error);
      });
    }, { class: "button" }, question);
    return element("li", {}, choice);
  });
  const id = uniqueId();
  return element("div", { class: "questions" }, element("p", { class: "quiet", id }, words.forExample), element("ul", { "aria-labelledby": id }, ...choices), trouble);
}

function drawTitle(c?: Conversation): void {
  const name = c === undefined ? words.newConversation : c.title || words.untitled;
  title.replaceChildren(element("bdi", {}, name));
  document.title = c === undefined ? "Diptych" : `${name} · Diptych`;
  const held = [...titleTools.children].findIndex((tool) => tool === document.activeElement);
  titleTools.replaceChildren();
  if (c === undefined) return;
  titleTools.append(
    button(() => void page.print(), { class: "plain print" }, words.print),
    element("a", { class: "plain", href: `/conversations/${encodeURIComponent(c.id)}/export`, download: "conversation.html" }, words.download),
    ...(page.sharing ? [button(() => share(c), { class: "plain share" }, words.share)] : []),
    button(() => rename(c), { class: "plain rename" }, words.rename),
    button(() => remove(c), { class: "plain remove" }, words.remove),
  );
  if (held >= 0) (titleTools.children[held] as HTMLElement | undefined)?.focus();
}

function rename(c: Conversation): void {
  const id = uniqueId();
  const input = element("input", { id, type: "text", maxlength: "200", autocomplete: "off" });
  input.value = c.title;
  input.addEventListener("focus", () => input.select());
  const fields = element("div", { class: "field" }, element("label", { for: id }, words.title), input);
  dialog(words.rename, fields, words.save, async () => {
    await ask(`/conversations/${c.id}/title`, "POST", JSON.stringify({ title: input.value }));
    await refresh();
    void history.load();
  });
}

function share(c: Conversation): void {
  const id = uniqueId();
  const set = (to: boolean) => async () => {
    const changed = await ask<Conversation>(`/conversations/${c.id}/share`, "POST", JSON.stringify({ share: to }));
    await refresh();
    if (to) share(changed);
  };
  if (c.share === undefined) return dialog(words.share, element("p", {}, words.shareWhy), words.shareStart, set(true));
  const link = element("input", { id, type: "text", readonly: "", class: "link" });
  link.value = new URL(c.share, location.href).href;
  const open = element("a", { href: c.share, target: "_blank" }, words.shareOpen);
  const copy = button(() => {
    link.select();
    navigator.clipboard.writeText(link.value).then(() => {
      copy.textContent = words.copied;
      page.announce(words.copied);
    }, () => undefined); // it is selected: a key copies it
  }, { class: "button primary", autofocus: "" }, words.copy);
  const field = element("div", { class: "field" }, element("label", { for: id }, words.shareLink), element("div", { class: "copy" }, link, copy), element("p", { class: "hint" }, open));
  dialog(words.share, field, words.shareEnd, set(false), words.close, "quietly");
}

function remove(c: Conversation): void {
  dialog(words.remove, element("p", {}, words.removeSure), words.remove, async () => {
    await ask(`/conversations/${c.id}`, "DELETE");
    location.assign("/");
  }, words.cancel, "danger");
}

function dialog(heading: string, body: HTMLElement, yes: string, act: () => Promise<void>, no = words.cancel, weight = "primary"): void {
  const id = uniqueId();
  const trouble = element("p", { class: "wrong", role: "alert" });
  const go = element("button", { type: "submit", class: `button ${weight}` }, yes);
  const form = element("form", {}, element("h2", { id }, heading), body, trouble,
    element("div", { class: "actions" }, button(() => node.close(), { class: "button" }, no), go));
  const node = element("dialog", { "aria-labelledby": id }, form);
  // The button that led here may have been drawn anew meanwhile.
  const place = [...titleTools.children].findIndex((tool) => tool === document.activeElement);
  node.addEventListener("close", () => {
    node.remove();
    if (document.activeElement === document.body && place >= 0) (titleTools.children[place] as HTMLElement | undefined)?.focus();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act().then(() => node.close(), (error: unknown) => { trouble.textContent = page.explain(error); });
  });
  document.body.append(node);
  node.showModal();
}

/** start begins a run; fields are the JSON text of what is asked. */
async function start(fields: string): Promise<Run> {
  const run = await ask<Run>("/runs", "POST", `{"conversation":${JSON.stringify(conversation)},${fields}}`);
  if (conversation === "") {
    conversation = run.conversation;
    window.history.replaceState(null, "", `/c/${encodeURIComponent(conversation)}`);
    drawWelcome();
  }
  const view = show(run);
  page.announce(words.answering);
  void view.load();
  // The space below it lets it be at the top at once, so that nothing needs to move while the answer comes.
  transcript.querySelector(".asked")?.classList.remove("asked");
  view.node.classList.add("asked");
  view.node.scrollIntoView({ block: "start" });
  view.node.focus({ preventScroll: true });
  tabs?.postMessage(conversation);
  drawComposer();
  await refresh().catch(() => undefined); // the run has begun all the same
  void history.load();
  return run;
}

function show(run: Run): RunView {
  const view = new RunView(page, run, () => {
    drawComposer();
    // Who only waited goes on writing.
    if (document.activeElement === view.node || document.activeElement === document.body) composer.querySelector("textarea")?.focus({ preventScroll: true });
    void refresh().catch(() => undefined);
    void history.load();
  });
  runs.set(run.id, view);
  transcript.append(view.node);
  return view;
}

/** refresh reads the conversation and shows the runs that are not shown yet: another tab may have started them. */
async function refresh(): Promise<void> {
  if (conversation === "") {
    drawTitle();
    return;
  }
  const c = await ask<Conversation>(`/conversations/${encodeURIComponent(conversation)}`);
  drawTitle(c);
  const all = c.runs ?? [];
  const first = all.findIndex((run) => !runs.has(run.id));
  const fresh = all.filter((run) => !runs.has(run.id)).map(show);
  if (fresh.length === 0) return;
  drawComposer();
  if (fresh.length > 1) await loadEnded(c.id, all[first - 1]?.id ?? "");
  for (const view of fresh) await view.load();
}

/** loadEnded reads the ended runs after a given one, many in one request. */
async function loadEnded(id: string, after: string): Promise<void> {
  for (let more = true; more;) {
    const answers = await ask<Answers>(`/conversations/${encodeURIComponent(id)}/answers?after=${encodeURIComponent(after)}`);
    for (const run of answers.runs) await runs.get(run.id)?.load(run.events);
    after = answers.runs.at(-1)?.id ?? after;
    more = answers.more && answers.runs.length > 0;
  }
}

function drawComposer(): void {
  const busy = [...runs.values()].some((view) => view.live);
  if (mode === "tools" && runs.size > 0 && busy) mode = page.model === "" ? "closed" : "ask";
  composer.classList.toggle("docked", mode === "ask");
  main.classList.toggle("choosing", mode === "tools");
  composer.hidden = busy;
  drawWelcome();
  if (mode === "tools") {
    if (composer.firstElementChild !== picker.node) {
      composer.replaceChildren(picker.node);
      void picker.load().then(() => page.model !== "" && picker.node.querySelector("h2")?.focus({ preventScroll: true }));
    }
    if (page.model !== "" && !composer.querySelector(".to-ask")) {
      composer.prepend(button(() => { mode = "ask"; composer.replaceChildren(); drawComposer(); composer.querySelector("textarea")?.focus(); }, { class: "plain to-ask" }, `← ${words.askPlaceholder}`));
    }
    return;
  }
  const tools = button(() => {
    mode = "tools";
    composer.replaceChildren();
    drawComposer();
    composer.scrollIntoView({ block: "start" });
  }, { class: "button" }, mode === "closed" ? words.anotherTool : words.useTool);
  if (mode === "closed") return composer.replaceChildren(tools);
  if (composer.querySelector("form.ask")) return;
  composer.replaceChildren(askForm(tools));
}

function askForm(tools: HTMLElement): HTMLElement {
  const box = element("textarea", { rows: "1", placeholder: words.askPlaceholder, "aria-label": words.askPlaceholder, maxlength: "60000" });
  const trouble = element("p", { class: "wrong", role: "alert" });
  const go = element("button", { type: "submit", class: "button primary" }, words.ask);
  const note = element("p", { class: "quiet scripted" }, page.scripted ? words.scripted : "");
  const form = element("form", { class: "ask" }, box, trouble, element("div", { class: "actions" }, tools, note, go));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = box.value.trim();
    if (text === "" || go.disabled) return;
    go.disabled = true;
    trouble.textContent = "";
    start(`"text":${JSON.stringify(text)}`).then(
      () => { box.value = ""; },
      (error: unknown) => { trouble.textContent = page.explain(error); },
    ).finally(() => { go.disabled = false; });
  });
  return form;
}

async function open(): Promise<void> {
  drawSide();
  drawWelcome();
  drawTitle();
  document.body.append(element("a", { class: "skip", href: "#main" }, words.skip), side, main, status);
  void history.load();
  drawComposer();
  try {
    await refresh();
  } catch (error) {
    if (error instanceof Refusal && error.code === "not_found") {
      title.replaceChildren(words.nothingFound);
      composer.hidden = true;
    }
    transcript.replaceChildren(element("div", { class: "lost-page" }, element("section", { class: "fault" }, element("p", {}, page.explain(error))), element("a", { class: "button", href: "/" }, words.newConversation)));
  }
}

/** openServers shows how the tool servers are, in the place of a conversation. */
async function openServers(): Promise<void> {
  drawSide();
  const servers = new Servers(page);
  title.replaceChildren(words.servers);
  document.title = `${words.servers} · Diptych`;
  main.replaceChildren(element("header", { class: "bar" }, menu, title), servers.node);
  document.body.append(element("a", { class: "skip", href: "#main" }, words.skip), side, main, status);
  void history.load();
  await servers.watch();
}

/** openRecord shows a conversation that is a file of its own: nothing can be asked, nothing is fetched. */
async function openRecord(runsOf: readonly Run[], name: string): Promise<void> {
  document.body.classList.add("record");
  document.getElementById("unfinished")?.remove(); // the file is complete: this script is at its end
  title.replaceChildren(element("bdi", {}, name || words.untitled));
  document.body.append(element("main", { id: "main" }, element("header", { class: "bar" }, title, drawImprint()), transcript), status);
  for (const run of runsOf) await show(run).load();
}

tabs?.addEventListener("message", (event) => {
  if (event.data === conversation) void refresh().catch(() => undefined);
});
if (page.record) {
  void openRecord(page.record.runs, page.record.title);
} else if (location.pathname === "/servers") {
  void openServers();
} else {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void refresh().catch(() => undefined);
  });
  void open();
}
