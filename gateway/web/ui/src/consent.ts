// The question before a call that may change the world. Nothing is allowed by closing it.

import { button, element, uniqueId } from "../../../../data/view/src/element";
import { drawArguments } from "./call";
import type { Page } from "./parts";
import { ask, type Consent } from "./server";

export class ConsentDialogs {
  private readonly open = new Map<string, HTMLDialogElement>();

  constructor(private readonly page: Page, private readonly run: string) {}

  follow(consent: Consent): void {
    this.end(consent.call);
    if (consent.state === "asked") this.show(consent);
  }

  close(): void {
    for (const call of [...this.open.keys()]) this.end(call);
  }

  /** Closing gives the focus back to where it was. */
  private end(call: string): void {
    this.open.get(call)?.close();
    this.open.get(call)?.remove();
    this.open.delete(call);
  }

  private show(consent: Consent): void {
    const { words } = this.page;
    const [heading, why] = [uniqueId(), uniqueId()];
    const trouble = element("p", { class: "wrong", role: "alert" });
    const decide = async (allow: boolean) => {
      for (const b of [yes, no]) b.disabled = true;
      try {
        await ask(`/runs/${this.run}/calls/${encodeURIComponent(consent.call)}`, "POST", JSON.stringify({ allow }));
      } catch (error) {
        trouble.textContent = this.page.explain(error);
        for (const b of [yes, no]) b.disabled = false;
      }
    };
    const yes = button(() => void decide(true), { class: "button primary" }, words.allow);
    const no = button(() => void decide(false), { class: "button", autofocus: "" }, words.refuse);
    const { hints } = consent;
    const risks = [hints.destructive ? words.destroys : hints.read_only ? words.reads : words.changes, hints.open_world ? words.openWorld : ""].filter((part) => part !== "");
    const dialog = element("dialog", { class: "consent", "aria-labelledby": heading, "aria-describedby": why },
      element("h2", { id: heading }, words.consent),
      element("p", { id: why }, element("bdi", {}, words.consentWhy(consent.title))),
      element("p", { class: "quiet" }, element("code", {}, consent.tool), ` · ${risks.join(" · ")}`),
      element("div", { class: "scroll", tabindex: "0" }, ...drawArguments(consent.arguments)),
      trouble,
      element("div", { class: "actions" }, no, yes));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      void decide(false);
    });
    this.open.set(consent.call, dialog);
    document.body.append(dialog);
    dialog.showModal();
  }
}
