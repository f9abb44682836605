import { currencyOf } from "../kit/money.ts";

/** Minor units with the currency's number of decimals (two for an unsupported currency), with a minus if negative. */
export function moneyText(minor: number | bigint, currency: string): string {
  const decimals = currencyOf(currency)?.decimals ?? 2;
  const text = String(minor);
  const digits = text.replace("-", "").padStart(decimals + 1, "0");
  const sign = text.startsWith("-") ? "-" : "";
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
