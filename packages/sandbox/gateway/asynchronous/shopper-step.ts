import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { asynchronousMethodOf } from "./methods.ts";

/**
 * How the issuer authenticates the holder: by a challenge or from data alone. The sandbox follows the merchant's wish
 * in threeDSecure.challengeIndicator or .exemptionFlag.
 */
export type CardAuthentication = "challenge" | "frictionless";

/** The parts of an account that decide whether the shopper is asked. */
export interface PayingAccount {
  /** paymentBrand, as sent or detected from the number. */
  readonly brand: string | undefined;
  /** Absent: no card, a card without 3D Secure, or a card presented at a terminal. */
  readonly authentication?: CardAuthentication | undefined;
  /**
   * A stored PAYPAL virtual account: the shopper agreed before and is not asked. Stored cards are authenticated every
   * time.
   */
  readonly agreed?: boolean;
}

/** The shopper's step before a payment is answered; `awaitShopper` (waiting.ts) makes the booking wait for it. */
export interface ShopperStep {
  readonly is: "bank" | "challenge";
  readonly brand: string;
  /** Result code while the shopper is awaited. */
  readonly pendingCode: string;
  /** Result if the shopper never answers. */
  readonly lapse: { readonly afterMs: number; readonly resultCode: string };
}

/** Specification, "States and transitions": the lifetime of a checkout. */
const SHOPPER_WAIT_MS = 30 * 60_000;
/** Result code while the shopper is awaited. */
export const SHOPPER_AWAITED = "000.200.000";
const TRANSFER_RAN_OUT = "100.395.501";
const RAN_OUT = "100.396.103";

/** Whether the result says that the shopper never answered; no answer of a shopper has these codes. */
export function isLapse(resultCode: string): boolean {
  return resultCode === TRANSFER_RAN_OUT || resultCode === RAN_OUT;
}

/** Set for an asynchronous brand or a challenged card holder. Undefined: the payment is answered at once. */
export function shopperStepOf(account: PayingAccount, sent: Sent): ShopperStep | undefined {
  // A credit needs nobody's consent.
  if (sent.get("paymentType") === "CD" || account.brand === undefined) return undefined;
  const method = asynchronousMethodOf(account.brand);
  if (method !== undefined && account.agreed !== true) {
    return stepOf("bank", account.brand, method.kind === "online-transfer" ? TRANSFER_RAN_OUT : RAN_OUT);
  }
  return isChallenged(account.authentication, sent) ? stepOf("challenge", account.brand, RAN_OUT) : undefined;
}

function stepOf(is: ShopperStep["is"], brand: string, resultCode: string): ShopperStep {
  return { is, brand, pendingCode: SHOPPER_AWAITED, lapse: { afterMs: SHOPPER_WAIT_MS, resultCode } };
}

/**
 * EMV 3-D Secure, 3DS Requestor Challenge Indicator: 03 requested, 04 mandated, 09 requested for the holder's list of
 * trusted merchants.
 */
const CHALLENGE_WANTED: readonly string[] = ["03", "04", "09"];
/**
 * 02 not requested, 05 risk analysis done, 06 data only, 07 authenticated by the merchant, 08 on the trusted list. 01
 * is no preference.
 */
const CHALLENGE_UNWANTED: readonly string[] = ["02", "05", "06", "07", "08"];

function isChallenged(authentication: CardAuthentication | undefined, sent: Sent): boolean {
  if (authentication === undefined || isAuthenticatedElsewhere(sent) || isWithoutShopper(sent)) return false;
  const indicator = sent.get("threeDSecure.challengeIndicator") ?? "";
  if (CHALLENGE_WANTED.includes(indicator)) return true;
  const isExempt = sent.has("threeDSecure.exemptionFlag") || CHALLENGE_UNWANTED.includes(indicator);
  return authentication === "challenge" && !isExempt;
}

/** Specification, "3D Secure": external proof is passed on unchanged; a merchant may disable 3D Secure. */
function isAuthenticatedElsewhere(sent: Sent): boolean {
  const proofs = ["threeDSecure.eci", "threeDSecure.verificationId", "threeDSecure.dsTransactionId"];
  return sent.get("threeDSecure.disable") === "true" || proofs.some((name) => sent.has(name));
}

/**
 * Merchant-initiated payments of an agreement: no shopper is present (specification, "Card on file", "Tokenization
 * rules").
 */
function isWithoutShopper(sent: Sent): boolean {
  return (
    sent.get("standingInstruction.source") === "MIT" ||
    ["REPEATED", "REGISTRATION_BASED"].includes(sent.get("recurringType") ?? "")
  );
}
