const LONGEST = 19;
/**
 * Length of Diners Club numbers. Ordinary texts hold such short numbers (docs/register-reference.md), so only their usual
 * groups count.
 */
const DINERS = 14;

/**
 * First digits by brand (ISO/IEC 7812 issuer ranges as the brands publish them), by length of the number: [length of
 * the prefix, lowest, highest].
 */
const RANGES: Readonly<Record<number, readonly (readonly [number, number, number])[]>> = {
  [DINERS]: [
    [3, 300, 305],
    [2, 36, 36],
    [2, 38, 39],
  ],
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

/** Groups of digits, with up to four characters of any kind between two groups. */
const RUN = /[0-9]+(?:[^0-9]{1,4}[0-9]+)*/gu;
const BLANKS_AND_DASHES = /^[\s\p{Pd}]*$/u;
const LETTERS = /\p{L}/u;

/**
 * Finds a Luhn-valid run of 14, 15, 16 or 19 digits, of any script, that begins like a card number. Runs consist of
 * whole groups, without leading zeros. Blanks and dashes may separate any digits, other characters only usual groups.
 */
export function holdsCardNumber(text: string): boolean {
  return [...plain(text).matchAll(RUN)].some(([run]) => startsAnywhere(run, isCardNumber));
}

/** Masks long digits that may be a card's number. A text for people can lose any doubtful digits. */
export function maskCardNumbers(text: string): string {
  const shown = plain(text);
  const masked = shown
    .replace(RUN, (run) => (startsAnywhere(run, mayBeCardNumber) ? MASK : run))
    .replace(/[0-9]{12,}/g, MASK);
  return masked === shown ? text : masked;
}

const MASK = "***";

/** NFKC turns full-width digits and no-break blanks into ASCII; invisible characters are removed. */
function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/\p{Nd}/gu, asciiDigit);
}

const DIGIT = /\p{Nd}/u;

/** Digits of a script are ten successive code points, from zero on (Unicode Standard, 4.6). */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** Sizes of the groups of digits, and the text between them. */
interface Grouped {
  readonly sizes: readonly number[];
  readonly signs: readonly string[];
}

type IsNumber = (digits: string, grouped: Grouped) => boolean;

function startsAnywhere(run: string, isNumber: IsNumber): boolean {
  const parts = run.split(/([^0-9]+)/);
  const groups = parts.filter((_, at) => at % 2 === 0);
  const signs = parts.filter((_, at) => at % 2 === 1);
  return groups.some((_, first) => startsNumber(groups, signs, first, isNumber));
}

function startsNumber(groups: readonly string[], signs: readonly string[], first: number, isNumber: IsNumber): boolean {
  let digits = "";
  for (let at = first; at < groups.length && digits.length < LONGEST; at += 1) {
    digits = `${digits}${groups[at] ?? ""}`.replace(/^0+/, "");
    const sizes = groups
      .slice(first, at + 1)
      .map((group, index) => (index === 0 ? group.replace(/^0+/, "") : group).length);
    if (isNumber(digits, { sizes, signs: signs.slice(first, at) })) return true;
  }
  return false;
}

/**
 * Groups as people write card numbers: one; of four digits; of one digit; or those of American Express and Diners Club.
 */
function isUsual({ sizes }: Grouped): boolean {
  const [size = 0] = sizes;
  return (
    sizes.length === 1 ||
    (isEven(sizes) && (size === 4 || size === 1)) ||
    (sizes.length === 3 && size === 4 && sizes[1] === 6)
  );
}

function isEven(sizes: readonly number[]): boolean {
  const [size = 0] = sizes;
  return sizes.every((one, at) => one === size || (at === sizes.length - 1 && one < size));
}

/**
 * Tells whether groups form one number. With dots between all digits every price list would match, and with letters too
 * many random names.
 */
function isOneNumber(grouped: Grouped): boolean {
  const { sizes, signs } = grouped;
  const isBlank = signs.every((sign) => BLANKS_AND_DASHES.test(sign));
  return (
    isUsual(grouped) || isBlank || (isEven(sizes) && signs.every((sign) => sign === signs[0] && !LETTERS.test(sign)))
  );
}

function isCardNumber(digits: string, grouped: Grouped): boolean {
  const begins = (RANGES[digits.length] ?? []).some(([length, low, high]) => {
    const prefix = Number(digits.slice(0, length));
    return prefix >= low && prefix <= high;
  });
  return begins && isLuhnValid(digits) && (digits.length === DINERS ? isUsual(grouped) : isOneNumber(grouped));
}

function mayBeCardNumber(digits: string, grouped: Grouped): boolean {
  return /^[2-6][0-9]{11,18}$/.test(digits) && isLuhnValid(digits) && isOneNumber(grouped);
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
