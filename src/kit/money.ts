import { type Currency, currencies } from "./currencies.ts";

/** An amount in the currency's smallest unit: a whole number of cents or yen, never negative. */
export type Minor = number;

export type { Currency };

const BY_CODE: ReadonlyMap<string, Currency> = new Map(currencies.map((currency) => [currency.code, currency]));
const BY_NUMBER: ReadonlyMap<string, Currency> = new Map(currencies.map((currency) => [currency.numeric, currency]));

/** The currency of three letters; undefined if it is not supported. */
export function currencyOf(code: string): Currency | undefined {
  return BY_CODE.get(code);
}

/** The currency of three digits (ISO 4217); undefined if it is not supported. */
export function currencyNumbered(numeric: string): Currency | undefined {
  return BY_NUMBER.get(numeric);
}

/** Specification, "Basic payment parameters": up to ten digits before the dot. */
const WHOLE = /^(0|[1-9][0-9]{0,9})$/;

/**
 * Minor units of a decimal string with exactly the currency's number of decimals ("12.34" EUR, "1200" JPY); else
 * undefined.
 */
export function parseAmount(text: string, currency: Currency): Minor | undefined {
  const [whole = "", fraction = "", ...more] = text.split(".");
  const wanted = text.includes(".")
    ? fraction.length === currency.decimals && currency.decimals > 0
    : currency.decimals === 0;
  if (!wanted || more.length > 0 || !WHOLE.test(whole) || !/^[0-9]*$/.test(fraction)) return undefined;
  return Number(whole + fraction);
}

/**
 * Possible minor units of an amount typed by a person: "12" is 12 yen or 12.00 euros, "12.34" cannot be yen. Undefined:
 * no amount.
 */
export function amountsMeant(
  text: string,
): readonly { readonly decimals: Currency["decimals"]; readonly amount: Minor }[] | undefined {
  const [whole = "", fraction = "", ...more] = text.split(".");
  if (more.length > 0 || !WHOLE.test(whole) || !/^(?:[0-9]{2})?$/.test(fraction) || text.endsWith("."))
    return undefined;
  const inHundreds = { decimals: 2, amount: Number(whole + fraction.padEnd(2, "0")) } as const;
  return fraction === "" ? [{ decimals: 0, amount: Number(whole) }, inHundreds] : [inHundreds];
}

/** The decimal string of minor units, with the currency's number of decimals. */
export function formatAmount(minor: Minor, { decimals }: { readonly decimals: number }): string {
  const digits = String(minor).padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** An amount for a customer: "12.34 EUR", "1200 JPY". */
export function amountText({
  amount,
  ...currency
}: {
  readonly amount: Minor;
  readonly decimals: number;
  readonly currencyCode: string;
}): string {
  return `${formatAmount(amount, currency)} ${currency.currencyCode}`;
}
