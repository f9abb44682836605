import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Random } from "../../../../src/kit/random.ts";
import type { IssuerPart } from "../ledger/booking.ts";

/** Mastercard agreements have an id; other networks identify only the initial transaction. */
const OF_AGREEMENT = /^MASTER/;
const REFERENCE_DIGITS = 15;

/**
 * References for later payments of an agreement (specification, "Card on file"): the scheme's and, at Mastercard, the
 * agreement's id, which the merchant may choose. Approved cards only.
 */
export function agreementPart(
  random: Random,
  sent: Sent,
  { paymentBrand, card }: IssuerPart,
): Pick<IssuerPart, "standingInstruction" | "resultDetails"> {
  if (sent.get("standingInstruction.mode") !== "INITIAL" || card === undefined) return {};
  const initialTransactionId = digits(random, REFERENCE_DIGITS);
  const agreementId = sent.get("standingInstruction.agreementId") ?? digits(random, REFERENCE_DIGITS);
  return {
    standingInstruction: { initialTransactionId, ...(OF_AGREEMENT.test(paymentBrand ?? "") && { agreementId }) },
    resultDetails: { CardholderInitiatedTransactionID: initialTransactionId },
  };
}

function digits(random: Random, count: number): string {
  return Array.from(random.bytes(count), (byte) => byte % 10).join("");
}
