/**
 * A refused start leaves its reference free for another try, except after `journal-broken`: that start may be on disk.
 */
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

export interface PaymentName {
  readonly reference: string;
  readonly register: string;
}

export interface RefundLimit {
  readonly per: "payment" | "day";
  readonly limit: string;
  readonly left: string;
}

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly advice: "retry" | "fix-request" | "fix-config" | "call-support";
  readonly path?: string;
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
