import { currencyOf } from "../kit/money.ts";

/** Minor units with the currency's own number of decimals (two of one that this bridge does not take), with a minus where they are negative. */
export function moneyText(minor: number | bigint, currency: string): string {
  const decimals = currencyOf(currency)?.decimals ?? 2;
  const text = String(minor);
  const digits = text.replace("-", "").padStart(decimals + 1, "0");
  const sign = text.startsWith("-") ? "-" : "";
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
