// Tests of the modules that know no page.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

export async function moduleTests(test, m) {
  await test("JSON number form", () => {
    for (const yes of ["0", "-0", "1.10", "37400068", "-1e5", "2E+7", "0.001", "12345678901234567890"]) assert.ok(m.isNumber(yes), yes);
    for (const no of ["", "01", "+1", "1.", ".5", "1,234", " 1", "1 ", "0x10", "NaN", "Infinity", "1e", "١", "1\n"]) assert.ok(!m.isNumber(no), no);
  });

  await test("decimals compare digit for digit", () => {
    const rising = ["-1e400", "-10", "-9.99", "-1e-5", "0", "1e-400", "0.1", "0.10000000000000000001", "9", "10", "9007199254740992", "9007199254740993", "12345678901234567890", "12345678901234567891", "1e21", "1e999999999999999999"];
    for (const [i, a] of rising.entries()) {
      for (const [j, b] of rising.entries()) assert.equal(Math.sign(m.compare(m.decimal(a), m.decimal(b))), Math.sign(i - j), `${a} against ${b}`);
    }
    for (const [a, b] of [["1.10", "1.1"], ["-0", "0.000"], ["1e2", "100"], ["0.01e4", "100.0"], ["100e-2", "1"]]) assert.equal(m.compare(m.decimal(a), m.decimal(b)), 0, `${a} is ${b}`);
  });

  await test("decimals agree with floats where those are exact", () => {
    let seed = 7;
    const next = () => (seed = (seed * 48271) % 2147483647);
    for (let i = 0; i < 20000; i++) {
      const a = ((next() % 4001) - 2000) / 2 ** (next() % 12);
      const b = ((next() % 4001) - 2000) / 2 ** (next() % 12);
      assert.equal(Math.sign(m.compare(m.decimal(String(a)), m.decimal(String(b)))), Math.sign(a - b), `${a} against ${b}`);
    }
  });

  await test("a long run of zeros takes no time", () => {
    const long = "1" + "0".repeat(1900) + "1";
    const begin = process.cpuUsage();
    for (let i = 0; i < 1000; i++) m.decimal(`0.${"0".repeat(1900)}1${"0".repeat(50)}1`), m.decimal(long);
    assert.ok(process.cpuUsage(begin).user < 2_000_000);
  });

  await test("numeric columns", () => {
    const cases = [
      [["1", 2, null], true], [["1.10", "37400068"], true], [[null, null], false], [[], false], [["1", "x"], false], [[1, true], false], [["1,234"], true], [["45,571,090", "-566,000", null], true], [["1.234,5", "12"], true], [["1,234.5", "1.234,5"], false], [["12,34"], true], [["1 234"], true], [["1’234.5"], true], [["1,23,4"], false], [["-"], false], [["1/2"], false], [["", "1"], false], [[1e21], true],
    ];
    for (const [column, want] of cases) assert.equal(m.isNumeric(column), want, JSON.stringify(column));
  });

  await test("order: exact numbers, null last, equals in place", () => {
    assert.deepEqual(m.order(["10", null, "9", "9.0", -1], false, "en"), [4, 2, 3, 0, 1]);
    assert.deepEqual(m.order(["10", null, "9", "9.0", -1], true, "en"), [0, 2, 3, 4, 1]);
    assert.deepEqual(m.order(["9007199254740993", "9007199254740992"], false, "en"), [1, 0]);
    assert.deepEqual(m.order(["45,571,090", "-566,000", "9", null], false, "en"), [1, 2, 0, 3]);
    assert.deepEqual(m.order(["Zürich", "Ávila", "b", null], false, "es"), [1, 2, 0, 3]);
  });

  await test("text is text, and so are codes; quantities are grouped", () => {
    const cases = [[90210, undefined, true], [90210, "code", false], ["90210", undefined, false], [1, "date", false], [1, "money", true], [true, undefined, false], [null, undefined, false]];
    for (const [cell, kind, want] of cases) assert.equal(m.isGrouped(cell, { kind }), want, JSON.stringify([cell, kind]));
  });

  await test("what is said of columns", () => {
    const result = (columns, table = [["A", "B"], ["a", 1]]) => m.readResult({ sources: ["https://example.org/d"], table, columns }).columns;
    assert.deepEqual(result([{}, { kind: "money", unit: "€", decimals: 2, note: "n" }]), [{}, { kind: "money", unit: "€", decimals: 2, note: "n" }]);
    assert.deepEqual(m.readResult({ sources: ["https://example.org/d"] }).columns, []);
    for (const wrong of [[{}], [{}, { kind: "zip" }], [{}, { decimals: 0.5 }], [{}, { decimals: 21 }], [{}, { title: "t" }], [{}, 1], {}]) assert.throws(() => result(wrong), JSON.stringify(wrong));
  });

  await test("charts that do not mislead: filled stacks, no markers on long lines, no room where no value can be", () => {
    const look = { ink: "#000", muted: "#777", rule: "#ccc", paper: "#fff", font: "sans-serif", dark: false };
    const configured = (chart) => m.configure(m.readSpec(chart, ""), look, m.textsFor("en"));
    const labels = (n) => Array.from({ length: n }, (_, i) => String(i));
    const line = (n, options = {}, more = {}) => ({ type: "line", data: { labels: labels(n), datasets: [{ label: "a", data: labels(n).map(Number), ...more }, { label: "b", data: labels(n).map(Number) }] }, options });
    const on = { scales: { y: { stacked: true } } };
    const fills = (chart) => configured(chart).data.datasets.map((d) => d.fill);
    assert.deepEqual(fills(line(3, on)), ["stack", "stack"]);
    assert.deepEqual(fills(line(3, on, { fill: false })), [false, "stack"]);
    assert.deepEqual(fills(line(3)), [false, false]);
    const radii = (data) => configured({ type: "line", data: { labels: labels(data.length), datasets: [{ data }] } }).data.datasets[0].pointRadius;
    assert.equal(radii(Array(100).fill(1)), 1.5);
    const lone = radii([...Array(50).fill(1), null, 2, null, ...Array(60).fill(1)]);
    assert.deepEqual([lone.filter((r) => r > 0).length, lone[51]], [1, 1.5]);
    const axes = (points, scales = {}) => configured({ type: "scatter", data: { datasets: [{ data: points.map(([x, y]) => ({ x, y })) }] }, options: { scales } }).options.scales;
    assert.deepEqual([axes([[1, 20], [9, 2000]]).y.min, axes([[1, 20], [9, 2000]]).x.min], [0, undefined]);
    assert.equal(axes([[1, 1000], [9, 1001]]).y.min, undefined);
    assert.equal(axes([[1, -20], [9, 2000]]).y.min, undefined);
    assert.equal(axes([[1, -20], [9, -2000]]).y.max, 0);
    assert.equal(axes([[1, 20], [9, 2000]], { y: { min: 10 } }).y.min, 10);
  });

  await test("rounding for show", () => {
    const cases = [["4269.300000000001", 1, "4269.3"], ["16.882510013351133", 1, "16.9"], ["0.5", 0, "1"], ["-0.4", 0, "0"], ["1.1", 2, "1.1"], ["-1.005", 2, "-1.01"], ["9.99", 1, "10.0"], ["1.5", undefined, "1.5"], ["1e-7", 2, "1e-7"], ["text", 1, "text"]];
    for (const [text, decimals, want] of cases) assert.equal(m.rounded(text, decimals), want, text);
  });

  await test("a grouped number is no formula", () => {
    for (const text of ["-566,000", "-1.234,5", "-5"]) assert.equal(m.spreadsheetCSV([["A"], [text]]).guarded, 0, text);
    for (const text of ["-566,000+1", "=1", "-A1", "-1,23,4"]) assert.equal(m.spreadsheetCSV([["A"], [text]]).guarded, 1, text);
  });

  await test("marks between digits, by language, and not one digit less", () => {
    const cases = [
      ["37400068", "37,400,068", "37.400.068"], ["-12345.10", "-12,345.10", "-12.345,10"], ["2023", "2023", "2023"], ["10000", "10,000", "10.000"], ["-9999", "-9999", "-9999"], ["1.10", "1.10", "1,10"],
      ["0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827", "0,1000000000000000055511151231257827"], ["12345678901234567890", "12,345,678,901,234,567,890", "12.345.678.901.234.567.890"],
      ["-0", "-0", "-0"], ["1.5e400", "1.5e400", "1,5e400"], ["12345e2", "12345e2", "12345e2"], ["2020-01-01", "2020-01-01", "2020-01-01"], ["0.1+0.2", "0.1+0.2", "0.1+0.2"], ["", "", ""], ["9".repeat(201), "9".repeat(201), "9".repeat(201)],
    ];
    const [en, pt, es] = ["en-GB", "pt-BR", "es"].map(m.marksOf);
    for (const [given, english, other] of cases) {
      for (const [marks, want] of [[en, english], [pt, other], [es, other]]) {
        assert.equal(m.withMarks(given, marks), want);
        assert.equal(m.withoutMarks(m.withMarks(given, marks), marks), given.includes("e") ? want : given);
      }
    }
    assert.equal(m.withoutMarks("38,0", en), "380");
    assert.equal(m.withoutMarks("São Paulo, 1", en), "São Paulo, 1");
  });

  await test("CSV, exact", () => {
    const rows = [["a", 'say "b"'], ["1.10", "x,y"], ["12345678901234567890", null], ["", "two\nlines"], [1e21, true], [" x", "=1+1"]];
    assert.equal(m.exactCSV(rows), 'a,"say ""b"""\r\n1.10,"x,y"\r\n12345678901234567890,\r\n"","two\nlines"\r\n1e+21,true\r\n" x",=1+1\r\n');
  });

  await test("CSV for spreadsheets guards formulas visibly and leaves numbers", () => {
    const formulas = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "\u200b=1", "＝1+1", "\u202e=1", "\n=1"];
    const { text, guarded } = m.spreadsheetCSV([["h"], ...formulas.map((f) => [f])]);
    assert.equal(guarded, formulas.length);
    assert.ok(text.startsWith("\uFEFF"));
    for (const f of formulas) assert.ok(text.includes(`'${f.replace(/([\t\r\n])=/, "$1'=")}`), JSON.stringify(f));
    const inside = { "a;=1": "a;'=1", "a\t@x": "a\t'@x", "a\n-b": '"a\n\'-b"', "a; \u200b=x": "a; \u200b'=x", "a,=1": '"a,=1"', "a=1;b": "a=1;b" };
    for (const [f, want] of Object.entries(inside)) assert.equal(m.spreadsheetCSV([[f]]).text, `\uFEFF${want}\r\n`);
    const plain = ["-5", "-1.10", "37400068", "a=b", "x@y.org", "2020-01-01"];
    assert.equal(m.spreadsheetCSV(plain.map((p) => [p])).guarded, 0);
  });

  const source = ["https://example.org/d"];
  const line = (data, more = {}) => ({ type: "line", data: { labels: data.map((_, i) => `L${i}`), datasets: [{ data }] }, ...more });
  const withChart = (chart) => ({ sources: source, charts: [chart] });

  await test("results that are accepted", () => {
    const good = [
      { sources: source },
      { sources: ["http://[::1]:8080/x?y=1#z", { url: "https://example.org", title: "T", publisher: "P", license: "CC0", retrieved_at: "2026-11-01", period: "2020" }] },
      { sources: source, table: [["a"]] },
      { sources: source, table: [["a", "b"], [1, null], ["x", false]] },
      { sources: source, charts: [], force: "" },
      { sources: source, force: "𝔸".repeat(4000) },
      withChart(line([1, null, -3.5])),
      withChart(line([1e15, -1e15])),
      withChart({ type: "bubble", data: { datasets: [{ data: [{ x: 1, y: 2, r: 3 }] }] } }),
      withChart(line([1, 2], { alt: "a", options: { indexAxis: "y", plugins: { title: { text: "t" }, subtitle: { text: "s", display: false }, legend: { position: "right", display: true } }, scales: { x: { beginAtZero: true, title: { text: "x" } }, y: { type: "category" } } } })),
      withChart({ type: "pie", data: { labels: ["a"], datasets: [{ data: [1], backgroundColor: ["#abc", "rgb(1, 2, 3)", "rgba(1,2,3,0.5)", "rgb(10% 20% 30%)", "#11223344"] }] } }),
    ];
    for (const result of good) assert.doesNotThrow(() => m.readResult(structuredClone(result)), JSON.stringify(result).slice(0, 200));
  });

  const refused = [
    [null, "structuredContent: not an object"],
    [[], "structuredContent: not an object"],
    [{}, "sources: required but missing"],
    [{ sources: null }, "sources: not a list"],
    [{ sources: [] }, "sources: fewer than 1 items"],
    [{ sources: source, more: 1 }, 'more: not an allowed field'],
    [{ sources: source, ["x".repeat(1 << 20)]: 1 }, "structuredContent: a field whose name is no plain word"],
    [{ sources: Array(51).fill(source[0]) }, "sources: more than 50 items"],
    ...["javascript:alert(1)", "data:text/html,x", "/relative", "//host/x", "ftp://example.org", "https://", "http://a b", "https://example.org/<x>", "https://example.org/\u202egpj", "https://example.org/\u200b", "https://example.org/\ud800", "https://[", " https://example.org", "HTTPS://example.org"].map((url) => [{ sources: [url] }, "sources[0]: "]),
    [{ sources: ["https://user:secret@example.org/"] }, "sources[0]: a URL that carries credentials"],
    [{ sources: ["https://@example.org/"] }, "sources[0]: a URL that carries credentials"],
    [{ sources: ["https://user@example.org/"] }, "sources[0]: a URL that carries credentials"],
    [{ sources: [{ title: "no url" }] }, "sources[0].url: required but missing"],
    [{ sources: [{ url: "https://e.org", href: "x" }] }, 'sources[0].href: not an allowed field'],
    [{ sources: [{ url: "https://e.org", title: "x".repeat(301) }] }, "sources[0].title: longer than 300 characters"],
    [{ sources: source, table: [] }, "table: fewer than 1 items"],
    [{ sources: source, table: null }, "table: not a list"],
    [{ sources: source, table: [["a", "a"]] }, "table[0][1]: a header that stands twice"],
    [{ sources: source, table: [["a", " "]] }, "table[0][1]: an empty header"],
    [{ sources: source, table: [["a", 1]] }, "table[0][1]: not text"],
    [{ sources: source, table: [["a", "b"], [1]] }, "table[1]: not as long as the header"],
    [{ sources: source, table: [["a"], [[1]]] }, "table[1][0]: not text, number, boolean or null"],
    [{ sources: source, table: [["a"], [NaN]] }, "table[1][0]: not a finite number"],
    [{ sources: source, table: [["a"], ["x".repeat(2001)]] }, "table[1][0]: longer than 2000 characters"],
    [{ sources: source, table: [["a"], ...Array(5001).fill([1])] }, "table: more than 5001 items"],
    [{ sources: source, table: [["a"], ...Array(600).fill(["x".repeat(2000)])] }, "table: larger than 1 MiB"],
    [{ sources: source, table: [Array.from({ length: 61 }, (_, i) => `c${i}`)] }, "table[0]: more than 60 items"],
    [{ sources: source, force: "x".repeat(4001) }, "force: longer than 4000 characters"],
    [{ sources: source, force: 1 }, "force: not text"],
    [{ sources: source, charts: Array(9).fill(line([1])) }, "charts: more than 8 items"],
    [withChart({ ...line([1]), type: "gauge" }), "charts[0].type: not one of"],
    [withChart(line(["1,234"])), "charts[0].data.datasets[0].data[0]: not a finite number"],
    [withChart(line([1, 1e308])), "charts[0].data.datasets[0].data[1]: more than 1000000000000000"],
    [withChart(line([Infinity])), "charts[0].data.datasets[0].data[0]: not a finite number"],
    [withChart({ type: "line", data: { labels: ["a", "b"], datasets: [{ data: [1] }] } }), "charts[0].data.datasets[0].data: not as long as labels"],
    [withChart({ type: "line", data: { datasets: [{ data: [1] }] } }), "charts[0].data.labels: required but missing"],
    [withChart({ type: "line", data: { labels: [], datasets: {} } }), "charts[0].data.datasets: not a list"],
    [withChart({ type: "line", data: { labels: ["x".repeat(1 << 20)], datasets: [{ data: [1] }] } }), "charts[0].data.labels[0]: longer than 200 characters"],
    [withChart({ type: "pie", data: { labels: ["a"], datasets: [{ data: [-1] }] } }), "charts[0].data.datasets[0].data[0]: less than 0"],
    [withChart({ type: "pie", data: { labels: ["a"], datasets: [{ data: [null] }] } }), "charts[0].data.datasets[0].data[0]: not a finite number"],
    [withChart({ type: "scatter", data: { datasets: [{ data: [{ x: 1 }] }] } }), "charts[0].data.datasets[0].data[0].y: required but missing"],
    [withChart({ type: "bubble", data: { datasets: [{ data: [{ x: 1, y: 1, r: 101 }] }] } }), "charts[0].data.datasets[0].data[0].r: more than 100"],
    [withChart({ type: "scatter", data: { datasets: Array(6).fill({ data: Array(2000).fill({ x: 1, y: 1 }) }) } }), "charts[0].data.datasets: more than 10000 points in all"],
    [withChart({ type: "scatter", data: { datasets: Array(25).fill({ data: [] }) } }), "charts[0].data.datasets: more than 24 items"],
    [withChart({ ...line([1]), plugins: [] }), 'charts[0].plugins: not an allowed field'],
    ...["parsing", "locale", "devicePixelRatio", "aspectRatio", "font", "animation", "events", "onClick"].map((name) => [withChart(line([1], { options: { [name]: 1 } })), `charts[0].options.${name}: not an allowed field`]),
    [withChart(line([1], { options: { scales: { x: { type: "time" } } } })), "charts[0].options.scales.x.type: not one of"],
    [withChart(line([1], { options: { scales: { z: {} } } })), 'charts[0].options.scales.z: not an allowed field'],
    [withChart(line([1], { options: { plugins: { tooltip: {} } } })), 'charts[0].options.plugins.tooltip: not an allowed field'],
    [withChart(line([1], { options: { plugins: { title: { text: ["a"] } } } })), "charts[0].options.plugins.title.text: not text"],
    ...["red", "url(#x)", "rgb(,,,,,)", "rgb(1,2)", "#12345", "hsl(1,2%,3%)", "rgb(1.2.3,4,5)"].map((c) => [withChart({ type: "bar", data: { labels: ["a"], datasets: [{ data: [1], backgroundColor: c }] } }), "charts[0].data.datasets[0].backgroundColor: not a hex or rgb colour"]),
    [withChart({ type: "bar", data: { labels: ["a"], datasets: [{ data: [1], order: 1.5 }] } }), "charts[0].data.datasets[0].order: not a whole number"],
    [withChart({ type: "bar", data: { labels: ["a"], datasets: [{ data: [1], tension: 2 }] } }), "charts[0].data.datasets[0].tension: more than 1"],
    [withChart(JSON.parse('{"type":"bar","data":{"labels":["a"],"datasets":[{"data":[1],"__proto__":{"hidden":true}}]}}')), 'charts[0].data.datasets[0].__proto__: not an allowed field'],
  ];
  await test(`results that are refused, place first (${refused.length})`, () => {
    for (const [result, want] of refused) {
      assert.throws(() => m.readResult(result), (error) => {
        assert.equal(error.name, "Breach", `${want}: ${error}`);
        assert.ok(error.message.startsWith(want), `${JSON.stringify(error.message)} for ${want}`);
        assert.ok(error.message.length < 200);
        return true;
      }, want);
    }
  });

  await test("the server's own cases: what it lets out is drawn, what its schema refuses is refused here, at the same place", async () => {
    const cases = JSON.parse(await readFile(new URL("../../testdata/check.json", import.meta.url), "utf8"));
    assert.ok(cases.length > 100);
    // The server counts digits that no JSON.parse keeps: 1e400 arrives as Infinity, a hair above 1e15 as 1e15.
    const pastFloats = new Map([["table: cell past a float", "table[1][0]"], ["chart: a hair past the bound", undefined], ["chart: huge negative exponent", undefined]]);
    for (const { name, doc, want, stricter } of cases) {
      let place;
      try {
        m.readResult(doc);
      } catch (error) {
        assert.equal(error.name, "Breach", `${name}: ${error}`);
        place = error.place;
      }
      if (pastFloats.has(name)) assert.equal(place, pastFloats.get(name), name);
      else if (want.length === 0) assert.equal(place, undefined, name);
      else if (place !== undefined) assert.ok(want.some((line) => line.startsWith(place)), `${name}: ${place} for ${want}`);
      else assert.ok(stricter, `${name}: accepted`);
    }
  });

  await test("charts that cannot be drawn truthfully", () => {
    const bar = (data, scales, more = {}) => ({ type: "bar", data: { labels: data.map((_, i) => `L${i}`), datasets: [{ data, ...more }] }, options: { scales } });
    const cases = [
      [line([1, 2]), undefined],
      [line([null, null]), "empty"],
      [line([]), "empty"],
      [{ type: "pie", data: { labels: ["a", "b"], datasets: [{ data: [0, 0] }] } }, "zero"],
      [bar([1, 0], { y: { type: "logarithmic" } }), "logarithm"],
      [bar([1, 10], { y: { type: "logarithmic" } }), undefined],
      [bar([1, 10], { y: { type: "logarithmic", min: 0 } }), "logarithm"],
      [bar([1, 10], { y: { min: 5, max: 5 } }), "range"],
      [bar([1], { y: { type: "category" } }), "axis"],
      [bar([1], { x: { type: "linear" } }), "axis"],
      [bar([1], { x: { min: 0 } }), "axis"],
      [{ type: "line", data: { labels: [1, "2.5"], datasets: [{ data: [1, 2] }] }, options: { scales: { x: { type: "linear" } } } }, undefined],
      [{ type: "line", data: { labels: ["1,000"], datasets: [{ data: [1] }] }, options: { scales: { x: { type: "linear" } } } }, "axis"],
      [{ type: "radar", data: { labels: ["a"], datasets: [{ data: [1] }] }, options: { scales: { r: { type: "logarithmic" } } } }, "axis"],
      [{ type: "pie", data: { labels: ["a"], datasets: [{ data: [1], type: "bar" }] } }, "mixed"],
      [bar([1], {}, { type: "line" }), undefined],
      [{ type: "bar", data: { labels: ["a"], datasets: [{ data: [1], yAxisID: "y1" }] }, options: { indexAxis: "y" } }, "axis"],
    ];
    for (const [chart, want] of cases) assert.equal(m.obstacle(m.readResult(withChart(chart)).charts[0]), want, JSON.stringify(chart));
    const [spec] = m.readResult(withChart(bar([1, 5, 9, 11], { y: { min: 2, max: 10 } }))).charts;
    assert.equal(m.hiddenValues(spec), 2);
  });

  await test("a sentence for each chart, in three languages", () => {
    const [spec] = m.readResult(withChart({ type: "bar", data: { labels: ["Tokyo", "Delhi"], datasets: [{ label: "Population", data: [37400068, 30290936] }] } })).charts;
    assert.equal(m.summarise(spec, m.textsFor("en-GB")), "Bar chart of Population: 2 values, lowest 30,290,936 (Delhi), highest 37,400,068 (Tokyo).");
    assert.equal(m.summarise(spec, m.textsFor("pt-BR")), "Gráfico de barras de Population: 2 valores, menor 30.290.936 (Delhi), maior 37.400.068 (Tokyo).");
    assert.equal(m.summarise(spec, m.textsFor("es")), "Gráfico de barras de Population: 2 valores, mínimo 30.290.936 (Delhi), máximo 37.400.068 (Tokyo).");
    for (const tag of [undefined, "", "ja", "not a tag", "x".repeat(5000), "pt_BR"]) assert.ok(m.textsFor(tag).language.length < 10);
  });
}
