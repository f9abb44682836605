import type { Sent } from "../../gateway/parameters/chapter.ts";
import type { Random } from "../../kit/random.ts";
import type { IssuerPart } from "../ledger/booking.ts";

/** Mastercard's agreements have a number of their own; the other networks tell the initial transaction alone. */
const OF_AGREEMENT = /^MASTER/;
/** Digits of a scheme's reference. */
const REFERENCE_DIGITS = 15;

/**
 * What the first payment of an agreement is told, for the merchant to send with all later ones (specification, "Card on file"): the scheme's reference, and where the
 * network has agreements the agreement's id, which the merchant may have chosen himself. Only an approved card payment has one.
 */
export function agreementPart(random: Random, sent: Sent, { paymentBrand, card }: IssuerPart): Pick<IssuerPart, "standingInstruction" | "resultDetails"> {
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
