import type { Reason } from "../view-schema.ts";

const REASONS = {
  "host-declined": ["The card's bank declined the payment.", "other-card"],
  "soft-declined": ["The card's bank wants the cardholder to identify: insert the card and type the PIN.", "use-chip"],
  "wrong-pin": ["The PIN was wrong.", "retry"],
  "pin-tries-exceeded": ["The PIN was wrong too often; the card takes no PIN any more.", "other-card"],
  "insufficient-funds": ["The card's bank declined: not enough money.", "other-card"],
  "expired-card": ["The card has expired.", "other-card"],
  "blocked-card": ["The card is blocked.", "other-card"],
  "card-not-stored": ["The gateway does not have this stored card, or not any more.", "other-card"],
  "retry-blocked": [
    "The card's scheme forbids to try this card again: take another card or another means of payment.",
    "do-not-retry",
  ],
  "card-declined": ["The card itself declined the payment.", "other-card"],
  "partial-refused": ["The bank approved a part only, and a part was not wanted.", "other-card"],
  "customer-cancelled": ["The customer cancelled on the terminal.", "retry"],
  "register-cancelled": ["The register cancelled the payment.", "retry"],
  "card-timeout": ["No card came in time.", "retry"],
  "pin-timeout": ["The PIN was not typed in time.", "retry"],
  "card-removed": ["The card was taken out too early.", "retry"],
  "card-left-in": ["A card of an earlier payment is still in the terminal: take it out.", "retry"],
  "card-not-supported": ["The terminal does not take this card.", "other-card"],
  "chip-required": ["This card has a chip and has to be inserted.", "use-chip"],
  "chip-unreadable": ["The chip could not be read.", "other-card"],
  "fallback-not-allowed": ["The chip could not be read, and the stripe may not be used instead.", "other-card"],
  "terminal-lost": ["The terminal stopped answering.", "retry"],
  "terminal-tampered": ["The terminal reports tampering and is out of service.", "call-support"],
  "terminal-misconfigured": ["The terminal is not set up as it has to be and is out of service.", "call-support"],
  "terminal-refused": ["The terminal cannot do what this payment asks of it.", "call-support"],
  "keys-missing": ["The terminal has no usable keys and is out of service.", "call-support"],
  "gateway-unreached": [
    "The payment gateway could not be reached, or knows nothing of the payment; nothing was booked.",
    "retry",
  ],
  "gateway-refused": ["The payment gateway refused the request; nothing was booked.", "call-support"],
  "channel-not-set-up": [
    "The gateway is not set up to take this payment for this shop: its type, currency or card brand. Nothing was booked; it will not work until that is mended.",
    "call-support",
  ],
  "outcome-unknown": ["The gateway gave no clear answer in time; what it may hold is taken back.", "wait"],
  "completion-lost": ["The card's final word was lost; the payment is taken back.", "retry"],
  "offline-approved": ["The card approved without asking its bank; that is not accepted here.", "call-support"],
  "amount-mismatch": ["The gateway booked another amount than was asked for.", "call-support"],
  "signature-refused": ["The signature was not accepted.", "other-card"],
  "void-refused": ["The gateway reverses this booking no more: refund it instead.", "refund"],
  "already-refunded": [
    "The booking was refunded already, at least in part: look at what is left of it before more is given back.",
    "call-support",
  ],
  "reversal-refused": ["The gateway refuses to reverse this reservation.", "call-support"],
  "operator-reversed": ["An operator closed the payment: nothing of it is booked.", "retry"],
  "operator-declined": ["An operator closed the payment as declined.", "other-card"],
  "request-expired": ["The request was too old when its turn came; nothing was booked.", "retry"],
  "link-expired": ["The customer has not paid by the link in time.", "retry"],
  "bridge-restarted": ["The bridge was restarted during the payment.", "retry"],
} as const satisfies Record<string, readonly [string, Reason["advice"]]>;

export type ReasonCode = keyof typeof REASONS;

export function reasonOf(code: ReasonCode): Reason {
  const [message, advice] = REASONS[code];
  return { code, message, advice };
}

export function isReasonCode(code: string): code is ReasonCode {
  return Object.hasOwn(REASONS, code);
}
