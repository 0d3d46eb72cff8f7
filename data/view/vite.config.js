// Builds the view into one HTML file: script and style inlined, and a policy in the page that admits this script alone.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

// What the page carries of others, with the notices that their licences ask to keep.
const carried = ["chart.js", "@kurkle/color"];

function notices() {
  return carried.map((name) => `${name}\n${readFileSync(new URL(`node_modules/${name}/LICENSE.md`, import.meta.url), "utf8").trim()}`).join("\n\n");
}

function singleFile() {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const page = files.find((f) => f.fileName === "view.html");
      const script = files.find((f) => f.type === "chunk");
      const style = files.find((f) => f.fileName.endsWith(".css"));
      if (files.length !== 3 || !page || !script || !style) {
        throw new Error(`expected page, script and style; got ${files.map((f) => f.fileName).join(", ")}`);
      }
      // A classic script runs where it stands, so it needs no module loader; "</script" and "<!--" would end or bend it.
      const code = `(()=>{${script.code.trim()}\n})();`.replace(/<(\/script|!--)/gi, "\\x3C$1");
      const hash = createHash("sha256").update(code).digest("base64");
      page.source = String(page.source)
        .replace(/<script type="module"[^>]*><\/script>\s*/, "")
        .replace(/<link rel="stylesheet"[^>]*>\s*/, "")
        .replace("{{script-hash}}", () => hash)
        .replace("</head>", () => `<style>${style.source.toString().trim()}</style>\n<!--\n${notices()}\n-->\n</head>`)
        .replace("</body>", () => `<script>${code}</script>\n</body>`);
      delete bundle[script.fileName];
      delete bundle[style.fileName];
    },
  };
}

export default defineConfig({
  plugins: [singleFile()],
  build: {
    target: "es2021",
    outDir: "../assets",
    emptyOutDir: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: { input: "view.html" },
  },
});
