/**
 * The format of one value. Notation of the specification: N digits, A letters, AN any characters. "Up to n" means 1 to
 * n; 0 only if a table states it. A hyphen gives a range of lengths, "to" a range of values. Lengths count characters,
 * not UTF-16 units. "Letters" are of any script in text written by people, and A to Z of either case in codes.
 */
export interface Format {
  /** The specification's wording in short; test/vectors/parameters.tsv explains it and is compared with this. */
  readonly notation: string;
  readonly pattern: RegExp;
  /** The requirement, as the end of a sentence that begins with the parameter's name. */
  readonly message: string;
  /** The type in the register API's JSON. `number`: a count, never money, as string or number. */
  readonly json: "string" | "boolean" | "number";
}

const format = (notation: string, source: string, says: string, json: Format["json"] = "string"): Format => ({
  notation,
  pattern: new RegExp(`^(?:${source})$`, "u"),
  message: `must ${says}`,
  json,
});

type Lengths = readonly [min: number, max: number];

const short = (min: number, max: number): string => (min === max ? `${max}` : `${min}-${max}`);

export const text = (...[min, max]: Lengths): Format =>
  format(`AN${short(min, max)}`, `[\\s\\S]{${min},${max}}`, `be ${short(min, max)} characters`);

/** Any characters, "up to" that many. */
export const textUpTo = (max: number): Format => format(`AN..${max}`, `[\\s\\S]{1,${max}}`, `be 1-${max} characters`);

/** A "string" without further format. */
export const string: Format = format("AN", "[\\s\\S]*", "be text");

/** A value passed through unchanged, such as a wallet's encrypted token: no length is stated. */
export const opaque: Format = format("AN1-", "[\\s\\S]+", "be at least 1 character");

export const digits = (...[min, max]: Lengths): Format =>
  format(`N${short(min, max)}`, `[0-9]{${min},${max}}`, `be ${short(min, max)} ${max === 1 ? "digit" : "digits"}`);

/** "Letters" of a code, of either case. */
export const letters = (...[min, max]: Lengths): Format =>
  format(`A${short(min, max)}`, `[A-Za-z]{${min},${max}}`, `be ${short(min, max)} letters`);

export const uppercase = (length: number): Format =>
  format(`U${length}`, `[A-Z]{${length}}`, `be ${length} uppercase ${length === 1 ? "letter" : "letters"}`);

export const lettersOrDigits = (...[min, max]: Lengths): Format =>
  format(`[A,N]${short(min, max)}`, `[A-Za-z0-9]{${min},${max}}`, `be ${short(min, max)} letters or digits`);

export const lettersOrDigitsUpTo = (max: number): Format =>
  format(`[A,N]..${max}`, `[A-Za-z0-9]{1,${max}}`, `be 1-${max} letters or digits`);

export const word = (...[min, max]: Lengths): Format =>
  format(
    `[A,N,_]${short(min, max)}`,
    `[A-Za-z0-9_]{${min},${max}}`,
    `be ${short(min, max)} letters, digits or underscores`,
  );

/** Free names in brackets. */
export const keyName: Format = format(
  "[A,N,.,_]3-64",
  "[A-Za-z0-9._]{3,64}",
  "have a name of 3-64 letters, digits, dots or underscores",
);

/**
 * The "letters" of a person's or a town's name. Literally, no card with a first and a last name could be sent. Blanks
 * and the punctuation of names therefore count as letters; digits and other signs do not.
 */
export const nameLetters = (...[min, max]: Lengths): Format =>
  format(
    `A${short(min, max)}`,
    `[\\p{L}\\p{M} .,'\u2019()/-]{${min},${max}}`,
    `be ${short(min, max)} letters, as names are written`,
  );

/** A state or province: "letters, digits, dot". */
export const state: Format = format("[A,N,.]1-50", "[\\p{L}\\p{M}0-9.]{1,50}", "be 1-50 letters, digits or dots");

/** "Letters, digits, whitespace" of senders and recipients. */
export const plainText = (...[min, max]: Lengths): Format =>
  format(
    `[A,N,ws]${short(min, max)}`,
    `[\\p{L}\\p{M}\\p{Nd}\\s]{${min},${max}}`,
    `be ${short(min, max)} letters, digits or blanks`,
  );

export const oneOf = (...values: readonly string[]): Format =>
  format(`=${values.join("|")}`, values.map(literal).join("|"), `be one of ${values.join(", ")}`);

/** A two-digit code in a range: "01 to 12". */
export const twoDigitCode = (first: number, last: number): Format => {
  const codes = Array.from({ length: last - first + 1 }, (_, at) => String(first + at).padStart(2, "0"));
  return format(`${codes[0]} to ${codes.at(-1)}`, codes.join("|"), `be ${codes[0]} to ${codes.at(-1)}`);
};

/** A format of one chapter only; `notation` is its name in the table of all parameters. */
export const matching = (notation: string, source: string, says: string): Format => format(notation, source, says);

/** A whole or decimal count; JSON may also write it as a number. */
export const count = (notation: string, source: string, says: string): Format =>
  format(notation, source, says, "number");

export const flag: Format = format("bool", "true|false", "be true or false", "boolean");

/** A decimal with at most `whole` digits before the point, and two decimals or none. */
const decimal = (whole: number): Format =>
  format(
    `D${whole}.2?`,
    `[0-9]{1,${whole}}(?:\\.[0-9]{2})?`,
    `be a decimal with up to ${whole} digits and 2 decimals or none`,
  );

/** "Basic payment parameters", amount. */
export const amount: Format = decimal(10);

/** "Recurring migration", amount. */
export const smallAmount: Format = decimal(8);

const TWO_DECIMALS = "[0-9]{1,10}\\.[0-9]{2}";
const SAYS_TWO_DECIMALS = "be a decimal with up to 10 digits and exactly 2 decimals";

/** shipping.cost: the only table that states the format in full. */
export const cost: Format = format("D10.2", TWO_DECIMALS, SAYS_TWO_DECIMALS);

/** "Decimal 2 places" of all other tables, read as shipping.cost. */
export const twoDecimals: Format = format("D.2", TWO_DECIMALS, SAYS_TWO_DECIMALS);

/** ISO 4217 and ISO 3166-1 in capitals. The format does not check that the currency or country exists. */
export const currency: Format = uppercase(3);
export const country: Format = uppercase(2);

const SHORT_MONTHS = "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)";
const LONG_MONTHS = "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])";
const FEBRUARY = "02-(?:0[1-9]|1[0-9]|2[0-8])";
const LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)";
const DATE = `(?:[0-9]{4}-(?:${LONG_MONTHS}|${SHORT_MONTHS}|${FEBRUARY})|${LEAP_YEAR}-02-29)`;
const TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]";

export const date: Format = format("date", DATE, "be a date yyyy-MM-dd");

/** "Bank account": a date whose year begins with 19 or 20. */
export const recentDate: Format = format(
  "date 19xx or 20xx",
  `(?=19|20)${DATE}`,
  "be a date yyyy-MM-dd of the year 19xx or 20xx",
);

export const dateTime: Format = format("datetime", `${DATE} ${TIME}`, "be a time yyyy-MM-dd HH:mm:ss");

const PHONE = "0-9 .()/-";
const AS_PHONE = "a plus or digit first, then digits, spaces and . ( ) / -";

/** "Customer": starts with plus or digit; digits, space, dot, parentheses, slash, hyphen. */
export const phone = (...[min, max]: Lengths): Format =>
  format(
    `phone${short(min, max)}`,
    `[+0-9][${PHONE}]{${min - 1},${max - 1}}`,
    `be ${short(min, max)} characters, ${AS_PHONE}`,
  );

export const phoneUpTo = (max: number): Format =>
  format(`phone..${max}`, `[+0-9][${PHONE}]{0,${max - 1}}`, `be 1-${max} characters, ${AS_PHONE}`);

/** "Digits and phone punctuation", in any order. */
export const phoneSigns = (...[min, max]: Lengths): Format =>
  format(
    `phone signs ${short(min, max)}`,
    `[+${PHONE}]{${min},${max}}`,
    `be ${short(min, max)} digits, spaces and + . ( ) / -`,
  );

export const webAddress: Format = format("url", "https?://[^\\s/?#]\\S{0,2040}", "be an http or https address");

/**
 * "Asynchronous payments": an absolute address, also of an app. It is "URL-encoded" like every form value; an address
 * encoded twice by hand is accepted as well.
 */
export const returnAddress: Format = format(
  "url6-2048",
  "(?=\\S{6,2048}$)[A-Za-z][A-Za-z0-9+.-]*(?::|%3[Aa])(?:/|%2[Ff]){2}\\S+",
  "be an absolute address of 6-2048 characters",
);

export const coordinates: Format = format(
  "latitude,longitude..20",
  "(?=.{1,20}$)[+-]?[0-9]{1,3}(?:\\.[0-9]+)?, ?[+-]?[0-9]{1,3}(?:\\.[0-9]+)?",
  "be latitude,longitude of up to 20 characters",
);

function literal(value: string): string {
  return value.replace(/[$()*+./?[\\\]^{|}]/g, (character) => `\\${character}`);
}
