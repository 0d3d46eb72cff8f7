// Colours: the ones a tool may give (hex or rgb, read strictly), and a palette that stays distinct for colour-blind eyes.

import { Breach, readList } from "./breach";

/** readColours returns one or more colours as #rrggbbaa, so that no later code parses colours its own way. */
export function readColours(value: unknown, place: string): readonly string[] {
  if (typeof value === "string") return [readColour(value, place)];
  return readList(value, place, 0, 2000).map((v, i) => readColour(v, `${place}[${i}]`));
}

function readColour(value: unknown, place: string): string {
  const colour = typeof value === "string" && value.length <= 46 ? hex(value) ?? rgb(value) : undefined;
  if (colour === undefined) throw new Breach(place, "not a hex or rgb colour");
  return colour;
}

function hex(text: string): string | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])([0-9a-f])?$/i.exec(text);
  if (short) return "#" + short.slice(1).map((d: string | undefined) => (d ?? "f").repeat(2)).join("").toLowerCase();
  const long = /^#([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(text);
  return long ? `#${long[1]}${long[2] ?? "ff"}`.toLowerCase() : undefined;
}

function rgb(text: string): string | undefined {
  const inner = /^rgba?\(([0-9., %]{5,40})\)$/.exec(text)?.[1];
  if (inner === undefined) return undefined;
  const parts = inner.trim().split(inner.includes(",") ? / *, */ : / +/);
  if (parts.length !== 3 && parts.length !== 4) return undefined;
  const bytes = parts.map((part, i) => {
    if (!/^(\d+\.?\d*|\.\d+)%?$/.test(part)) return NaN;
    const share = part.endsWith("%") ? parseFloat(part) / 100 : parseFloat(part) / (i < 3 ? 255 : 1);
    return Math.round(Math.min(share, 1) * 255);
  });
  if (bytes.some(Number.isNaN)) return undefined;
  return "#" + [...bytes, 255].slice(0, 4).map((b) => b.toString(16).padStart(2, "0")).join("");
}

// After Okabe and Ito, shifted until each has a contrast of 3:1 with its background.
const onLight = ["#0b66a3", "#c9500f", "#0a8463", "#a8478b", "#9a7000", "#3f8fc4", "#7a4fb0", "#5f6b73"];
const onDark = ["#5ab0ea", "#f28b4e", "#37c49b", "#e08cc4", "#e0b23a", "#9cd3f7", "#b99af0", "#a9b4bb"];

/** paletteColour is the i-th colour; past the palette's end each round is paler. */
export function paletteColour(i: number, dark: boolean): string {
  const palette = dark ? onDark : onLight;
  const round = Math.floor(i / palette.length);
  return withAlpha(palette[i % palette.length]!, Math.max(0.4, 1 - 0.25 * round));
}

/** withAlpha multiplies the opacity of a #rrggbb or #rrggbbaa colour. */
export function withAlpha(colour: string, alpha: number): string {
  const old = colour.length === 9 ? parseInt(colour.slice(7), 16) : 255;
  return colour.slice(0, 7) + Math.round(old * alpha).toString(16).padStart(2, "0");
}
