// The modules that need no page, bundled so that plain Node can test them.

export { cellText, isGrouped, isNumeric, mayBeRounded, order, rounded } from "../src/cell";
export { compare, decimal, isNumber } from "../src/decimal";
export { marksOf, withMarks, withoutMarks } from "../src/marks";
export { configure } from "../src/configuration";
export { readSpec } from "../src/spec";
export { exactCSV, spreadsheetCSV } from "../src/csv";
export { readResult } from "../src/result";
export { obstacle, hiddenValues } from "../src/obstacle";
export { summarise, rowsOf } from "../src/summary";
export { textsFor } from "../src/texts";
