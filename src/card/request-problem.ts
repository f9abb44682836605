import type { IssuerResponse } from "../emv/issuer-response.ts";
import { isHex } from "../kit/hex.ts";
import type { CollectRequest, LocalTime } from "./command.ts";

/* Checks of every driver before it sends a command: a value that does not fit its tag is refused here. */

/** No currency of ISO 4217 has more decimals. */
const MOST_DECIMALS = 4;
const MOST = 999_999_999_999;

/** The problem of an amount and its currency, or undefined: 9F02 holds twelve digits, 5F2A three. */
export function moneyProblem({
  amount,
  currencyNumeric,
  currencyCode,
  decimals,
}: Pick<CollectRequest, "amount" | "currencyNumeric" | "currencyCode" | "decimals">): string | undefined {
  if (!Number.isSafeInteger(amount) || amount < 0 || amount > MOST)
    return "amount must be a whole number of minor units of at most twelve digits";
  if (!/^[0-9]{3}$/.test(currencyNumeric)) return "currencyNumeric must be three digits";
  if (!/^[A-Z]{3}$/.test(currencyCode)) return "currencyCode must be three capital letters";
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MOST_DECIMALS)
    return `decimals must be a whole number from 0 to ${MOST_DECIMALS}`;
  return undefined;
}

/** The problem of a time, or undefined: 9A and 9F21 need six digits each. */
export function clockProblem({ date, time }: LocalTime): string | undefined {
  if (!/^[0-9]{6}$/.test(date)) return "now.date must be six digits, YYMMDD";
  return /^[0-9]{6}$/.test(time) ? undefined : "now.time must be six digits, HHMMSS";
}

/** The problem of an issuer's answer, or undefined: 8A has two bytes, 91 has 8 to 16 (EMV Book 3, annex A). */
export function issuerProblem({ arc, authentication, scripts }: IssuerResponse): string | undefined {
  if (!/^[0-9A-F]{4}$/.test(arc)) return "issuer.arc must be four hexadecimal digits";
  if (authentication !== undefined && !/^([0-9A-F]{2}){8,16}$/.test(authentication))
    return "issuer.authentication must be 8 to 16 bytes in hexadecimal";
  return scripts.every(({ value }) => isHex(value)) ? undefined : "issuer.scripts must be hexadecimal";
}
