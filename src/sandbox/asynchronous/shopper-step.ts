import type { Sent } from "../../gateway/parameters/chapter.ts";
import { asynchronousMethodOf } from "./methods.ts";

/**
 * How the issuer of a card authenticates its holder with 3D Secure: by a challenge, or from the data alone. A merchant may ask for the other (threeDSecure.challengeIndicator
 * and .exemptionFlag), and the sandbox's issuers do as they are asked.
 */
export type CardAuthentication = "challenge" | "frictionless";

/** What of an account decides whether its payment needs its shopper. */
export interface PayingAccount {
  /** paymentBrand, as sent or as found by the card's number. */
  readonly brand: string | undefined;
  /** Absent: no card, a card that takes no part in 3D Secure, or one that was presented at a terminal. */
  readonly authentication?: CardAuthentication | undefined;
  /** A token whose shopper agreed before (PAYPAL virtual account): nobody is asked again. A stored card is authenticated anew all the same. */
  readonly agreed?: boolean;
}

/** A payment that answers only when its shopper did; `awaitShopper` (waiting.ts) makes a row of the ledger wait for him. */
export interface ShopperStep {
  readonly is: "bank" | "challenge";
  readonly brand: string;
  /** What the payment is until then. */
  readonly pendingCode: string;
  /** What it comes to where the shopper never answers. */
  readonly lapse: { readonly afterMs: number; readonly resultCode: string };
}

/** Specification, "States and transitions": as long as a checkout lives. */
const SHOPPER_WAIT_MS = 30 * 60_000;
/** What a payment is until its shopper answered. */
export const SHOPPER_AWAITED = "000.200.000";
const TRANSFER_RAN_OUT = "100.395.501";
const RAN_OUT = "100.396.103";

/** Whether a result says that the shopper never answered; no answer has one of these. */
export function isLapse(resultCode: string): boolean {
  return resultCode === TRANSFER_RAN_OUT || resultCode === RAN_OUT;
}

/** Whether a payment needs its shopper: an asynchronous brand, or a card whose holder is challenged by 3D Secure. Undefined: it is answered at once. */
export function shopperStepOf(account: PayingAccount, sent: Sent): ShopperStep | undefined {
  // Money that is given asks nobody for leave.
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

/** EMV 3-D Secure, 3DS Requestor Challenge Indicator: 03 wanted, 04 mandated, 09 wanted to be put on the holder's list of trusted merchants. */
const CHALLENGE_WANTED: readonly string[] = ["03", "04", "09"];
/** 02 none wanted, 05 risk analysis done, 06 data only, 07 holder authenticated by the merchant, 08 on the holder's list of trusted merchants. 01 is no preference. */
const CHALLENGE_UNWANTED: readonly string[] = ["02", "05", "06", "07", "08"];

function isChallenged(authentication: CardAuthentication | undefined, sent: Sent): boolean {
  if (authentication === undefined || isAuthenticatedElsewhere(sent) || isWithoutShopper(sent)) return false;
  const indicator = sent.get("threeDSecure.challengeIndicator") ?? "";
  if (CHALLENGE_WANTED.includes(indicator)) return true;
  const isExempt = sent.has("threeDSecure.exemptionFlag") || CHALLENGE_UNWANTED.includes(indicator);
  return authentication === "challenge" && !isExempt;
}

/** Specification, "3D Secure": proof of an external server is passed on as it is; a merchant may leave 3D Secure out altogether. */
function isAuthenticatedElsewhere(sent: Sent): boolean {
  const proofs = ["threeDSecure.eci", "threeDSecure.verificationId", "threeDSecure.dsTransactionId"];
  return sent.get("threeDSecure.disable") === "true" || proofs.some((name) => sent.has(name));
}

/** Nobody is there who could answer: the merchant begins a payment of an agreement (specification, "Card on file", and "Tokenization rules"). */
function isWithoutShopper(sent: Sent): boolean {
  return sent.get("standingInstruction.source") === "MIT" || ["REPEATED", "REGISTRATION_BASED"].includes(sent.get("recurringType") ?? "");
}
