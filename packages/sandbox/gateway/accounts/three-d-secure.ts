import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { toHex } from "../../../../src/kit/hex.ts";
import type { Random } from "../../../../src/kit/random.ts";
import type { CardAuthentication } from "../asynchronous/shopper-step.ts";
import type { Structure } from "../ledger/booking.ts";
import type { Outcome } from "../ledger/outcome.ts";
import type { Asked } from "./account-answer.ts";
import type { Enrolment, TestCard } from "./test-cards.ts";

/** Proof of an external 3D Secure server (specification, "3D Secure") is passed on unchanged. */
export function hasProof(sent: Sent): boolean {
  return ["threeDSecure.eci", "threeDSecure.verificationId", "threeDSecure.dsTransactionId"].some((name) =>
    sent.has(name),
  );
}

/**
 * Two custom parameters (gateway's public testing guide) enrol any test card and choose its course, by default the
 * challenge.
 */
export function enrolmentOf(card: TestCard | undefined, sent: Sent): Enrolment | undefined {
  if (card === undefined || sent.get("customParameters[3DS2_enrolled]") !== "true") return card?.enrolment;
  return sent.get("customParameters[3DS2_flow]") === "frictionless" ? "frictionless" : "challenge";
}

/** Whether the shopper is challenged; a failing system and a holder who is not enrolled challenge nobody. */
export function authenticationOf(enrolment: Enrolment | undefined): CardAuthentication | undefined {
  switch (enrolment) {
    case "challenge":
      return "challenge";
    case "frictionless":
    case "attempted":
      return "frictionless";
    case "error":
    case "not-enrolled":
    case undefined:
      return undefined;
  }
}

/**
 * Whether this gateway runs 3D Secure for the payment. False with external proof, if disabled, or if no holder is
 * present.
 */
export function authenticatesHere(sent: Sent, paymentType: Asked["paymentType"]): boolean {
  if (hasProof(sent) || sent.get("threeDSecure.disable") === "true" || (paymentType !== "PA" && paymentType !== "DB"))
    return false;
  return (
    sent.get("standingInstruction.source") !== "MIT" &&
    !["REPEATED", "REGISTRATION_BASED"].includes(sent.get("recurringType") ?? "")
  );
}

/** External proof stating that the holder was not authenticated. */
export function proofOutcome(sent: Sent): Outcome | undefined {
  if (sent.get("threeDSecure.authenticationStatus") !== "N") return undefined;
  return {
    resultCode: "100.390.109",
    because: "threeDSecure.authenticationStatus is N: the holder was not authenticated",
  };
}

/** Electronic commerce indicators; Mastercard and related brands use their own values. */
const INDICATORS = { full: { usual: "05", master: "02" }, attempted: { usual: "06", master: "01" } } as const;
const OF_MASTER: readonly string[] = ["MASTER", "MASTERDEBIT", "MAESTRO", "CHINAUNIONPAY", "BCMC"];

interface Authentication {
  readonly brand: string;
  readonly enrolment: Enrolment | undefined;
  readonly isChallenged: boolean;
}

/**
 * The reply's fields for an authentication by this gateway. An exemption instead of a challenge leaves no
 * authentication.
 */
export function threeDSecurePart(
  random: Random,
  sent: Sent,
  { brand, enrolment, isChallenged }: Authentication,
): Structure | undefined {
  const scheme = OF_MASTER.includes(brand) ? "master" : "usual";
  const version = sent.get("threeDSecure.version") ?? "2.2.0";
  if (isChallenged) return proven(random, version, "Y", INDICATORS.full[scheme]);
  switch (enrolment) {
    case "frictionless":
      return proven(random, version, "Y", INDICATORS.full[scheme]);
    case "attempted":
      return proven(random, version, "A", INDICATORS.attempted[scheme]);
    case "error":
      return { authenticationStatus: "U", version };
    case "not-enrolled":
      return { eci: INDICATORS.attempted[scheme], version };
    case "challenge":
    case undefined:
      return undefined;
  }
}

function proven(random: Random, version: string, authenticationStatus: string, eci: string): Structure {
  return {
    eci,
    authenticationStatus,
    version,
    verificationId: proofOf(random),
    dsTransactionId: uuid(random),
    acsTransactionId: uuid(random),
  };
}

/** 28 characters of base64, the length of a CAVV or AAV. */
function proofOf(random: Random): string {
  return Buffer.from(random.bytes(20)).toString("base64");
}

function uuid(random: Random): string {
  const hex = toHex(random.bytes(16)).toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
