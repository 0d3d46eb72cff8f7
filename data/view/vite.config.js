// Builds the view into one HTML file: script and style inlined, a policy in the page that admits this script alone, and the
// notices that the licences of what it carries ask to keep; Vite collects them.
import { createHash } from "node:crypto";
import { defineConfig } from "vite";

function singleFile() {
  return {
    name: "single-file",
    generateBundle: { order: "post", handler: intoOne },
  };
}

function intoOne(_, bundle) {
  const files = Object.values(bundle);
  const page = files.find((f) => f.fileName === "view.html");
  const script = files.find((f) => f.type === "chunk");
  const style = files.find((f) => f.fileName.endsWith(".css"));
  const notices = bundle["notices.md"];
  if (files.length !== 4 || !page || !script || !style || !notices) {
    throw new Error(`expected page, script, style and notices; got ${files.map((f) => f.fileName).join(", ")}`);
  }
  // A classic script runs where it stands, so it needs no module loader; "</script" and "<!--" would end or bend it.
  const code = `(()=>{${script.code.trim()}\n})();`.replace(/<(\/script|!--)/gi, "\\x3C$1");
  const hash = createHash("sha256").update(code).digest("base64");
  page.source = String(page.source)
    .replace(/<script type="module"[^>]*><\/script>\s*/, "")
    .replace(/<link rel="stylesheet"[^>]*>\s*/, "")
    .replace("{{script-hash}}", () => hash)
    .replace("</head>", () => `<style>${style.source.toString().trim()}</style>\n<!--\n${notices.source.trim()}\n-->\n</head>`)
    .replace("</body>", () => `<script>${code}</script>\n</body>`);
  delete bundle[script.fileName];
  delete bundle[style.fileName];
}

export default defineConfig({
  plugins: [singleFile()],
  build: {
    target: "es2021",
    outDir: "../assets",
    emptyOutDir: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    license: { fileName: "notices.md" },
    rolldownOptions: { input: "view.html" },
  },
});
