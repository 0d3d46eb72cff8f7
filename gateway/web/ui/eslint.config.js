export { default } from "../../../data/view/eslint.config.js";
