/**
 * What one value may look like. The specification's notation: N digits, A letters, AN any characters; "up to n" is read as 1 to n, because an empty parameter says
 * nothing, and 0 is taken only where a table states it. A range with a hyphen is a length, a range of values is written with "to". Lengths count characters, not
 * UTF-16 units. "Letters" in what people write are the letters of any script; in codes they are A to Z in either case.
 */
export interface Format {
  /** The specification's words in short, as test/vectors/parameters.tsv explains and holds them against this. */
  readonly notation: string;
  readonly pattern: RegExp;
  /** What the value must do, as the end of a sentence that begins with the parameter's name. */
  readonly message: string;
  /** How the register API says it in JSON: a string, a boolean, or (for counts, never for money) a number as well. */
  readonly json: "string" | "boolean" | "number";
}

const format = (notation: string, source: string, says: string, json: Format["json"] = "string"): Format => ({
  notation,
  pattern: new RegExp(`^(?:${source})$`, "u"),
  message: `must ${says}`,
  json,
});

/** Lengths from `min` to `max`. */
type Lengths = readonly [min: number, max: number];

const short = (min: number, max: number): string => (min === max ? `${max}` : `${min}-${max}`);

/** Any characters. */
export const text = (...[min, max]: Lengths): Format => format(`AN${short(min, max)}`, `[\\s\\S]{${min},${max}}`, `be ${short(min, max)} characters`);

/** Any characters, "up to" so many. */
export const textUpTo = (max: number): Format => format(`AN..${max}`, `[\\s\\S]{1,${max}}`, `be 1-${max} characters`);

/** A "string" of which nothing more is said. */
export const string: Format = format("AN", "[\\s\\S]*", "be text");

/** What is handed through as somebody else made it, such as a wallet's encrypted token: no length is stated. */
export const opaque: Format = format("AN1-", "[\\s\\S]+", "be at least 1 character");

export const digits = (...[min, max]: Lengths): Format =>
  format(`N${short(min, max)}`, `[0-9]{${min},${max}}`, `be ${short(min, max)} ${max === 1 ? "digit" : "digits"}`);

/** "Letters" of a code, of either case. */
export const letters = (...[min, max]: Lengths): Format => format(`A${short(min, max)}`, `[A-Za-z]{${min},${max}}`, `be ${short(min, max)} letters`);

export const uppercase = (length: number): Format => format(`U${length}`, `[A-Z]{${length}}`, `be ${length} uppercase ${length === 1 ? "letter" : "letters"}`);

export const lettersOrDigits = (...[min, max]: Lengths): Format =>
  format(`[A,N]${short(min, max)}`, `[A-Za-z0-9]{${min},${max}}`, `be ${short(min, max)} letters or digits`);

export const lettersOrDigitsUpTo = (max: number): Format => format(`[A,N]..${max}`, `[A-Za-z0-9]{1,${max}}`, `be 1-${max} letters or digits`);

/** Letters, digits, underscore. */
export const word = (...[min, max]: Lengths): Format =>
  format(`[A,N,_]${short(min, max)}`, `[A-Za-z0-9_]{${min},${max}}`, `be ${short(min, max)} letters, digits or underscores`);

/** The free names in brackets: letters, digits, dot, underscore. */
export const keyName: Format = format("[A,N,.,_]3-64", "[A-Za-z0-9._]{3,64}", "have a name of 3-64 letters, digits, dots or underscores");

/**
 * The "letters" of a person's or a town's name. Taken at its word no card with a first and a last name could be sent, so that blanks and the punctuation of names
 * are letters here; digits and all other signs are not.
 */
export const nameLetters = (...[min, max]: Lengths): Format =>
  format(`A${short(min, max)}`, `[\\p{L}\\p{M} .,'\u2019()/-]{${min},${max}}`, `be ${short(min, max)} letters, as names are written`);

/** A state or province: "letters, digits, dot". */
export const state: Format = format("[A,N,.]1-50", "[\\p{L}\\p{M}0-9.]{1,50}", "be 1-50 letters, digits or dots");

/** "Letters, digits, whitespace" of senders and recipients. */
export const plainText = (...[min, max]: Lengths): Format =>
  format(`[A,N,ws]${short(min, max)}`, `[\\p{L}\\p{M}\\p{Nd}\\s]{${min},${max}}`, `be ${short(min, max)} letters, digits or blanks`);

export const oneOf = (...values: readonly string[]): Format => format(`=${values.join("|")}`, values.map(literal).join("|"), `be one of ${values.join(", ")}`);

/** A two-digit code in a range: "01 to 12". */
export const twoDigitCode = (first: number, last: number): Format => {
  const codes = Array.from({ length: last - first + 1 }, (_, at) => String(first + at).padStart(2, "0"));
  return format(`${codes[0]} to ${codes.at(-1)}`, codes.join("|"), `be ${codes[0]} to ${codes.at(-1)}`);
};

/** A format of one chapter alone; `notation` is what the table of all parameters calls it. */
export const matching = (notation: string, source: string, says: string): Format => format(notation, source, says);

/** A count as a whole or decimal number; JSON may say it as a number too. */
export const count = (notation: string, source: string, says: string): Format => format(notation, source, says, "number");

/** True or false. */
export const flag: Format = format("bool", "true|false", "be true or false", "boolean");

/** A decimal with so many digits before the point, and with two decimals or none. */
const decimal = (whole: number): Format =>
  format(`D${whole}.2?`, `[0-9]{1,${whole}}(?:\\.[0-9]{2})?`, `be a decimal with up to ${whole} digits and 2 decimals or none`);

/** "Basic payment parameters", amount. */
export const amount: Format = decimal(10);

/** "Recurring migration", amount. */
export const smallAmount: Format = decimal(8);

const TWO_DECIMALS = "[0-9]{1,10}\\.[0-9]{2}";
const SAYS_TWO_DECIMALS = "be a decimal with up to 10 digits and exactly 2 decimals";

/** shipping.cost, the one table that says it in full. */
export const cost: Format = format("D10.2", TWO_DECIMALS, SAYS_TWO_DECIMALS);

/** "Decimal 2 places" of all other tables, which is read as shipping.cost is. */
export const twoDecimals: Format = format("D.2", TWO_DECIMALS, SAYS_TWO_DECIMALS);

/** ISO 4217 and ISO 3166-1 where the table wants capitals; that such a currency or country exists is not a matter of format. */
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
export const recentDate: Format = format("date 19xx or 20xx", `(?=19|20)${DATE}`, "be a date yyyy-MM-dd of the year 19xx or 20xx");

export const dateTime: Format = format("datetime", `${DATE} ${TIME}`, "be a time yyyy-MM-dd HH:mm:ss");

const PHONE = "0-9 .()/-";
const AS_PHONE = "a plus or digit first, then digits, spaces and . ( ) / -";

/** "Customer": starts with plus or digit; digits, space, dot, parentheses, slash, hyphen. */
export const phone = (...[min, max]: Lengths): Format =>
  format(`phone${short(min, max)}`, `[+0-9][${PHONE}]{${min - 1},${max - 1}}`, `be ${short(min, max)} characters, ${AS_PHONE}`);

export const phoneUpTo = (max: number): Format => format(`phone..${max}`, `[+0-9][${PHONE}]{0,${max - 1}}`, `be 1-${max} characters, ${AS_PHONE}`);

/** "Digits and phone punctuation", of which nothing has to come first. */
export const phoneSigns = (...[min, max]: Lengths): Format =>
  format(`phone signs ${short(min, max)}`, `[+${PHONE}]{${min},${max}}`, `be ${short(min, max)} digits, spaces and + . ( ) / -`);

export const webAddress: Format = format("url", "https?://[^\\s/?#]\\S{0,2040}", "be an http or https address");

/**
 * "Asynchronous payments": an absolute address, of an app too. It is "URL-encoded" as every value of a form is; who encodes it once more by hand is understood as well.
 */
export const returnAddress: Format = format(
  "url6-2048",
  "(?=\\S{6,2048}$)[A-Za-z][A-Za-z0-9+.-]*(?::|%3[Aa])(?:/|%2[Ff]){2}\\S+",
  "be an absolute address of 6-2048 characters",
);

/** Latitude and longitude, separated by a comma. */
export const coordinates: Format = format(
  "latitude,longitude..20",
  "(?=.{1,20}$)[+-]?[0-9]{1,3}(?:\\.[0-9]+)?, ?[+-]?[0-9]{1,3}(?:\\.[0-9]+)?",
  "be latitude,longitude of up to 20 characters",
);

function literal(value: string): string {
  return value.replace(/[$()*+./?[\\\]^{|}]/g, (character) => `\\${character}`);
}
