import type { PaymentView } from "../../payment/view-schema.ts";
import type { Tone } from "../design/tone.ts";

interface Words {
  readonly text: string;
  readonly tone: Tone | undefined;
}

const STATES: Readonly<Record<Exclude<PaymentView["state"], "FINAL">, string>> = {
  CREATED: "Accepted",
  QUEUED: "Waits for the terminal",
  AWAITING_CARD: "Waits for the customer",
  AUTHORIZING: "Asks the gateway",
  COMPLETING: "Finishes with the card",
  RESOLVING: "Outcome unknown, being found out",
  REVERSING: "Being reversed",
};

const OUTCOMES: Readonly<Record<NonNullable<PaymentView["outcome"]>, Words>> = {
  APPROVED: { text: "Approved", tone: "good" },
  PARTIALLY_APPROVED: { text: "Approved in part", tone: "good" },
  DECLINED: { text: "Declined", tone: undefined },
  CANCELLED: { text: "Cancelled", tone: undefined },
  FAILED: { text: "Failed, no money moved", tone: "bad" },
};

/** A payment's state in a few words. An unknown outcome looks like no other state. */
export function standingOf({ state, outcome }: Pick<PaymentView, "state" | "outcome">): Words {
  if (state !== "FINAL")
    return { text: STATES[state], tone: state === "RESOLVING" || state === "REVERSING" ? "unknown" : undefined };
  return outcome === undefined ? { text: "Over", tone: undefined } : OUTCOMES[outcome];
}

const TYPES: Readonly<Record<PaymentView["type"], string>> = {
  SALE: "Sale",
  PREAUTHORIZATION: "Preauthorization",
  REFUND: "Refund to a card",
  REGISTRATION: "Card stored",
  CAPTURE: "Capture",
  VOID: "Void",
  LINKED_REFUND: "Refund",
  INCREMENT: "Increment",
};

export function typeText(type: PaymentView["type"]): string {
  return TYPES[type];
}

const ENTRIES: Readonly<Record<NonNullable<PaymentView["card"]>["entryMode"], string>> = {
  ICC: "inserted",
  NFC_ICC: "tapped",
  NFC_MAGSTRIPE: "tapped (magstripe mode)",
  MAGSTRIPE: "swiped",
  MAGSTRIPE_AS_FALLBACK: "swiped after the chip failed",
  MANUAL: "typed in",
};

/** "VISA •••• 0119, inserted". */
export function cardText({ brand, last4, entryMode }: NonNullable<PaymentView["card"]>): string {
  return `${brand}${last4 === undefined ? "" : ` •••• ${last4}`}, ${ENTRIES[entryMode]}`;
}

const CVMS: Readonly<Record<string, string>> = {
  "online-pin": "PIN, verified by the issuer",
  "offline-pin": "PIN, verified by the card",
  signature: "signature",
  none: "none asked for",
  device: "by the customer's phone",
  failed: "failed",
  unknown: "not known",
};

export function cvmText(cvm: string | undefined): string | undefined {
  return cvm === undefined
    ? undefined
    : ((Object.hasOwn(CVMS, cvm) ? CVMS[cvm] : undefined) ?? cvm.replaceAll("-", " "));
}

const ADVICES: Readonly<Record<NonNullable<PaymentView["reason"]>["advice"], string>> = {
  retry: "The cashier may try again.",
  "other-card": "Another card may work.",
  "use-chip": "The card has to be inserted.",
  wait: "Wait: the bridge goes on by itself.",
  "retry-later": "Try again later.",
  "do-not-retry": "Do not try this card again.",
  refund: "Give the money back by a refund.",
  "call-support": "Call the gateway's support.",
};

export function adviceText(advice: NonNullable<PaymentView["reason"]>["advice"]): string {
  return ADVICES[advice];
}
