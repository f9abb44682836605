import type { Kind, Means } from "./kinds.ts";

/**
 * One thing that a register was told of a payment: by a reply, or by a notification on a connection that follows the
 * changes.
 */
export interface Telling {
  readonly via: "start" | "get" | "wait" | "cancel" | "change";
  /** Numbered within the register; only what one connection said has an order. */
  readonly connection: number;
  /** Epoch milliseconds at which it was heard. */
  readonly at: number;
  readonly id: string;
  readonly state: string;
  readonly decision?: string;
  readonly outcome?: string;
  /** Decimal strings. */
  readonly approvedAmount?: string;
  readonly capturedAmount?: string;
  readonly refundedAmount?: string;
}

interface Refused {
  /** Epoch milliseconds at which the refused call was sent. */
  readonly sentAt: number;
  readonly code: string;
  readonly message: string;
}

/** What one register asked for under one reference, and all that it was told about it. */
export interface Entry {
  readonly reference: string;
  readonly register: string;
  readonly kind: Kind;
  readonly by: Means;
  /** The stored card that it is to be paid by. */
  readonly registration?: string;
  /** Empty where it needs none. */
  readonly terminal: string;
  /** As a decimal string, where the kind has one. */
  readonly amount: string | undefined;
  readonly currency: string;
  readonly tellings: Telling[];
  /** Replies that said `created: true`. */
  created: number;
  /** Replies of payment.cancel. */
  readonly cancellations: string[];
  /** Refusals of the start, or of the method that makes the payment. */
  readonly refusals: Refused[];
  /** It was accepted while another payment of its order was undecided: that one's reference (truth 6). */
  besideUndecided?: string;
  /** payment.get said not-found after a reply had said that the payment was accepted. */
  missing: number;
  /** How often its customer has paid it in a second browser. */
  secondPages: number;
}

export function newEntry(
  of: Pick<Entry, "reference" | "register" | "kind" | "by" | "registration" | "terminal" | "amount" | "currency">,
): Entry {
  return { ...of, tellings: [], created: 0, cancellations: [], refusals: [], missing: 0, secondPages: 0 };
}

/**
 * The deletion of a stored card, which is no payment: what a register asked for under one reference, and what it was
 * told.
 */
export interface Deletion {
  readonly reference: string;
  readonly register: string;
  /** The gateway's id of the card. */
  readonly registration: string;
  /** In the order in which they were heard; epoch milliseconds. */
  readonly tellings: {
    readonly sentAt: number;
    readonly at: number;
    readonly says: "deleted" | "already-deleted" | "unknown";
  }[];
  readonly refusals: Refused[];
}

/** What an operator said became of a payment that waited for a person, as the journal keeps it. */
export interface Word {
  readonly register: string;
  readonly reference: string;
  readonly as: "approved" | "reversed" | "declined";
  /** The booking that he named. */
  readonly gatewayId?: string;
}

/** A reply or a change spoke of it: from then on it may never be missing. */
export function isAccepted({ tellings }: Entry): boolean {
  return tellings.length > 0;
}
