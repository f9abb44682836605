/** An amount in the currency's smallest unit: a whole number of cents, yen, ... never negative, never a fraction. */
export type Minor = number;

/** Number of decimals of a currency, its ISO 4217 number, by its letters. Currencies with three decimals are not here: version 1 refuses them. */
const CURRENCIES: Readonly<Record<string, { readonly numeric: string; readonly decimals: 0 | 2 }>> = {
  AED: { numeric: "784", decimals: 2 },
  AUD: { numeric: "036", decimals: 2 },
  BGN: { numeric: "975", decimals: 2 },
  BRL: { numeric: "986", decimals: 2 },
  CAD: { numeric: "124", decimals: 2 },
  CHF: { numeric: "756", decimals: 2 },
  CLP: { numeric: "152", decimals: 0 },
  CNY: { numeric: "156", decimals: 2 },
  CZK: { numeric: "203", decimals: 2 },
  DKK: { numeric: "208", decimals: 2 },
  EUR: { numeric: "978", decimals: 2 },
  GBP: { numeric: "826", decimals: 2 },
  HKD: { numeric: "344", decimals: 2 },
  HUF: { numeric: "348", decimals: 2 },
  ILS: { numeric: "376", decimals: 2 },
  INR: { numeric: "356", decimals: 2 },
  ISK: { numeric: "352", decimals: 0 },
  JPY: { numeric: "392", decimals: 0 },
  KRW: { numeric: "410", decimals: 0 },
  MXN: { numeric: "484", decimals: 2 },
  NOK: { numeric: "578", decimals: 2 },
  NZD: { numeric: "554", decimals: 2 },
  PLN: { numeric: "985", decimals: 2 },
  RON: { numeric: "946", decimals: 2 },
  RSD: { numeric: "941", decimals: 2 },
  SAR: { numeric: "682", decimals: 2 },
  SEK: { numeric: "752", decimals: 2 },
  SGD: { numeric: "702", decimals: 2 },
  THB: { numeric: "764", decimals: 2 },
  TRY: { numeric: "949", decimals: 2 },
  UAH: { numeric: "980", decimals: 2 },
  USD: { numeric: "840", decimals: 2 },
  VND: { numeric: "704", decimals: 0 },
  ZAR: { numeric: "710", decimals: 2 },
};

export interface Currency {
  readonly code: string;
  /** ISO 4217 number, three digits. */
  readonly numeric: string;
  readonly decimals: 0 | 2;
}

const BY_CODE: ReadonlyMap<string, Currency> = new Map(Object.entries(CURRENCIES).map(([code, known]) => [code, { code, ...known }]));

const BY_NUMBER: ReadonlyMap<string, Currency> = new Map([...BY_CODE.values()].map((currency) => [currency.numeric, currency]));

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

/** The decimal string of minor units, with the currency's own number of decimals. */
export function formatAmount(minor: Minor, { decimals }: { readonly decimals: number }): string {
  const digits = String(minor).padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** An amount as a customer reads it: "12.34 EUR", "1200 JPY". */
export function amountText({ amount, ...currency }: { readonly amount: Minor; readonly decimals: number; readonly currencyCode: string }): string {
  return `${formatAmount(amount, currency)} ${currency.currencyCode}`;
}
