/**
 * The checkers' own reading of ISO 4217: how many decimals money has in the currencies of worlds. Those with three no
 * bridge takes (contract, section 3).
 */
const DECIMALS: Readonly<Record<string, number>> = { EUR: 2, CHF: 2, JPY: 0, KWD: 3 };

export const HOME = "EUR";

export function decimalsOf(currency: string): number {
  const decimals = DECIMALS[currency];
  if (decimals === undefined) throw new RangeError(`no world has money in ${currency}`);
  return decimals;
}

/** As a register writes it. */
export function textOf(minor: number, currency: string = HOME): string {
  const decimals = decimalsOf(currency);
  const digits = String(minor).padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Not a number where it is not written just so. */
export function minorOf(text: string, currency: string): number {
  const [, whole = "", fraction = ""] = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text) ?? [];
  return fraction.length === decimalsOf(currency) ? Number(`${whole}${fraction}`) : Number.NaN;
}
