import type { PaymentView } from "../../src/payment/view-schema.ts";
import type { Kind } from "./plan.ts";

/** One thing that a register was told of a payment: by a reply, or by a notification. */
export interface Telling extends Pick<PaymentView, "id" | "state" | "decision" | "outcome"> {
  readonly via: "reply" | "change";
  /** Epoch milliseconds at which it was heard. */
  readonly at: number;
  /** Numbered within the register; only what one connection said has an order. */
  readonly connection: number;
}

/** What one register asked for under one reference, and all that it was told about it. */
export interface Entry {
  readonly reference: string;
  readonly register: string;
  readonly kind: Kind;
  readonly tellings: Telling[];
  /** Replies that said `created: true`. */
  created: number;
  /** A reply said that its cancellation was accepted. */
  cancelled: boolean;
  /** Refusals of the start: epoch milliseconds at which it was sent, and why. */
  readonly refusals: { readonly sentAt: number; readonly code: string }[];
  /** payment.get said not-found after a reply had said that the payment was accepted. */
  missing: number;
}

export function newEntry(of: Pick<Entry, "reference" | "register" | "kind">): Entry {
  return { ...of, tellings: [], created: 0, cancelled: false, refusals: [], missing: 0 };
}

export function isAccepted({ tellings }: Entry): boolean {
  return tellings.length > 0;
}
