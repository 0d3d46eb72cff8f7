// Builds the page's one script and one style into the folder that the gateway embeds.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

// What the script carries of others, with the notices that their licences ask to keep.
const carried = ["chart.js", "@kurkle/color"];

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

function notices() {
  const texts = carried.map((name) => `${name}\n${readFileSync(here(`node_modules/${name}/LICENSE.md`), "utf8").trim()}`);
  return {
    name: "notices",
    enforce: "post",
    generateBundle(_, bundle) {
      bundle["app.js"].code = `/*\n${texts.join("\n\n")}\n*/\n${bundle["app.js"].code}`;
    },
  };
}

export default defineConfig({
  plugins: [notices()],
  // The portable view's modules are drawn in from next door and find their one dependency here.
  resolve: { alias: { "chart.js": here("node_modules/chart.js/dist/chart.js") } },
  build: {
    target: "es2022",
    outDir: "../assets",
    emptyOutDir: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      input: "src/main.ts",
      output: { entryFileNames: "app.js", assetFileNames: "app[extname]", codeSplitting: false },
    },
  },
});
