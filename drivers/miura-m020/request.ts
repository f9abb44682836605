import type { CollectRequest } from "../../src/card/command.ts";
import { MOST_DECIMALS } from "./display-text.ts";

const MOST = 999_999_999_999;

/** What is wrong with an amount and its currency, or undefined: 9F02 holds twelve digits, 5F2A three. */
export function moneyProblem({
  amount,
  currencyNumeric,
  currencyCode,
  decimals,
}: Pick<CollectRequest, "amount" | "currencyNumeric" | "currencyCode" | "decimals">): string | undefined {
  if (!Number.isSafeInteger(amount) || amount < 0 || amount > MOST) return "amount must be a whole number of minor units of at most twelve digits";
  if (!/^[0-9]{3}$/.test(currencyNumeric)) return "currencyNumeric must be three digits";
  if (!/^[A-Z]{3}$/.test(currencyCode)) return "currencyCode must be three capital letters";
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MOST_DECIMALS) return `decimals must be a whole number from 0 to ${MOST_DECIMALS}`;
  return undefined;
}
