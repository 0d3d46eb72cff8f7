// Decimal numbers as text: whether a text is a JSON number, and how two of them compare, digit for digit and without floats.

const form = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** isNumber reports whether the text is a number as JSON writes it. */
export function isNumber(text: string): boolean {
  return form.test(text);
}

/** A number as 0.digits × 10^exponent, digits without zeros at either end; zero has no digits. */
export interface Decimal {
  negative: boolean;
  digits: string;
  exponent: bigint;
}

/** decimal reads a text for which isNumber holds. */
export function decimal(text: string): Decimal {
  const parts = form.exec(text);
  if (!parts) throw new RangeError("not a number in JSON form");
  const [, sign, whole = "", fraction = "", power = "0"] = parts;
  const all = whole + fraction;
  const lead = /^0*/.exec(all)![0].length;
  const digits = trimZeros(all.slice(lead));
  if (digits === "") return { negative: false, digits, exponent: 0n };
  return { negative: sign === "-", digits, exponent: BigInt(power.replace("+", "")) + BigInt(whole.length - lead) };
}

/** compare is negative, zero or positive as a is less than, equal to or greater than b. */
export function compare(a: Decimal, b: Decimal): number {
  const sign = signOf(a);
  if (sign !== signOf(b)) return sign - signOf(b);
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -sign : sign;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -sign : sign;
}

function signOf(d: Decimal): number {
  return d.digits === "" ? 0 : d.negative ? -1 : 1;
}

// A regular expression would try every run of zeros; this walks once from the end.
function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}
