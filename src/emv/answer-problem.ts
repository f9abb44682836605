import { toHex } from "../kit/hex.ts";
import { findTag, type Tlv } from "./tlv.ts";
import { packedAmount, type Transaction } from "./transaction-data.ts";

/*
 * Checks that every driver applies to the objects of a card's answer. An object that the device does not send proves
 * nothing.
 */

type Decision = "online" | "approved-offline" | "declined-offline";
type Interface = "chip" | "contactless-chip" | "contactless-magstripe" | "magstripe" | "keyed";

/**
 * Tells why the first answer is unusable: the cryptogram (9F27) contradicts the device, or amount or type differ. A
 * refund is booked even upon an AAC, so its answer needs a cryptogram as proof of the card.
 */
export function firstAnswerProblem(
  objects: readonly Tlv[],
  decision: Decision,
  { amount, transactionType }: Pick<Transaction, "amount" | "transactionType">,
  via: Interface,
): string | undefined {
  if (contradicts(objects, decision)) return `the answer says ${decision}, its cryptogram (9F27) does not`;
  const told = findTag(objects, "9F02");
  if (told !== undefined && toHex(told) !== packedAmount(amount))
    return "the answer carries another amount (9F02) than was asked for";
  const type = findTag(objects, "9C");
  if (type !== undefined && toHex(type) !== transactionType)
    return "the answer carries another transaction type (9C) than was asked for";
  const isChip = via === "chip" || via === "contactless-chip";
  return transactionType === "20" && isChip && findTag(objects, "9F26") === undefined
    ? "the answer to a refund carries no cryptogram (9F26)"
    : undefined;
}

/**
 * Tells why the device cannot take this currency: it asked the card in its own currency (5F2A). Otherwise a customer
 * would read dollars and pay euros.
 */
export function currencyProblem(
  objects: readonly Tlv[],
  { currencyNumeric }: Pick<Transaction, "currencyNumeric">,
): string | undefined {
  const told = findTag(objects, "5F2A");
  if (told?.length !== 2 || toHex(told) === `0${currencyNumeric}`) return undefined;
  return `the card was asked in currency ${toHex(told).slice(1)} (5F2A), the payment is in ${currencyNumeric}: have the device set up for both`;
}

/**
 * Tells why an approving second answer proves nothing. It needs a TC, and the transaction counter (9F36, hexadecimal)
 * of the first answer.
 */
export function finalAnswerProblem(objects: readonly Tlv[], { atc }: { readonly atc?: string }): string | undefined {
  const told = findTag(objects, "9F36");
  if (told !== undefined && atc !== undefined && toHex(told) !== atc)
    return "the final answer carries another transaction counter (9F36)";
  return contradicts(objects, "approved-offline")
    ? "the final answer says approved, its cryptogram (9F27) does not"
    : undefined;
}

/** EMV Book 3, table 15. */
const ARQC = 0x80;
const TC = 0x40;

/** A decline needs no proof. */
function contradicts(objects: readonly Tlv[], decision: Decision): boolean {
  const [information] = findTag(objects, "9F27") ?? [];
  if (information === undefined || decision === "declined-offline") return false;
  return (information & 0xc0) !== (decision === "online" ? ARQC : TC);
}
