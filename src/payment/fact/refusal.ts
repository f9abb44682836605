/** Errors of the register API. A refused start does not use up its reference. */
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

/** A reference is unique within its register. */
export interface PaymentName {
  readonly reference: string;
  readonly register: string;
}

/** `left` is in the requested currency. */
export interface RefundLimit {
  readonly per: "payment" | "day";
  readonly limit: string;
  readonly left: string;
}

/** `message` names the field and the remedy, never a secret. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly advice: "retry" | "fix-request" | "fix-config" | "call-support";
  readonly path?: string;
  /** Absent if the caller may not know of that payment. */
  readonly about?: PaymentName;
  readonly exceeded?: RefundLimit;
}

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
