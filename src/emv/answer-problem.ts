import { toHex } from "../kit/hex.ts";
import { findTag, type Tlv } from "./tlv.ts";
import { packedAmount, type Transaction } from "./transaction-data.ts";

/*
 * What every driver holds the objects of a card's answer against, whatever the protocol. An object that a device does not send says nothing.
 */

type Decision = "online" | "approved-offline" | "declined-offline";
type Interface = "chip" | "contactless-chip" | "contactless-stripe" | "stripe" | "keyed";

/** What a card was to be asked for; without a currency where no message tells the device one. */
type Asked = Pick<Transaction, "amount" | "transactionType"> & Partial<Pick<Transaction, "currencyNumeric">>;

/**
 * Why the first answer of a card is not to be used, or undefined: its cryptogram (9F27) says something else than the device's own word, or amount, currency and kind are
 * those of another transaction. A refund is booked upon an AAC too, so that its answer must show that the card was there.
 */
export function firstAnswerProblem(objects: readonly Tlv[], decision: Decision, asked: Asked, via: Interface): string | undefined {
  const { amount, transactionType, currencyNumeric } = asked;
  if (contradicts(objects, decision)) return `the answer says ${decision}, its cryptogram (9F27) does not`;
  const told = findTag(objects, "9F02");
  if (told !== undefined && toHex(told) !== packedAmount(amount)) return "the answer carries another amount (9F02) than was asked for";
  const currency = findTag(objects, "5F2A");
  // A device may know better in which currency it works: what its customer reads as dollars is not to be booked in euros.
  if (currency?.length === 2 && currencyNumeric !== undefined && toHex(currency) !== `0${currencyNumeric}`)
    return "the answer carries another currency (5F2A) than was asked for";
  const type = findTag(objects, "9C");
  if (type !== undefined && toHex(type) !== transactionType) return "the answer carries another transaction type (9C) than was asked for";
  const isChip = via === "chip" || via === "contactless-chip";
  return transactionType === "20" && isChip && findTag(objects, "9F26") === undefined ? "the answer to a refund carries no cryptogram (9F26)" : undefined;
}

/** Why a second answer that says approved does not prove it, or undefined: it must come from the transaction of the first (9F36, hexadecimal), with a TC. */
export function finalAnswerProblem(objects: readonly Tlv[], { atc }: { readonly atc?: string }): string | undefined {
  const told = findTag(objects, "9F36");
  if (told !== undefined && atc !== undefined && toHex(told) !== atc) return "the final answer carries another transaction counter (9F36)";
  return contradicts(objects, "approved-offline") ? "the final answer says approved, its cryptogram (9F27) does not" : undefined;
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
