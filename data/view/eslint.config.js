// ESLint's and typescript-eslint's rules for the view and for the gateway's page, whose configuration is this one too.
import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import typescript from "typescript-eslint";

export default defineConfig(
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.ts"],
    extends: [js.configs.recommended, typescript.configs.strictTypeChecked, typescript.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // The compiler asks at every index; where the index is known to be there, "!" says so.
      "@typescript-eslint/no-non-null-assertion": "off",
      // An empty text counts as none.
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
      // Numbers read the same in a template as anywhere, and an arrow that returns nothing may be one line.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
    },
  },
);
