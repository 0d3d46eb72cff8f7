// Runs every test of the view: the modules in plain Node, then the built page in headless Chromium through the reference
// AppBridge. Needs a built ../assets/view.html and Debian's chromium (apt-get install chromium), or CHROMIUM=path.
// With SHOTS=folder it takes screenshots into that folder instead of the page's tests.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { openBrowser } from "./browser.mjs";
import { moduleTests } from "./module-tests.mjs";
import { pageTests } from "./page-tests.mjs";
import { takeShots } from "./shots.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const policies = {
  "/view": "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; require-trusted-types-for 'script'",
  "/view-open": "",
};

const work = await mkdtemp(join(tmpdir(), "view-test-"));
const results = { passed: 0, failed: 0 };

async function test(name, run) {
  try {
    await run();
    results.passed++;
    console.log(`ok   ${name}`);
  } catch (error) {
    results.failed++;
    console.log(`FAIL ${name}\n     ${String(error?.stack ?? error).replaceAll("\n", "\n     ")}`);
  }
}

async function bundle(entry, name) {
  await build({
    configFile: false,
    root: here,
    logLevel: "error",
    build: { outDir: work, emptyOutDir: false, target: "es2022", lib: { entry: join(here, entry), formats: ["es"], fileName: () => name } },
  });
}

async function serve() {
  const view = await readFile(join(here, "../../assets/view.html"));
  const script = await readFile(join(work, "host.mjs"));
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,"></head><body style="margin:0"><script type="module" src="/host.mjs"></script></body></html>`;
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://127.0.0.1").pathname;
    if (path === "/") return response.writeHead(200, { "content-type": "text/html" }).end(page);
    if (path === "/host.mjs") return response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    if (!(path in policies)) return response.writeHead(404).end();
    const policy = policies[path] === "" ? {} : { "content-security-policy": policies[path] };
    response.writeHead(200, { "content-type": "text/html", ...policy }).end(view);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((resolve) => server.close(resolve)) };
}

let server, browser;
try {
  await bundle("modules.ts", "modules.mjs");
  await bundle("host.ts", "host.mjs");
  await moduleTests(test, await import(pathToFileURL(join(work, "modules.mjs"))));
  server = await serve();
  browser = await openBrowser(server.url, join(work, "profile"));
  if (process.env.SHOTS) await takeShots(browser, process.env.SHOTS);
  else await pageTests(test, browser);
} catch (error) {
  results.failed++;
  console.log(`FAIL the run itself\n     ${error?.stack ?? error}`);
} finally {
  await browser?.close();
  await server?.close();
  await rm(work, { recursive: true, force: true });
}
console.log(`${results.passed} passed, ${results.failed} failed`);
process.exitCode = results.failed > 0 ? 1 : 0;
