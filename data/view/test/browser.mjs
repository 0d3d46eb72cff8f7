// A headless Chromium with the host page open, and what a test may ask of it: start a view, send it a result, read its
// charts out of the frame's own heap, and the list of everything that went wrong or over the network.

import { chromium } from "playwright-core";

export async function openBrowser(url, profile) {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    viewport: { width: 860, height: 900 },
    acceptDownloads: true,
    colorScheme: "light",
    locale: "en-US",
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const faults = [];
  const requests = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`page error: ${error}`));
  context.on("request", (request) => requests.push(request.url()));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(url);
  await page.waitForFunction(() => window.host !== undefined);

  const frame = () => page.frames().find((f) => f !== page.mainFrame());

  return {
    page,
    frame,
    faults,
    requests,
    url,
    close: () => context.close(),

    async start({ hostContext = {}, abilities = { downloadFile: {} }, sandbox = "allow-scripts", refuse = false, path = "/view", width = 860 } = {}) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((a) => window.host.start(...a), [path, { theme: "light", locale: "en", ...hostContext }, abilities, sandbox, refuse]);
    },

    /** show sends structured content as a tool result and waits until the view has dealt with it. */
    async show(structuredContent, rest = {}) {
      await this.result({ content: [{ type: "text", text: "said to the model" }], structuredContent, ...rest });
    },

    async result(params, raw = false) {
      await frame().evaluate(() => document.getElementById("answer").replaceChildren());
      await page.evaluate(([p, r]) => (r ? window.host.raw(p) : window.host.result(p)), [params, raw]);
      await frame().waitForFunction(() => document.getElementById("answer").childElementCount > 0);
    },

    /** charts are the live Chart.js charts as plain data, found in the frame's heap: the page exposes none. */
    async charts() {
      const session = await context.newCDPSession(frame());
      try {
        const { result: maps } = await session.send("Runtime.evaluate", { expression: "Map.prototype" });
        const { objects } = await session.send("Runtime.queryObjects", { prototypeObjectId: maps.objectId });
        const { result } = await session.send("Runtime.callFunctionOn", { objectId: objects.objectId, functionDeclaration: String(readCharts), returnByValue: true });
        return result.value;
      } finally {
        await session.detach();
      }
    },
  };
}

// Chart.js' animator keys a map by chart; a destroyed chart leaves it.
function readCharts() {
  const charts = new Set();
  for (const map of this) {
    for (const key of map.keys()) {
      if (key && typeof key === "object" && Array.isArray(key._metasets) && key.canvas?.isConnected) charts.add(key);
    }
  }
  const place = (chart) => [...document.querySelectorAll("canvas")].indexOf(chart.canvas);
  return [...charts].sort((a, b) => place(a) - place(b)).map((chart) => {
    const canvas = chart.canvas;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    return {
      type: chart.config.type,
      labels: chart.data.labels,
      parsed: chart.data.datasets.map((_, i) => chart.getDatasetMeta(i)._parsed.map((p) => (typeof p === "number" ? p : { ...p, _stacks: undefined, _custom: p._custom }))),
      kinds: chart.data.datasets.map((_, i) => chart.getDatasetMeta(i).type),
      visible: chart.data.datasets.map((_, i) => chart.isDatasetVisible(i)),
      slices: (chart.data.labels ?? []).map((_, i) => chart.getDataVisibility(i)),
      scales: Object.fromEntries(Object.entries(chart.scales).map(([id, s]) => [id, { type: s.type, min: s.min, max: s.max, position: s.position, ticks: s.ticks?.map((t) => t.label) }])),
      tooltip: chart.data.datasets.map((_, i) => chart.getDatasetMeta(i)._parsed.map((_, k) => chart.options.plugins.tooltip.callbacks.label({ datasetIndex: i, dataIndex: k }))),
      colours: chart.data.datasets.map((d) => [d.backgroundColor, d.borderColor]),
      inked: pixels.reduce((n, p) => n + (p !== 0 ? 1 : 0), 0),
    };
  });
}
