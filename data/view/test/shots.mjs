// Screenshots to be looked at.

import { join } from "node:path";
import { answer, charts, sources } from "./fixtures.mjs";

export async function takeShots(b, folder) {
  const all = { sources, charts: Object.values(charts).map((c) => c.spec) };
  const shots = [
    ["answer-light", answer, {}],
    ["answer-dark", answer, { hostContext: { theme: "dark" } }],
    ["answer-narrow", answer, { width: 360 }],
    ["charts-light", all, {}],
    ["charts-dark", all, { hostContext: { theme: "dark" } }],
    ["charts-narrow", all, { width: 360 }],
    ["empty", { sources }, {}],
    ["breach", { sources, charts: [{ type: "bar", data: { labels: ["a"], datasets: [{ data: ["1"] }] } }] }, {}],
    ["unable", { sources, charts: [{ ...charts.bar.spec, options: { scales: { y: { type: "category" }, x: { type: "category" } } } }] }, { hostContext: { locale: "pt" } }],
    ["long", { sources, table: [["n", "square", "name"], ...Array.from({ length: 450 }, (_, i) => [i, i * i, `number ${i}`])] }, {}],
  ];
  for (const [name, content, how] of shots) {
    await b.start(how);
    await b.show(content);
    if (name === "answer-narrow") await b.frame().getByRole("button", { name: "Population" }).last().click();
    // A frame paints only what the window shows, and not at once.
    const settle = () => new Promise((resolve) => setTimeout(resolve, 500));
    await settle();
    const height = await b.frame().evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
    await b.page.setViewportSize({ width: how.width ?? 860, height: Math.max(200, height) });
    await settle();
    await b.page.screenshot({ path: join(folder, `${name}.png`) });
  }
}
