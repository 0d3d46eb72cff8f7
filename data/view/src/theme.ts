// Light or dark, the host's own colours and font, and the same resolved for canvases.

import type { Look } from "./configuration";
import { isObject, type Context } from "./host";

// The variables that are copied from the host, because the style sheet reads them.
const taken = [
  "--color-background-primary", "--color-background-secondary", "--color-text-primary", "--color-text-secondary", "--color-border-primary",
  "--color-border-secondary", "--color-text-danger", "--color-text-info", "--color-ring-primary", "--font-sans", "--font-mono", "--border-radius-sm",
];

const preference = window.matchMedia("(prefers-color-scheme: dark)");

/** applyTheme follows the host's theme, or the system's where the host names none. */
export function applyTheme(context: Context): void {
  const root = document.documentElement;
  const theme = context["theme"];
  root.dataset["theme"] = theme === "dark" || theme === "light" ? theme : preference.matches ? "dark" : "light";
  const styles = isObject(context["styles"]) ? context["styles"] : {};
  const variables = isObject(styles["variables"]) ? styles["variables"] : {};
  for (const name of taken) {
    const value = variables[name];
    // A value that could fetch something is no colour or font.
    const fit = typeof value === "string" && value.length <= 300 && !/url|image|src/i.test(value);
    if (fit) root.style.setProperty(name, value);
    else root.style.removeProperty(name);
  }
}

/** whenPreferenceChanges calls back when the system turns light or dark. */
export function whenPreferenceChanges(act: () => void): void {
  preference.addEventListener("change", act);
}

/** currentLook reads the current colours and font. */
export function currentLook(): Look {
  const root = document.documentElement;
  const style = getComputedStyle(document.body);
  const probe = document.createElement("i");
  document.body.append(probe);
  const resolve = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const look = {
    ink: resolve("--ink"),
    muted: resolve("--muted"),
    rule: resolve("--rule"),
    paper: resolve("--paper"),
    font: style.fontFamily,
    dark: root.dataset["theme"] === "dark",
  };
  probe.remove();
  return look;
}
