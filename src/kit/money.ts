import { type Currency, currencies } from "./currencies.ts";

/** An amount in the currency's smallest unit: a whole number of cents, yen, ... never negative, never a fraction. */
export type Minor = number;

export type { Currency };

const BY_CODE: ReadonlyMap<string, Currency> = new Map(currencies.map((currency) => [currency.code, currency]));
const BY_NUMBER: ReadonlyMap<string, Currency> = new Map(currencies.map((currency) => [currency.numeric, currency]));

/** The currency of three letters, or undefined where this version does not take it. */
export function currencyOf(code: string): Currency | undefined {
  return BY_CODE.get(code);
}

/** The currency of three digits (ISO 4217), or undefined where this version does not take it. */
export function currencyNumbered(numeric: string): Currency | undefined {
  return BY_NUMBER.get(numeric);
}

/** Specification, "Basic payment parameters": up to ten digits before the dot. */
const WHOLE = /^(0|[1-9][0-9]{0,9})$/;

/** Minor units of a decimal string with exactly the currency's own number of decimals ("12.34" EUR, "1200" JPY), or undefined. */
export function parseAmount(text: string, currency: Currency): Minor | undefined {
  const [whole = "", fraction = "", ...more] = text.split(".");
  const wanted = text.includes(".") ? fraction.length === currency.decimals && currency.decimals > 0 : currency.decimals === 0;
  if (!wanted || more.length > 0 || !WHOLE.test(whole) || !/^[0-9]*$/.test(fraction)) return undefined;
  return Number(whole + fraction);
}

/** What a person means by an amount, in minor units, by the decimals of its currency: "12" is 12 yen and 12.00 euros, "12.34" no yen. Undefined where it is no amount. */
export function amountsMeant(text: string): readonly { readonly decimals: Currency["decimals"]; readonly amount: Minor }[] | undefined {
  const [whole = "", fraction = "", ...more] = text.split(".");
  if (more.length > 0 || !WHOLE.test(whole) || !/^(?:[0-9]{2})?$/.test(fraction) || text.endsWith(".")) return undefined;
  const inHundreds = { decimals: 2, amount: Number(whole + fraction.padEnd(2, "0")) } as const;
  return fraction === "" ? [{ decimals: 0, amount: Number(whole) }, inHundreds] : [inHundreds];
}

/** The decimal string of minor units, with the currency's own number of decimals. */
export function formatAmount(minor: Minor, { decimals }: { readonly decimals: number }): string {
  const digits = String(minor).padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** An amount as a customer reads it: "12.34 EUR", "1200 JPY". */
export function amountText({ amount, ...currency }: { readonly amount: Minor; readonly decimals: number; readonly currencyCode: string }): string {
  return `${formatAmount(amount, currency)} ${currency.currencyCode}`;
}
