/** Codes of a refused call (contract, section 3, errors). A refused start consumes nothing. */
export type RefusalCode =
  | "unauthorized"
  | "forbidden"
  | "unknown-terminal"
  | "terminal-busy"
  | "terminal-offline"
  | "terminal-out-of-service"
  | "reference-reused"
  | "undecided-payment"
  | "not-found"
  | "not-allowed"
  | "invalid-amount"
  | "unsupported"
  | "cursor-gone"
  | "too-many-requests"
  | "shutting-down"
  | "gateway-unreached"
  | "journal-unwritable"
  | "journal-broken"
  | "card-number-in-text"
  | "refund-limit"
  | "data-folder-rolled-back"
  | "card-number-found";

/** How a payment is named to registers: references are unique within one register's name. */
export interface PaymentName {
  readonly reference: string;
  readonly register: string;
}

/** A limit of money given back, as registers are told it; `left` in the currency that was asked for. */
export interface RefundLimit {
  readonly per: "payment" | "day";
  readonly limit: string;
  readonly left: string;
}

/**
 * A call refused for a reason its caller can act on: `message` names the field or thing and the mend, and never repeats
 * what must not be shown.
 */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly advice: "retry" | "fix-request" | "fix-config" | "call-support";
  /** The parameter that is meant, where it is one. */
  readonly path?: string;
  /** The payment that is in the way, where the caller may know of it. */
  readonly about?: PaymentName;
  /** Of `refund-limit`: the limit that is in the way. */
  readonly exceeded?: RefundLimit;
}

/** Result of a call that may be refused. */
export type Granted<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export const granted = <T>(value: T): Granted<T> => ({ ok: true, value });
export const refused = (
  code: RefusalCode,
  message: string,
  advice: Refusal["advice"],
  path?: string,
  about?: PaymentName,
): Granted<never> => ({
  ok: false,
  refusal: { code, message, advice, ...(path !== undefined && { path }), ...(about !== undefined && { about }) },
});
export const nameOf = ({ reference, register }: PaymentName): PaymentName => ({ reference, register });
