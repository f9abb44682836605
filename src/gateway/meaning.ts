import type { DeclineReason } from "../payment/exchange.ts";
import { type CodeClass, classOf } from "./result-codes.ts";

/**
 * Meaning of a result code for a bridge that holds a card (gateway-facts 1.3). The three approvals still need a reply
 * that proves them (verdict.ts). `approved-in-test`: a test system approved. `approved-review`: approved, but an
 * operator must check it.
 */
export type Meaning =
  | "approved"
  | "approved-in-test"
  | "approved-review"
  | "declined"
  | "declined-held"
  | "soft-declined"
  | "pending"
  | "refused"
  /** The request is refused because the channel is not set up for it. */
  | "not-set-up"
  /** The request is refused because of the credentials; it says nothing about the payment. */
  | "not-let-in"
  /** The request is refused because of the booking that it refers to. */
  | "not-referable"
  /** The gateway timed out before anything went to the acquirer. */
  | "not-sent"
  | "gateway-down"
  | "throttled"
  /**
   * A duplicate of this request, or of a purchase with the same card and amount. The outcome of the first one decides.
   */
  | "duplicate"
  | "already-reversed"
  | "not-reversible"
  | "still-pending"
  | "auto-reversed"
  | "half-reversed"
  | "unknown";

interface Special {
  readonly codes: RegExp;
  readonly meaning: Meaning;
  /** Applies to these payment types only; absent: to any. */
  readonly to?: readonly string[];
}

const REFERRING = ["CP", "RV", "RF"];

/** Codes with another meaning than their class; the first matching row wins. */
const SPECIAL: readonly Special[] = [
  { codes: /^000\.400\.030$/, meaning: "half-reversed" },
  { codes: /^900\.100\.301$/, meaning: "auto-reversed" },
  { codes: /^000\.100\.11[0-2]$/, meaning: "approved-in-test" },
  // No money moved: query envelope, chargeback representment, risk check, account updater, 3D Secure alone
  // (gateway-facts 1.2, trap 2).
  { codes: /^(?:000\.000\.1|000\.100\.1|000\.300\.1|000\.310|000\.400\.1[12]0)/, meaning: "unknown" },
  { codes: /^900\.100\.310$/, meaning: "not-sent" },
  { codes: /^(?:800\.900\.(?:100|30[012]|401)|600\.300\.(?:101|200)|800\.121\.100)$/, meaning: "not-let-in" },
  {
    codes: /^(?:900\.100\.600|800\.800\.400|800\.800\.80[01]|500\.100\.[0-9]{3}|800\.500\.110)$/,
    meaning: "gateway-down",
  },
  {
    codes: /^(?:800\.110\.100|800\.130\.100|200\.200\.106|800\.600\.100|800\.700\.100|800\.120\.402|200\.300\.405)$/,
    meaning: "duplicate",
  },
  { codes: /^800\.120\.100$/, meaning: "throttled" },
  // The customer refused on a device of their own or did not answer in time. Nothing was booked.
  { codes: /^(?:100\.395\.501|100\.396\.(?:10[1236]|201)|100\.397\.10[12])$/, meaning: "declined" },
  { codes: /^(?:800\.100\.192|800\.400\.110)$/, meaning: "declined-held" },
  // No card is present that could be presented in another way.
  { codes: /^300\.100\.100$/, meaning: "declined", to: ["CP", "RF", "RV", "CD"] },
  { codes: /^700\.300\.300$/, meaning: "already-reversed", to: REFERRING },
  { codes: /^700\.400\.300$/, meaning: "already-reversed", to: ["RV"] },
  // Exceeds the remaining reservation, or the reservation is reversed. Most likely an earlier capture was booked after
  // all.
  { codes: /^700\.400\.100$/, meaning: "already-reversed", to: ["CP"] },
  { codes: /^(?:700\.300\.(?:100|[78]00)|700\.100\.700)$/, meaning: "not-reversible", to: ["RV"] },
  // "Needs a successful CP, DB, RB or PA": a booking reversed meanwhile may not count as one.
  { codes: /^700\.400\.530$/, meaning: "not-reversible", to: ["RV"] },
  // The channel has no reversals: captured money is refunded instead.
  { codes: /^600\.200\.(?:20[012]|3[01]0|400|600)$/, meaning: "not-reversible", to: ["RV"] },
  { codes: /^700\.400\.570$/, meaning: "still-pending", to: REFERRING },
  // No such registration, removed before, never valid, no account, kept for too long: the stored card does not exist.
  { codes: /^100\.150\.20[02356]$/, meaning: "declined", to: ["PA", "DB"] },
  // No such registration, removed before, never valid, nothing registered, no such id: there is nothing to delete.
  { codes: /^(?:100\.150\.20[023]|100\.350\.303|700\.100\.100)$/, meaning: "already-reversed", to: ["DR"] },
];

/**
 * Everything that is neither a clear approval nor a clear decline is unknown. A request refused by validation never
 * reached an acquirer. Account data comes from the card in a shop, so its refusal is a decline.
 */
const BY_CLASS: Readonly<Record<CodeClass, Meaning>> = {
  chargeback: "unknown",
  success: "approved",
  "success-review": "approved-review",
  "pending-session": "pending",
  "pending-days": "pending",
  "communication-error": "unknown",
  "rejected-3ds-intercard": "declined",
  "rejected-bank": "declined",
  "system-error": "unknown",
  "async-workflow-error": "unknown",
  "soft-decline": "soft-declined",
  "retry-blocked-mac": "declined",
  "risk-external": "declined",
  "address-validation": "declined",
  "rejected-3ds": "declined",
  blacklist: "declined",
  "risk-validation": "declined",
  configuration: "not-set-up",
  "registration-validation": "refused",
  "job-validation": "refused",
  "reference-validation": "not-referable",
  "risk-management": "refused",
  "format-validation": "refused",
  "contact-validation": "refused",
  "account-validation": "declined",
  "amount-validation": "refused",
  unmatched: "unknown",
};

export function meaningOf(code: string, paymentType: string): Meaning {
  const special = SPECIAL.find(({ codes, to }) => codes.test(code) && (to === undefined || to.includes(paymentType)));
  return special?.meaning ?? BY_CLASS[classOf(code)];
}

/** Declines on which a cashier can act (gateway-facts 1.3 and the code texts); all others are `host-declined`. */
const REASONS: readonly (readonly [DeclineReason, readonly string[]])[] = [
  ["card-not-stored", ["100.150.200", "100.150.202", "100.150.203", "100.150.205", "100.150.206"]],
  ["wrong-pin", ["800.100.166"]],
  ["pin-tries-exceeded", ["800.100.161", "800.100.178"]],
  ["insufficient-funds", ["800.100.155", "800.100.203"]],
  ["expired-card", ["100.100.303", "800.100.157"]],
  [
    "blocked-card",
    [
      // stolen, blocked, lost, restricted, keep the card, account blocked, account closed
      ...["800.100.159", "800.100.160", "800.100.165", "800.100.168", "800.100.171", "800.100.172", "800.100.202"],
      // the same on the gateway's own block list
      ...["800.200.159", "800.200.160", "800.200.165", "800.200.202", "800.200.208"],
      // the scheme says: closed or fraud
      "700.601.003",
    ],
  ],
];

export function declineReasonOf(code: string): DeclineReason {
  return (
    REASONS.find(([, codes]) => codes.includes(code))?.[0] ??
    (classOf(code) === "retry-blocked-mac" ? "retry-blocked" : "host-declined")
  );
}
