// Tests of the built page in a host.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { answer, charts, cities, sources } from "./fixtures.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function pageTests(testNamed, b) {
  // After every test nothing may have gone wrong in the console, against the policy, or over the network.
  const test = (name, run) =>
    testNamed(name, async () => {
      b.faults.length = 0;
      b.requests.length = 0;
      await run();
      assert.deepEqual(b.faults, []);
      const foreign = b.requests.filter((url) => ![`${b.url}/view`, `${b.url}/view-open`].includes(url) && !url.startsWith(`blob:`));
      assert.deepEqual(foreign, []);
    });
  const text = (selector) => b.frame().locator(selector).allTextContents();
  const cells = (table = "section.data table") =>
    b.frame().evaluate((s) => [...document.querySelectorAll(`${s} tbody tr`)].map((row) => [...row.children].map((cell) => cell.textContent)), table);
  const status = () => b.frame().locator("#status").textContent();
  const press = (name, within = "body") => b.frame().locator(within).getByRole("button", { name, exact: true }).click();
  const host = () => b.page.evaluate(() => window.host.seen);

  await test("the handshake, the loading state and the size", async () => {
    await b.start();
    assert.equal((await host()).initialized, 1);
    assert.deepEqual(await text("main"), ["Waiting for the data…"]);
    assert.equal(await b.frame().locator("main").getAttribute("aria-busy"), "true");
    await b.show({ sources, table: cities });
    assert.equal(await b.frame().locator("main").getAttribute("aria-busy"), "false");
    await b.page.waitForFunction(() => window.host.seen.sizes.at(-1)?.height > 200);
    const before = (await host()).sizes.at(-1);
    await b.show({ sources, table: [["n"], ...Array.from({ length: 8 }, (_, i) => [i])], charts: [charts.bar.spec, charts.line.spec] });
    await b.page.waitForFunction((h) => window.host.seen.sizes.at(-1).height > h + 500, before.height);
    const tall = (await host()).sizes.at(-1);
    assert.equal(tall.height, await b.frame().evaluate(() => Math.ceil(document.body.getBoundingClientRect().height)));
    await b.show({ sources });
    await b.page.waitForFunction((h) => window.host.seen.sizes.at(-1).height < h / 2, tall.height);
  });

  await test("list_cities: the table stands as given, the sources under it", async () => {
    await b.show({ sources: ["https://example.org/cities-data"], table: cities });
    assert.deepEqual(await text("section.data thead th button bdi"), cities[0]);
    assert.deepEqual(await cells(), cities.slice(1));
    assert.deepEqual(await text(".sources a"), ["https://example.org/cities-data"]);
    assert.equal(await b.frame().locator("main > *:last-child").getAttribute("class"), "sources");
    assert.deepEqual(await text("caption"), ["3 rows, 2 columns"]);
    assert.equal(await status(), "Table with 3 rows");
    assert.deepEqual(await b.frame().evaluate(() => [...document.querySelectorAll("thead th, tbody tr:first-child > *")].map((c) => [c.tagName, c.getAttribute("scope"), getComputedStyle(c).textAlign])),
      [["TH", "col", "start"], ["TH", "col", "end"], ["TH", "row", "start"], ["TD", null, "end"]]);
  });

  await test("digits stay: 1.10, twenty digits, large and small numbers, null, empty text", async () => {
    const rows = [["1.10", 1.1], ["12345678901234567890", 9007199254740991], ["-0.00", 1e21], ["1e400", 5e-324], [null, null], ["", true]];
    await b.show({ sources, table: [["text", "number"], ...rows] });
    assert.deepEqual(await cells(), [["1.10", "1.1"], ["12345678901234567890", "9007199254740991"], ["-0.00", "1e+21†"], ["1e400", "5e-324"], ["", ""], ["", "true"]]);
    const numbers = [["1.10"], ["12345678901234567890"], ["-0.00"], ["1e400"], ["0.50"]];
    await b.show({ sources, table: [["numbers only"], ...numbers] });
    assert.deepEqual(await cells(), numbers);
    await b.show({ sources, table: [["n"], [1e21]] });
    assert.match((await text("section.data .quiet")).join(), /^† 1 whole number is too large/);
  });

  await test("sorting: exact, three steps, spoken, and nothing else moves", async () => {
    const rows = [["b", "9007199254740993"], ["a", "10"], ["c", null], ["d", "9007199254740992"], ["e", "9.50"]];
    await b.show({ sources, table: [["Name", "Value"], ...rows] });
    const names = async () => (await cells()).map((row) => row[0]).join("");
    const sorts = () => b.frame().evaluate(() => [...document.querySelectorAll("thead th")].map((th) => th.getAttribute("aria-sort")));
    assert.deepEqual(await sorts(), ["none", "none"]);
    await press("Value");
    assert.equal(await names(), "eadbc");
    assert.deepEqual(await sorts(), ["none", "ascending"]);
    assert.equal(await status(), "Sorted by Value, ascending");
    await b.frame().locator("thead button").nth(1).focus();
    await b.page.keyboard.press("Enter");
    assert.equal(await names(), "bdaec");
    assert.deepEqual(await sorts(), ["none", "descending"]);
    await b.page.keyboard.press("Space");
    assert.equal(await names(), "bacde");
    assert.deepEqual(await sorts(), ["none", "none"]);
    assert.equal(await status(), "In the original order");
    await press("Name");
    assert.equal(await names(), "abcde");
  });

  await test("five thousand rows by two hundred", async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => [`r${i}`, i, `${(i * 7919) % 5000}`]);
    await b.show({ sources, table: [["Row", "N", "Shuffled"], ...rows] });
    assert.equal((await cells()).length, 200);
    assert.deepEqual(await text(".pages span"), ["Rows 1–200 of 5,000"]);
    assert.ok(await b.frame().getByRole("button", { name: "Previous" }).isDisabled());
    await press("Next");
    assert.deepEqual((await cells())[0], ["r200", "200", String((200 * 7919) % 5000)]);
    assert.equal(await status(), "Rows 201–400 of 5,000");
    await press("Shuffled");
    assert.deepEqual((await cells()).map((row) => row[2]), Array.from({ length: 200 }, (_, i) => String(i)));
    for (let i = 1; i < 25; i++) await press("Next");
    assert.deepEqual(await text(".pages span"), ["Rows 4,801–5,000 of 5,000"]);
    assert.ok(await b.frame().getByRole("button", { name: "Next" }).isDisabled());
  });

  await test("CSV through the host: exact, and safe for spreadsheets", async () => {
    await b.show({ sources, table: [["k", "v"], ["=1+1", "1.10"], ["-5", null]] });
    await press("v");
    await press("Download CSV");
    await b.page.waitForFunction(() => window.host.seen.files.length === 1);
    await press("CSV for spreadsheets");
    await b.page.waitForFunction(() => window.host.seen.files.length === 2);
    const files = (await host()).files.map((file) => file.resource);
    assert.deepEqual(files, [
      { uri: "file:///table.csv", mimeType: "text/csv", text: "k,v\r\n=1+1,1.10\r\n-5,\r\n" },
      { uri: "file:///table-spreadsheet.csv", mimeType: "text/csv", text: "\uFEFFk,v\r\n'=1+1,1.10\r\n-5,\r\n" },
    ]);
    await b.frame().waitForFunction(() => /leading apostrophe\.$/.test(document.querySelector(".outcome").textContent));
    assert.equal(await status(), "Passed on for saving: table-spreadsheet.csv 1 cell that would run as a formula got a leading apostrophe.");
    assert.equal(await b.frame().locator("textarea").count(), 0);
  });

  await test("CSV by a link where the host saves no files, with the text to copy", async () => {
    await b.start({ abilities: {}, sandbox: "allow-scripts allow-downloads" });
    await b.show({ sources, table: cities });
    const [download] = await Promise.all([b.page.waitForEvent("download"), press("Download CSV")]);
    assert.equal(download.suggestedFilename(), "table.csv");
    const want = "City,Population\r\nTokyo,37400068\r\nDelhi,30290936\r\nShanghai,27058479\r\n";
    assert.equal(await readFile(await download.path(), "utf8"), want);
    await b.frame().waitForFunction(() => document.querySelector("textarea"));
    assert.equal(await b.frame().locator("textarea").inputValue(), want.replaceAll("\r\n", "\n"));
    await b.start({ refuse: true });
    await b.show({ sources, table: cities });
    await press("Download CSV");
    await b.frame().waitForFunction(() => document.querySelector("textarea"));
  });

  await b.start();
  for (const [kind, { spec, parsed }] of Object.entries(charts)) {
    await test(`${kind}: Chart.js parsed the values, the words and the table say the same`, async () => {
      await b.show({ sources, charts: [spec] });
      const [chart, ...others] = await b.charts();
      assert.equal(others.length, 0);
      assert.equal(chart.type, kind);
      assert.deepEqual(chart.parsed.map((s) => s.map((p) => (typeof p === "object" ? JSON.parse(JSON.stringify(p)) : p))), parsed);
      assert.ok(chart.inked > 2000, `only ${chart.inked} pixels drawn`);
      if (spec.data.labels) assert.deepEqual(chart.labels, spec.data.labels);
      const values = spec.data.datasets.flatMap((s) => s.data).filter((v) => v !== null);
      for (const [s, series] of chart.tooltip.entries()) {
        for (const [i, said] of series.entries()) {
          const v = spec.data.datasets[s].data[i];
          const want = v === null ? "" : typeof v === "number" ? String(v) : `x ${v.x}, y ${v.y}${v.r ? `, r ${v.r}` : ""}`;
          assert.ok(said.replaceAll(/(\d),(\d)/g, "$1$2").endsWith(`: ${want}`), said);
        }
      }
      const [sentence] = await text("figure .notes p");
      const digits = sentence.replaceAll(/(\d),(\d)/g, "$1$2");
      const heights = values.map((v) => v.y ?? v);
      assert.ok(digits.includes(String(Math.max(...heights))) && digits.includes(String(Math.min(...heights))), sentence);
      assert.equal(await b.frame().locator("canvas").getAttribute("aria-label"), sentence);
      await b.frame().locator("summary").click();
      await b.frame().waitForFunction(() => document.querySelector("details table"));
      const want = spec.data.labels
        ? spec.data.labels.map((label, i) => [label, ...spec.data.datasets.map((s) => (s.data[i] === null ? "" : String(s.data[i])))])
        : spec.data.datasets.flatMap((s) => s.data.map((p) => [s.label, String(p.x), String(p.y), ...(p.r ? [String(p.r)] : [])]));
      assert.deepEqual(await cells("details table"), want);
    });
  }

  await test("eight charts at once, titles, alt text, legends that hide and show", async () => {
    await b.show({ sources, charts: Object.values(charts).map((c, i) => ({ ...c.spec, ...(i === 0 && { alt: "Given by the tool" }) })) });
    assert.deepEqual((await b.charts()).map((c) => c.type), Object.keys(charts));
    assert.equal(await b.frame().locator("canvas").first().getAttribute("aria-label"), "Given by the tool");
    assert.equal((await text("h2.title"))[0], "Warm winters in Lisbon, cold ones in Oslo");
    await press("Oslo");
    await press("Wind");
    const [line, , pie] = await b.charts();
    assert.deepEqual(line.visible, [true, false]);
    assert.deepEqual(pie.slices, [true, false, true, true]);
    assert.equal(await b.frame().getByRole("button", { name: "Oslo" }).getAttribute("aria-pressed"), "false");
    await b.page.evaluate(() => window.host.context({ theme: "dark", locale: "en" }));
    await b.frame().waitForFunction(() => document.documentElement.dataset.theme === "dark");
    assert.deepEqual((await b.charts())[0].visible, [true, false]);
    assert.deepEqual((await b.charts())[2].slices, [true, false, true, true]);
    await press("Wind");
    assert.deepEqual((await b.charts())[2].slices, [true, true, true, true]);
    await b.page.evaluate(() => window.host.context({ theme: "light", locale: "en" }));
  });

  await test("chart options: stacks, two axes, mixed series, logarithm, bounds, reverse, numeric labels, colours", async () => {
    const two = { labels: ["a", "b", "c"], datasets: [{ label: "p", data: [1, 2, 3], stack: "s" }, { label: "q", data: [10, 20, 30], stack: "s" }] };
    await b.show({
      sources,
      charts: [
        { type: "bar", data: two, options: { scales: { x: { stacked: true }, y: { stacked: true } } } },
        { type: "bar", data: { labels: two.labels, datasets: [{ data: [1, 2, 3] }, { data: [100, 250, 170], type: "line", yAxisID: "y1", order: -1 }] }, options: { scales: { y1: { beginAtZero: true } } } },
        { type: "line", data: { labels: ["a", "b"], datasets: [{ data: [0.0001, 100000] }] }, options: { scales: { y: { type: "logarithmic" } } } },
        { type: "line", data: { labels: ["a", "b"], datasets: [{ data: [4, 9] }] }, options: { scales: { y: { min: 0, max: 12, reverse: true } } } },
        { type: "line", data: { labels: [2000, "2010", 2025], datasets: [{ data: [1, 2, 3] }] }, options: { scales: { x: { type: "linear" } } } },
        { type: "bar", data: { labels: ["a", "b"], datasets: [{ data: [1, 2], backgroundColor: ["#f00", "rgba(0, 128, 255, 0.5)"] }] } },
        { type: "line", data: { labels: ["a", "b"], datasets: [{ data: [1, 2], hidden: true, borderColor: ["#ff0000", "#00ff00"] }, { data: [3, 4] }] } },
        { type: "pie", data: { labels: ["a", "b"], datasets: [{ data: [1, 0] }] }, options: { scales: { x: { min: 3 } } } },
      ],
    });
    const got = await b.charts();
    assert.equal(got.length, 8);
    assert.ok(got[0].scales.y.max >= 33);
    assert.deepEqual([got[1].kinds, got[1].scales.y1.position, got[1].scales.y1.min], [["bar", "line"], "right", 0]);
    assert.equal(got[2].scales.y.type, "logarithmic");
    assert.deepEqual([got[3].scales.y.min, got[3].scales.y.max], [0, 12]);
    assert.deepEqual(got[4].parsed[0].map((p) => p.x), [2000, 2010, 2025]);
    assert.ok(got[4].scales.x.ticks.every((t) => !t.includes(",")), got[4].scales.x.ticks.join());
    assert.deepEqual(got[5].colours[0][0], ["#ff0000ff", "#0080ff80"]);
    assert.deepEqual(got[6].visible, [false, true]);
    assert.equal(got[6].colours[0][1], "#ff0000ff");
    assert.deepEqual(got[7].scales, {});
    assert.ok(got.every((c) => c.inked > 2000));
  });

  await test("small numbers are not rounded on hover, large ones are grouped", async () => {
    await b.show({ sources, charts: [{ type: "bar", data: { labels: ["a", "b"], datasets: [{ label: "s", data: [0.00012345, 123456789.123] }] } }] });
    assert.deepEqual((await b.charts())[0].tooltip, [["s: 0.00012345", "s: 123,456,789.123"]]);
  });

  await test("a chart that cannot be drawn shows the reason and its data; the others are drawn", async () => {
    const bad = { type: "bar", data: { labels: ["a", "b"], datasets: [{ label: "s", data: [1, 0] }] }, options: { scales: { y: { type: "logarithmic" } } } };
    await b.show({ sources, charts: [bad, charts.pie.spec] });
    assert.deepEqual(await text(".not-drawn"), ["Not drawn. A logarithmic axis cannot show zero or less."]);
    await b.frame().waitForFunction(() => document.querySelector("details[open] table"));
    assert.deepEqual(await cells("details table"), [["a", "1"], ["b", "0"]]);
    assert.deepEqual((await b.charts()).map((c) => c.type), ["pie"]);
  });

  await test("a canvas that cannot be drawn on gives the table instead", async () => {
    await b.start();
    await b.frame().evaluate(() => (HTMLCanvasElement.prototype.getContext = () => null));
    await b.show({ sources, charts: [charts.pie.spec] });
    assert.deepEqual(await text(".not-drawn"), ["Not drawn. The drawing library failed on these data."]);
    await b.start();
    await b.frame().evaluate(() => (CanvasRenderingContext2D.prototype.save = () => { throw new Error("no"); }));
    await b.show({ sources, charts: [charts.pie.spec] });
    assert.deepEqual(await text(".not-drawn"), ["Not drawn. The drawing library failed on these data."]);
    await b.start();
  });

  await test("values outside an axis are said to be", async () => {
    await b.show({ sources, charts: [{ type: "bar", data: { labels: ["a", "b"], datasets: [{ data: [5, 50] }] }, options: { scales: { y: { max: 10 } } } }] });
    assert.equal((await text(".notes p")).at(-1), "1 value lies outside the range of the axis.");
  });

  await test("sources: title, true host, facts; opened by the host alone", async () => {
    await b.show({ sources: [...sources, { url: "https://example.net/a", title: "https://bank.example" }] });
    assert.deepEqual(await text(".sources li"), [
      "https://example.org/cities-data",
      "World urban agglomerations, 2025 revision data.example.org · Example Statistics Office · 1950–2025 · CC0-1.0 · retrieved 2026-11-01",
      "https://bank.example example.net",
    ]);
    await b.frame().locator(".sources a").first().click();
    await b.frame().locator(".sources a").nth(1).click({ modifiers: ["Control"] });
    await b.frame().locator(".sources a").nth(2).click({ button: "middle" });
    await b.page.waitForFunction(() => window.host.seen.links.length === 3);
    assert.deepEqual((await host()).links, ["https://example.org/cities-data", "https://data.example.org/urban/2025?f=csv", "https://example.net/a"]);
    assert.equal(b.page.context().pages().length, 1);
    await b.start({ refuse: true });
    await b.show({ sources });
    await b.frame().locator(".sources a").first().click();
    await b.frame().waitForFunction(() => document.querySelector("#status").textContent === "The application did not open https://example.org/cities-data");
    assert.deepEqual(await text(".sources .quiet"), ["The application did not open https://example.org/cities-data"]);
    await b.start();
  });

  await test("states: empty, no rows, tool error, nothing sent, cancelled", async () => {
    await b.show({ sources });
    assert.equal((await text("main > p"))[0], "The tool gave its sources, but no table, chart or text to show.");
    await b.show({ sources, table: [["a", "b"]] });
    assert.deepEqual(await text("section.data .quiet"), ["The table has no rows."]);
    await b.show({ sources, force: "  Exactly\n  this <b>text</b>  " });
    assert.deepEqual(await text(".force"), ["  Exactly\n  this <b>text</b>  "]);
    await b.result({ isError: true, content: [{ type: "text", text: "arguments: city: got number, want string" }], structuredContent: { sources, table: cities } });
    assert.deepEqual(await text("main"), ["The tool could not answerarguments: city: got number, want string"]);
    assert.match(await status(), /The tool could not answer/);
    await b.result({ content: [{ type: "text", text: "Tokyo has 37,400,068 people" }] });
    assert.deepEqual(await text("main"), ["The application passed on no data from the tool."]);
    await b.page.evaluate(() => window.host.cancel("user action"));
    await b.frame().waitForFunction(() => document.querySelector("main").textContent === "The call was cancelled.user action");
  });

  await test("a breach shows its place and no number", async () => {
    await b.show({ sources, table: cities, charts: [charts.pie.spec, { type: "bar", data: { labels: ["a"], datasets: [{ data: ["1,234"] }] } }] });
    assert.deepEqual(await text("main code"), ["charts[1].data.datasets[0].data[0]: not a finite number"]);
    const shown = (await text("main")).join();
    for (const absent of ["37400068", "1,234", "44"]) assert.ok(!shown.includes(absent), absent);
    assert.equal((await b.charts()).length, 0);
    await b.show({ sources: ["javascript:alert(1)"], table: cities });
    assert.deepEqual(await text("main code"), ["sources[0]: not an http or https URL"]);
    assert.equal(await b.frame().locator("a").count(), 0);
  });

  await test("values that only a careless host can post: NaN, a date, a map, a cycle", async () => {
    for (const [params, want] of [
      ["({ structuredContent: { sources: ['https://e.org'], table: [['a'], [NaN]] } })", "table[1][0]: not a finite number"],
      ["({ structuredContent: { sources: ['https://e.org'], table: [['a'], [new Date(0)]] } })", "table[1][0]: not text, number, boolean or null"],
      ["({ structuredContent: new Map([['sources', []]]) })", "sources: required but missing"],
      ["(() => { const c = { sources: ['https://e.org'] }; c.table = [[c]]; return { structuredContent: c }; })()", "table[0][0]: not text"],
      ["({ structuredContent: { sources: ['https://e.org'], table: [['a'], [1n]] } })", "table[1][0]: not text, number, boolean or null"],
      ["({ structuredContent: { sources: Object.assign([], { length: 4294967295 }) } })", "sources: more than 50 items"],
      ["({ structuredContent: null })", "structuredContent: not an object"],
    ]) {
      await b.frame().evaluate(() => document.getElementById("answer").replaceChildren());
      await b.page.evaluate((code) => window.host.raw(eval(code)), params);
      await b.frame().waitForFunction((w) => document.querySelector("main code")?.textContent === w, want);
    }
  });

  await test("hostile strings stay text", async () => {
    const script = '<script>document.title="hacked"</script><img src=x onerror=alert(1)>';
    const bidi = "\u202Egnp.exe\u2066\u2067";
    await b.show({
      sources: [{ url: "https://example.org/?q=javascript:alert(1)", title: script, publisher: bidi }],
      force: script,
      table: [[script, bidi], ["{{constructor.constructor('alert(1)')()}}", "=HYPERLINK(\"https://evil.example\")"], ["\u0000\u0007", "x".repeat(2000)]],
      charts: [
        { type: "bar", alt: script, data: { labels: [script, bidi, "__proto__"], datasets: [{ label: script, data: [1, 2, 3] }, { label: "constructor", data: [1, 2, 3] }] }, options: { plugins: { title: { text: script }, subtitle: { text: bidi } } } },
        { type: "pie", data: { labels: ["y".repeat(200), "y".repeat(200)], datasets: [{ data: [1, 2] }] } },
      ],
    });
    assert.deepEqual(await text(".force"), [script]);
    assert.deepEqual(await text("thead bdi"), [script, bidi]);
    assert.equal((await cells())[1][1].length, 2000);
    assert.equal(await b.frame().locator("h2.title").textContent(), script);
    assert.deepEqual(await b.frame().evaluate(() => [document.title, document.querySelectorAll("main script, main img, main iframe").length]), ["Data", 0]);
    assert.equal((await b.charts()).length, 2);
    // An override in one piece of text must not turn its neighbours round.
    assert.ok(await b.frame().evaluate(() => [...document.querySelectorAll("bdi")].every((n) => getComputedStyle(n).unicodeBidi === "isolate")));
  });

  await test("a label of 1 MB is refused; as an error text it is cut", async () => {
    const label = "L".repeat(1 << 20);
    await b.show({ sources, charts: [{ type: "bar", data: { labels: [label], datasets: [{ data: [1] }] } }] });
    assert.deepEqual(await text("main code"), ["charts[0].data.labels[0]: longer than 200 characters"]);
    await b.result({ isError: true, content: [{ type: "text", text: label }] });
    assert.ok((await text("main")).join().length < 4100);
  });

  await test("three languages, by the host's locale, at once when it changes", async () => {
    await b.start({ hostContext: { locale: "pt-BR" } });
    await b.show({ sources, table: cities });
    assert.deepEqual(await text("caption"), ["3 linhas, 2 colunas"]);
    assert.equal(await b.frame().evaluate(() => document.documentElement.lang), "pt-BR");
    await b.page.evaluate(() => window.host.context({ theme: "light", locale: "es-MX" }));
    await b.frame().waitForFunction(() => document.querySelector("caption").textContent === "3 filas, 2 columnas");
    await b.page.evaluate(() => window.host.context({ theme: "light", locale: "fi-FI" }));
    await b.frame().waitForFunction(() => document.querySelector("caption").textContent === "3 rows, 2 columns");
    assert.equal(await b.frame().evaluate(() => document.documentElement.lang), "en");
    await b.page.evaluate(() => window.host.context({ theme: "light", locale: "not a locale!" }));
    assert.deepEqual(await cells(), cities.slice(1));
  });

  await test("the host's theme and variables colour page and charts; a variable that could fetch is dropped", async () => {
    await b.start({ hostContext: { theme: "dark", styles: { variables: { "--color-background-primary": "light-dark(#ffffff, #101820)", "--color-text-primary": "rgb(250, 240, 230)", "--color-background-secondary": "url(https://evil.example/x.png)", "--evil": "1" } } } });
    await b.show({ sources, charts: [charts.bar.spec] });
    assert.deepEqual(await b.frame().evaluate(() => {
      const style = getComputedStyle(document.body);
      const root = document.documentElement.style;
      return [style.backgroundColor, style.color, root.getPropertyValue("--color-background-secondary"), root.getPropertyValue("--evil")];
    }), ["rgb(16, 24, 32)", "rgb(250, 240, 230)", "", ""]);
    const dark = (await b.charts())[0].colours;
    await b.page.evaluate(() => window.host.context({ theme: "light", locale: "en", styles: { variables: {} } }));
    await b.frame().waitForFunction(() => getComputedStyle(document.body).backgroundColor === "rgb(255, 255, 255)");
    assert.notDeepEqual((await b.charts())[0].colours, dark);
  });

  await test("sort order and focus survive a change of theme", async () => {
    await b.show({ sources, table: cities, charts: [charts.line.spec] });
    await press("Population");
    await press("Oslo");
    await b.page.evaluate(() => window.host.context({ theme: "dark", locale: "en" }));
    await b.frame().waitForFunction(() => document.documentElement.dataset.theme === "dark");
    assert.deepEqual((await cells()).map((row) => row[0]), ["Shanghai", "Delhi", "Tokyo"]);
    assert.equal(await b.frame().evaluate(() => document.activeElement.textContent), "Oslo");
  });

  await test("a host without a policy of its own is held to the page's", async () => {
    await b.start({ path: "/view-open" });
    await b.show(answer);
    assert.equal((await b.charts()).length, 1);
    const blocked = await b.frame().evaluate(async (url) => {
      const violations = [];
      const stop = (event) => (violations.push(event.effectiveDirective), event.stopImmediatePropagation());
      window.addEventListener("securitypolicyviolation", stop, true);
      await fetch(url).catch(() => 0);
      try {
        document.body.innerHTML = "<b>x</b>";
      } catch {}
      await new Promise((resolve) => setTimeout(resolve));
      return violations.sort();
    }, `${b.url}/never`);
    assert.deepEqual(blocked, ["connect-src", "require-trusted-types-for"]);
    // These faults were provoked; the requests were not made.
    b.faults.length = 0;
    await b.start();
  });

  await test("a page written into the frame draws all the same", async () => {
    await b.start({ path: "srcdoc" });
    await b.show(answer);
    assert.deepEqual((await b.charts())[0].parsed, charts.bar.parsed);
    await b.start();
  });

  await test("late tool arguments do not take a result away", async () => {
    await b.show({ sources, table: cities });
    await b.page.evaluate(() => window.host.input({ city: "Tokyo" }));
    await b.page.evaluate(() => window.host.context({ theme: "dark", locale: "en" }));
    await b.frame().waitForFunction(() => document.documentElement.dataset.theme === "dark");
    assert.deepEqual(await cells(), cities.slice(1));
  });

  await test("opened outside a host the page says so", async () => {
    const alone = await b.page.context().newPage();
    await alone.goto(`${b.url}/view`);
    assert.match(await alone.locator("main").textContent(), /^This page draws the data of a tool inside an application/);
    await alone.close();
  });

  await test("the largest table", async () => {
    const header = Array.from({ length: 60 }, (_, i) => `c${i}`);
    await b.show({ sources, table: [header, ...Array.from({ length: 5000 }, (_, r) => header.map((_, c) => (r * c) % 97))] });
    await press("c7");
    assert.equal((await cells()).length, 200);
  });

  await test("teardown answers and leaves no chart", async () => {
    await b.show({ sources, charts: [charts.bar.spec] });
    await b.page.evaluate(() => window.host.teardown());
    assert.equal((await b.charts()).length, 0);
    assert.equal(await b.frame().evaluate(() => document.querySelector("main").childElementCount), 0);
  });

  for (const theme of ["light", "dark"]) {
    await test(`axe finds nothing serious, ${theme}`, async () => {
      await b.start({ hostContext: { theme } });
      const states = {
        answer,
        charts: { sources, charts: Object.values(charts).map((c) => c.spec) },
        unable: { sources, charts: [{ type: "pie", data: { labels: ["a"], datasets: [{ data: [0] }] } }], table: [["a"], ...Array.from({ length: 450 }, (_, i) => [i])] },
        empty: { sources },
        breach: { sources: [] },
      };
      for (const [name, content] of Object.entries(states)) {
        await b.show(content);
        await b.frame().evaluate(() => document.querySelectorAll("summary").forEach((s) => s.parentElement.open || s.click()));
        await b.frame().waitForFunction(() => [...document.querySelectorAll("details")].every((d) => d.querySelector("table")));
        // The frame's own policy forbids the page to load code; the test evaluates it from outside.
        await b.frame().evaluate(axe);
        const found = await b.frame().evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations.map((v) => `${v.impact} ${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")}`));
        assert.deepEqual(found.filter((f) => /^(serious|critical)/.test(f)), [], name);
      }
    });
  }

  await test("narrow: nothing wider than the page", async () => {
    await b.start({ width: 360 });
    await b.show({ ...answer, charts: Object.values(charts).map((c) => c.spec) });
    assert.deepEqual(await b.frame().evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]), [360, 360]);
  });
}
