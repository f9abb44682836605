import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { KnownCard } from "../../testbed/issuer-contract.ts";
import type { Context } from "../context.ts";
import { declineOf } from "../ledger/outcome.ts";
import type { AccountAnswer, Asked } from "./account-answer.ts";
import { refused } from "./card-rules.ts";
import { sealedWords, verifyCard } from "./card-verification.ts";
import { brandOf, issuerPart } from "./issuer-part.ts";
import { recorded } from "./masking.ts";
import type { StoredCard } from "./stored-account.ts";

/**
 * Specification, "Point of sale": the issuer of the test cards opens the sealed data and verifies the chip's
 * cryptogram.
 */
export function answerPresentedCard(
  context: Context,
  sent: Sent,
  { paymentType, amount, currency }: Asked,
): AccountAnswer {
  if (!sent.has("pos.encryptedSred.data") && !sent.has("pos.encryptedSred.ksn")) return nothingSealed(sent);
  const money = { amount, ...(currency && { currencyNumeric: currency.numeric }) };
  const verification = verifyCard(context, sent, { ...money, credit: paymentType === "CD" });
  return {
    method: "CC",
    refusal: verification.refusal && declineOf(verification.refusal),
    parameters: recorded(sent, sealedWords(verification)),
    paying: { brand: undefined },
    issuer: (outcome, resultCode) => issuerPart(context, outcome, resultCode, verification),
    stored: verification.card && storedOf(verification.card),
  };
}

/** The table requires only entry mode and terminal; without a card nothing can be charged. */
function nothingSealed(sent: Sent): AccountAnswer {
  const refusal = refused("100.100.100", "pos.encryptedSred is missing: the terminal has sealed no card");
  return {
    method: "CC",
    refusal,
    parameters: recorded(sent),
    paying: { brand: undefined },
    issuer: () => ({}),
    stored: undefined,
  };
}

function storedOf(card: KnownCard): StoredCard {
  const { bin, last4, expiry } = card;
  return {
    is: "stored-card",
    brand: brandOf(card),
    bin,
    last4,
    expiryMonth: expiry.slice(2),
    expiryYear: `20${expiry.slice(0, 2)}`,
  };
}
