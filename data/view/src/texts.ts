// The words of the interface in English, Portuguese and Spanish. Data is never translated.

import { marksOf, type Marks } from "./marks";
import type { Kind } from "./spec";
import type { Obstacle } from "./obstacle";

/** A value and its position, both as they are shown. */
export interface Extreme {
  value: string;
  where: string;
}

export interface Texts {
  language: string;
  marks: Marks;
  count(n: number): string;
  list(items: readonly string[]): string;
  kinds: Record<Kind, string>;

  loading: string;
  alone: string;
  empty: string;
  noRows: string;
  cancelled: string;
  toolFailed: string;
  refused: string;
  refusedWhy: string;
  nothingSent: string;

  sources: string;
  chart(i: number): string;
  retrieved(when: string): string;
  notOpened(url: string): string;

  tableCaption(rows: number, columns: number): string;
  tableDrawn(rows: number): string;
  sorted(column: string, descending: boolean): string;
  unsorted: string;
  pages: string;
  previous: string;
  next: string;
  range(from: number, to: number, all: number): string;
  rounded(n: number): string;
  notPrinted(n: number): string;

  exactFile: string;
  spreadsheetFile: string;
  spreadsheetHint: string;
  saved(name: string): string;
  notSaved: string;
  fileText: string;
  guarded(n: number): string;

  value: string;
  series(i: number): string;
  others(n: number): string;
  legend: string;
  dataOf: string;
  label: string;
  seriesColumn: string;
  of(kind: string, names: string): string;
  summary(subject: string, count: number, low: Extreme, high: Extreme): string;
  noValues(subject: string): string;
  notDrawn: string;
  obstacles: Record<Obstacle, string>;
  clipped(n: number): string;
}

const en = (language: string): Texts => {
  const { count, list, many } = numbers(language);
  return {
    language,
    marks: marksOf(language),
    count,
    list,
    kinds: {
      line: "Line chart", bar: "Bar chart", pie: "Pie chart", doughnut: "Doughnut chart", scatter: "Scatter chart",
      bubble: "Bubble chart", radar: "Radar chart", polarArea: "Polar area chart",
    },
    loading: "Waiting for the data…",
    alone: "This page draws the data of a tool inside an application. Opened on its own it has nothing to show.",
    empty: "The tool gave its sources, but no table, chart or text to show.",
    noRows: "The table has no rows.",
    cancelled: "The call was cancelled.",
    toolFailed: "The tool could not answer",
    refused: "These data are not shown",
    refusedWhy: "The answer breaks a rule that protects its numbers. Place and rule:",
    nothingSent: "The application passed on no data from the tool.",
    sources: "Sources",
    chart: (i) => `Chart ${count(i)}`,
    retrieved: (when) => `retrieved ${when}`,
    notOpened: (url) => `The application did not open ${url}`,
    tableCaption: (rows, columns) => `${many(rows, "row", "rows")}, ${many(columns, "column", "columns")}`,
    tableDrawn: (rows) => `Table with ${many(rows, "row", "rows")}`,
    sorted: (column, descending) => `Sorted by ${column}, ${descending ? "descending" : "ascending"}`,
    unsorted: "In the original order",
    pages: "Table pages",
    previous: "Previous",
    next: "Next",
    range: (from, to, all) => `Rows ${count(from)}–${count(to)} of ${count(all)}`,
    rounded: (n) => `† ${many(n, "whole number is", "whole numbers are")} too large for some applications to pass on exactly: the last digits may have been rounded on the way.`,
    notPrinted: (n) => `${many(n, "row is", "rows are")} not on paper; the CSV file has them all.`,
    exactFile: "Download CSV",
    spreadsheetFile: "CSV for spreadsheets",
    spreadsheetHint: "Cells that a spreadsheet would run as formulas get a leading apostrophe",
    saved: (name) => `Passed on for saving: ${name}`,
    notSaved: "If no file was saved, the application does not allow it. You can copy the text instead:",
    fileText: "The file’s text",
    guarded: (n) => `${many(n, "cell", "cells")} that would run as a formula got a leading apostrophe.`,
    value: "Value",
    series: (i) => `Series ${count(i)}`,
    others: (n) => `${count(n)} more`,
    legend: "Show or hide",
    dataOf: "Data of this chart",
    label: "Label",
    seriesColumn: "Series",
    of: (kind, names) => `${kind} of ${names}`,
    summary: (subject, n, low, high) =>
      n === 1
        ? `${subject}: one value, ${high.value} (${high.where}).`
        : `${subject}: ${many(n, "value", "values")}, lowest ${low.value} (${low.where}), highest ${high.value} (${high.where}).`,
    noValues: (subject) => `${subject}: no values.`,
    notDrawn: "Not drawn.",
    obstacles: {
      empty: "There is no value to draw.",
      zero: "All values are zero.",
      logarithm: "A logarithmic axis cannot show zero or less.",
      range: "An axis begins at or after its own end.",
      axis: "An axis type does not fit the data.",
      mixed: "A series has a type that does not fit this chart.",
      failed: "The drawing library failed on these data.",
    },
    clipped: (n) => `${many(n, "value lies", "values lie")} outside the range of the axis.`,
  };
};

const pt = (language: string): Texts => {
  const { count, list, many } = numbers(language);
  return {
    language,
    marks: marksOf(language),
    count,
    list,
    kinds: {
      line: "Gráfico de linhas", bar: "Gráfico de barras", pie: "Gráfico de pizza", doughnut: "Gráfico de rosca",
      scatter: "Gráfico de dispersão", bubble: "Gráfico de bolhas", radar: "Gráfico de radar", polarArea: "Gráfico de área polar",
    },
    loading: "Aguardando os dados…",
    alone: "Esta página desenha os dados de uma ferramenta dentro de um aplicativo. Aberta sozinha, não tem o que mostrar.",
    empty: "A ferramenta deu suas fontes, mas nenhuma tabela, gráfico ou texto para mostrar.",
    noRows: "A tabela não tem linhas.",
    cancelled: "A chamada foi cancelada.",
    toolFailed: "A ferramenta não pôde responder",
    refused: "Estes dados não são mostrados",
    refusedWhy: "A resposta fere uma regra que protege seus números. Lugar e regra:",
    nothingSent: "O aplicativo não repassou dados da ferramenta.",
    sources: "Fontes",
    chart: (i) => `Gráfico ${count(i)}`,
    retrieved: (when) => `obtido em ${when}`,
    notOpened: (url) => `O aplicativo não abriu ${url}`,
    tableCaption: (rows, columns) => `${many(rows, "linha", "linhas")}, ${many(columns, "coluna", "colunas")}`,
    tableDrawn: (rows) => `Tabela com ${many(rows, "linha", "linhas")}`,
    sorted: (column, descending) => `Ordenado por ${column}, ${descending ? "decrescente" : "crescente"}`,
    unsorted: "Na ordem original",
    pages: "Páginas da tabela",
    previous: "Anterior",
    next: "Próxima",
    range: (from, to, all) => `Linhas ${count(from)}–${count(to)} de ${count(all)}`,
    rounded: (n) => `† ${many(n, "número inteiro é grande", "números inteiros são grandes")} demais para que alguns aplicativos o repassem com exatidão: os últimos dígitos podem ter sido arredondados no caminho.`,
    notPrinted: (n) => `${many(n, "linha não está", "linhas não estão")} no papel; o arquivo CSV tem todas.`,
    exactFile: "Baixar CSV",
    spreadsheetFile: "CSV para planilhas",
    spreadsheetHint: "Células que uma planilha executaria como fórmula recebem um apóstrofo no início",
    saved: (name) => `Enviado para salvar: ${name}`,
    notSaved: "Se nenhum arquivo foi salvo, o aplicativo não o permite. Você pode copiar o texto:",
    fileText: "O texto do arquivo",
    guarded: (n) => `${many(n, "célula que seria executada", "células que seriam executadas")} como fórmula: apóstrofo acrescentado no início.`,
    value: "Valor",
    series: (i) => `Série ${count(i)}`,
    others: (n) => `mais ${count(n)}`,
    legend: "Mostrar ou ocultar",
    dataOf: "Dados deste gráfico",
    label: "Rótulo",
    seriesColumn: "Série",
    of: (kind, names) => `${kind} de ${names}`,
    summary: (subject, n, low, high) =>
      n === 1
        ? `${subject}: um valor, ${high.value} (${high.where}).`
        : `${subject}: ${many(n, "valor", "valores")}, menor ${low.value} (${low.where}), maior ${high.value} (${high.where}).`,
    noValues: (subject) => `${subject}: sem valores.`,
    notDrawn: "Não desenhado.",
    obstacles: {
      empty: "Não há valor a desenhar.",
      zero: "Todos os valores são zero.",
      logarithm: "Um eixo logarítmico não mostra zero nem menos.",
      range: "Um eixo começa no seu próprio fim ou depois dele.",
      axis: "O tipo de um eixo não serve para os dados.",
      mixed: "Uma série tem um tipo que não serve para este gráfico.",
      failed: "A biblioteca de desenho falhou com estes dados.",
    },
    clipped: (n) => `${many(n, "valor fica", "valores ficam")} fora do intervalo do eixo.`,
  };
};

const es = (language: string): Texts => {
  const { count, list, many } = numbers(language);
  return {
    language,
    marks: marksOf(language),
    count,
    list,
    kinds: {
      line: "Gráfico de líneas", bar: "Gráfico de barras", pie: "Gráfico circular", doughnut: "Gráfico de anillo",
      scatter: "Gráfico de dispersión", bubble: "Gráfico de burbujas", radar: "Gráfico de radar", polarArea: "Gráfico de área polar",
    },
    loading: "Esperando los datos…",
    alone: "Esta página dibuja los datos de una herramienta dentro de una aplicación. Abierta por sí sola no tiene nada que mostrar.",
    empty: "La herramienta dio sus fuentes, pero ninguna tabla, gráfico o texto que mostrar.",
    noRows: "La tabla no tiene filas.",
    cancelled: "La llamada fue cancelada.",
    toolFailed: "La herramienta no pudo responder",
    refused: "Estos datos no se muestran",
    refusedWhy: "La respuesta incumple una regla que protege sus números. Lugar y regla:",
    nothingSent: "La aplicación no pasó datos de la herramienta.",
    sources: "Fuentes",
    chart: (i) => `Gráfico ${count(i)}`,
    retrieved: (when) => `obtenido ${when}`,
    notOpened: (url) => `La aplicación no abrió ${url}`,
    tableCaption: (rows, columns) => `${many(rows, "fila", "filas")}, ${many(columns, "columna", "columnas")}`,
    tableDrawn: (rows) => `Tabla con ${many(rows, "fila", "filas")}`,
    sorted: (column, descending) => `Ordenado por ${column}, ${descending ? "descendente" : "ascendente"}`,
    unsorted: "En el orden original",
    pages: "Páginas de la tabla",
    previous: "Anterior",
    next: "Siguiente",
    range: (from, to, all) => `Filas ${count(from)}–${count(to)} de ${count(all)}`,
    rounded: (n) => `† ${many(n, "número entero es", "números enteros son")} demasiado grandes para que algunas aplicaciones los pasen con exactitud: los últimos dígitos pueden haberse redondeado en el camino.`,
    notPrinted: (n) => `${many(n, "fila no está", "filas no están")} en papel; el archivo CSV las tiene todas.`,
    exactFile: "Descargar CSV",
    spreadsheetFile: "CSV para hojas de cálculo",
    spreadsheetHint: "Las celdas que una hoja de cálculo ejecutaría como fórmula reciben un apóstrofo inicial",
    saved: (name) => `Enviado para guardar: ${name}`,
    notSaved: "Si no se guardó ningún archivo, la aplicación no lo permite. Puede copiar el texto:",
    fileText: "El texto del archivo",
    guarded: (n) => `${many(n, "celda que se ejecutaría", "celdas que se ejecutarían")} como fórmula: apóstrofo inicial añadido.`,
    value: "Valor",
    series: (i) => `Serie ${count(i)}`,
    others: (n) => `${count(n)} más`,
    legend: "Mostrar u ocultar",
    dataOf: "Datos de este gráfico",
    label: "Etiqueta",
    seriesColumn: "Serie",
    of: (kind, names) => `${kind} de ${names}`,
    summary: (subject, n, low, high) =>
      n === 1
        ? `${subject}: un valor, ${high.value} (${high.where}).`
        : `${subject}: ${many(n, "valor", "valores")}, mínimo ${low.value} (${low.where}), máximo ${high.value} (${high.where}).`,
    noValues: (subject) => `${subject}: sin valores.`,
    notDrawn: "No dibujado.",
    obstacles: {
      empty: "No hay ningún valor que dibujar.",
      zero: "Todos los valores son cero.",
      logarithm: "Un eje logarítmico no muestra cero ni menos.",
      range: "Un eje empieza en su propio final o después.",
      axis: "El tipo de un eje no encaja con los datos.",
      mixed: "Una serie tiene un tipo que no encaja en este gráfico.",
      failed: "La biblioteca de dibujo falló con estos datos.",
    },
    clipped: (n) => `${many(n, "valor queda", "valores quedan")} fuera del intervalo del eje.`,
  };
};

/** textsFor picks the language of a BCP 47 tag; what is not Portuguese or Spanish is English. */
export function textsFor(tag: string | undefined): Texts {
  const language = tag === undefined ? "en" : canonical(tag);
  switch (language.split("-")[0]) {
    case "pt": return pt(language);
    case "es": return es(language);
    case "en": return en(language);
    default: return en("en");
  }
}

// A host's tag may be malformed, and Intl throws on that.
function canonical(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag.replaceAll("_", "-").slice(0, 40))[0] ?? "en";
  } catch {
    return "en";
  }
}

function numbers(language: string) {
  const format = new Intl.NumberFormat(language);
  const plural = new Intl.PluralRules(language);
  const lists = new Intl.ListFormat(language);
  const count = (n: number) => format.format(n);
  return {
    count,
    list: (items: readonly string[]) => lists.format(items),
    many: (n: number, one: string, other: string) => `${count(n)} ${plural.select(n) === "one" && n !== 0 ? one : other}`,
  };
}
