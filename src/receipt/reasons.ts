import { isReasonCode, type ReasonCode, reasonOf } from "../payment/view.ts";

/**
 * Why a payment was not approved, as a customer reads it: coarser than the reason codes, and true of a refund as of a
 * sale.
 */
const KINDS = [
  "bank-declined",
  "identify",
  "wrong-pin",
  "pin-blocked",
  "no-money",
  "card-expired",
  "card-blocked",
  "card-declined",
  "part-refused",
  "cancelled-by-customer",
  "cancelled-by-shop",
  "too-late",
  "card-removed",
  "card-not-accepted",
  "chip-needed",
  "chip-unreadable",
  "terminal-fault",
  "bank-not-reached",
  "request-refused",
  "no-clear-answer",
  "not-completed",
  "signature-refused",
  "booking-stands",
  "closed-by-operator",
] as const;

export type ReceiptReason = (typeof KINDS)[number];

const BY_CODE: Readonly<Record<ReasonCode, ReceiptReason>> = {
  "host-declined": "bank-declined",
  "soft-declined": "identify",
  "wrong-pin": "wrong-pin",
  "pin-tries-exceeded": "pin-blocked",
  "insufficient-funds": "no-money",
  "expired-card": "card-expired",
  "blocked-card": "card-blocked",
  "card-not-stored": "card-not-accepted",
  "retry-blocked": "bank-declined",
  "card-declined": "card-declined",
  "partial-refused": "part-refused",
  "customer-cancelled": "cancelled-by-customer",
  "register-cancelled": "cancelled-by-shop",
  "card-timeout": "too-late",
  "pin-timeout": "too-late",
  "card-removed": "card-removed",
  "card-left-in": "not-completed",
  "card-not-supported": "card-not-accepted",
  "chip-required": "chip-needed",
  "chip-unreadable": "chip-unreadable",
  "fallback-not-allowed": "chip-unreadable",
  "terminal-lost": "terminal-fault",
  "terminal-tampered": "terminal-fault",
  "terminal-misconfigured": "terminal-fault",
  "terminal-refused": "terminal-fault",
  "keys-missing": "terminal-fault",
  "gateway-unreached": "bank-not-reached",
  "gateway-refused": "request-refused",
  "channel-not-set-up": "request-refused",
  "outcome-unknown": "no-clear-answer",
  "completion-lost": "not-completed",
  "offline-approved": "not-completed",
  "amount-mismatch": "not-completed",
  "signature-refused": "signature-refused",
  "void-refused": "booking-stands",
  "already-refunded": "booking-stands",
  "reversal-refused": "booking-stands",
  "operator-reversed": "closed-by-operator",
  "operator-declined": "closed-by-operator",
  "request-expired": "too-late",
  "link-expired": "too-late",
  "bridge-restarted": "not-completed",
};

/** Undefined for a code that this version does not give itself, and for a message that says more than its code. */
export function receiptReason({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): ReceiptReason | undefined {
  return isReasonCode(code) && message === reasonOf(code).message ? BY_CODE[code] : undefined;
}
