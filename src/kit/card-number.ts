/** Lengths that card numbers of the brands below have: 15 American Express, 16 nearly all, 19 the long ones. */
const LENGTHS = new Set([15, 16, 19]);
const LONGEST = 19;

/** First digits by brand (ISO/IEC 7812 issuer ranges as the brands publish them), as [length of the prefix, lowest, highest], by length of the number. */
const RANGES: Readonly<Record<number, readonly (readonly [number, number, number])[]>> = {
  15: [
    [2, 34, 34],
    [2, 37, 37],
  ],
  16: [
    [4, 2200, 2204],
    [4, 2221, 2720],
    [3, 300, 305],
    [2, 36, 36],
    [2, 38, 39],
    [4, 3528, 3589],
    [1, 4, 4],
    [1, 5, 5],
    [1, 6, 6],
  ],
  19: [
    [4, 2200, 2204],
    [4, 3528, 3589],
    [1, 4, 4],
    [1, 5, 5],
    [1, 6, 6],
  ],
};

/** Groups of digits, and up to three signs between two of them. */
const RUN = /[0-9]+(?:[^\p{L}\p{N}]{1,3}[0-9]+)*/gu;
const BLANKS_AND_DASHES = /^[\s\p{Pd}]*$/u;

/**
 * Whether a text holds a Luhn-valid run of 15, 16 or 19 digits, of any script, that begins like a card number. A run begins and ends where a group of digits does, leading zeros left out. Blanks and
 * dashes may stand between any digits; other signs between groups as people write them.
 */
export function holdsCardNumber(text: string): boolean {
  return [...plain(text).matchAll(RUN)].some(([run]) => startsAnywhere(run, isCardNumber));
}

/** Where long digits stand that may be a card's number, "***". In doubt they go: nobody misses them in a line for people. */
export function maskCardNumbers(text: string): string {
  const shown = plain(text);
  const masked = shown.replace(RUN, (run) => (startsAnywhere(run, mayBeCardNumber) ? MASK : run)).replace(/[0-9]{12,}/g, MASK);
  return masked === shown ? text : masked;
}

const MASK = "***";

/** NFKC makes ASCII digits and blanks of their full-width and no-break forms; what nobody sees is left out. */
function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/\p{Nd}/gu, asciiDigit);
}

const DIGIT = /\p{Nd}/u;

/** Digits of a script are ten code points in a row, from zero on (Unicode Standard, 4.6). */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

function startsAnywhere(run: string, isNumber: (digits: string) => boolean): boolean {
  const parts = run.split(/([^0-9]+)/);
  const groups = parts.filter((_, at) => at % 2 === 0);
  const signs = parts.filter((_, at) => at % 2 === 1);
  return groups.some((_, first) => startsNumber(groups, signs, first, isNumber));
}

function startsNumber(groups: readonly string[], signs: readonly string[], first: number, isNumber: (digits: string) => boolean): boolean {
  let digits = "";
  for (let at = first; at < groups.length && digits.length < LONGEST; at += 1) {
    digits = `${digits}${groups[at] ?? ""}`.replace(/^0+/, "");
    if (isNumber(digits) && isOneNumber(groups.slice(first, at + 1), signs.slice(first, at))) return true;
  }
  return false;
}

/** Whether groups belong together: with dots between all digits of a text, every list of prices would be a card number. */
function isOneNumber(groups: readonly string[], signs: readonly string[]): boolean {
  if (signs.every((sign) => BLANKS_AND_DASHES.test(sign))) return true;
  const sizes = groups.map((group, at) => (at === 0 ? group.replace(/^0+/, "") : group).length);
  const [size = 0] = sizes;
  const isEven = sizes.every((one, at) => one === size || (at === sizes.length - 1 && one < size));
  if ((isEven && size === 4) || (sizes.length === 3 && size === 4 && sizes[1] === 6)) return true;
  return isEven && signs.every((sign) => sign === signs[0]);
}

function isCardNumber(digits: string): boolean {
  const ranges = LENGTHS.has(digits.length) ? (RANGES[digits.length] ?? []) : [];
  const begins = ranges.some(([length, low, high]) => {
    const prefix = Number(digits.slice(0, length));
    return prefix >= low && prefix <= high;
  });
  return begins && isLuhnValid(digits);
}

function mayBeCardNumber(digits: string): boolean {
  return /^[2-6][0-9]{11,18}$/.test(digits) && isLuhnValid(digits);
}

/** ISO/IEC 7812-1 annex B. */
function isLuhnValid(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
