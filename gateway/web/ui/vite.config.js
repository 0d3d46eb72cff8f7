// Builds the page's one script and one style into the folder that the gateway embeds.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// The licences of what the script carries of others ask to stay with it; Vite collects them.
function notices() {
  return {
    name: "notices",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        bundle["app.js"].code = `/*\n${bundle["notices.md"].source.trim()}\n*/\n${bundle["app.js"].code}`;
      },
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
    license: { fileName: "notices.md" },
    cssCodeSplit: false,
    rolldownOptions: {
      input: "src/main.ts",
      output: { entryFileNames: "app.js", assetFileNames: "app[extname]", codeSplitting: false },
    },
  },
});
