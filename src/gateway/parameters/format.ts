/**
 * What one value may look like. The specification's notation: N digits, A letters, AN any characters; "up to n" is read as 1 to n here, because an empty
 * parameter says nothing. Lengths count UTF-16 units, as the register API's JSON schema does.
 */
export interface Format {
  readonly pattern: RegExp;
  /** What the value must do, as the end of a sentence that begins with the parameter's name. */
  readonly message: string;
  /** How the register API says it in JSON: a string, a boolean, or (for counts, never for money) a number as well. */
  readonly json: "string" | "boolean" | "number";
}

const format = (source: string, says: string, json: Format["json"] = "string"): Format => ({
  pattern: new RegExp(`^(?:${source})$`),
  message: `must ${says}`,
  json,
});

const lengths = (min: number, max: number): string => (min === max ? `${max}` : `${min}-${max}`);

/** Any characters. */
export const text = (min: number, max: number): Format => format(`[\\s\\S]{${min},${max}}`, `be ${lengths(min, max)} characters`);

export const digits = (min: number, max: number): Format => format(`[0-9]{${min},${max}}`, `be ${lengths(min, max)} digits`);

export const lettersOrDigits = (min: number, max: number): Format => format(`[A-Za-z0-9]{${min},${max}}`, `be ${lengths(min, max)} letters or digits`);

/** Letters, digits, underscore. */
export const word = (min: number, max: number): Format => format(`[A-Za-z0-9_]{${min},${max}}`, `be ${lengths(min, max)} letters, digits or underscores`);

export const oneOf = (...values: readonly string[]): Format => format(values.map(literal).join("|"), `be one of ${values.join(", ")}`);

export const matching = (source: string, says: string): Format => format(source, says);

/** A count as a whole or decimal number; JSON may say it as a number too. */
export const count = (source: string, says: string): Format => format(source, says, "number");

/** Bytes in hexadecimal: base64 has characters the specification does not allow, and half a byte is a mistake (gateway-facts 4.2). */
export const hexBytes = (maxBytes: number): Format => format(`(?:[0-9A-Fa-f]{2}){1,${maxBytes}}`, `be 1-${maxBytes} bytes in hexadecimal`);

/** True or false. */
export const flag: Format = format("true|false", "be true or false", "boolean");

/** "Basic payment parameters", amount: up to ten digits, and two decimals or none. */
export const amount: Format = format("[0-9]{1,10}(?:\\.[0-9]{2})?", "be a decimal with up to 10 digits and 2 decimals or none");

/** The "decimal 2 places" of the cart and shipping chapters. */
export const twoDecimals: Format = format("[0-9]{1,10}\\.[0-9]{2}", "be a decimal with up to 10 digits and exactly 2 decimals");

/** ISO 4217. */
export const currency: Format = format("[A-Z]{3}", "be 3 uppercase letters");

/** ISO 3166-1 alpha-2. */
export const country: Format = format("[A-Z]{2}", "be 2 uppercase letters");

const DATE = "(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])";

export const date: Format = format(DATE, "be a date yyyy-MM-dd");

export const dateTime: Format = format(`${DATE} (?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]`, "be a time yyyy-MM-dd HH:mm:ss");

/** "Customer": starts with plus or digit; digits, space, dot, parentheses, slash, hyphen. */
export const phone = (min: number, max: number): Format =>
  format(`[+0-9][0-9 .()/-]{${min - 1},${max - 1}}`, `be ${lengths(min, max)} characters, a plus or digit first, then digits, spaces and . ( ) / -`);

export const webAddress: Format = format("https?://[^\\s]{1,2040}", "be an http or https address");

function literal(value: string): string {
  return value.replace(/[^A-Za-z0-9_]/g, (character) => `\\${character}`);
}
