import type { Answer, LinkSight, SearchResult } from "../fact/answer.ts";
import type { CardRead, ChipData } from "../fact/fact.ts";
import type { FollowUp, Target } from "../fact/original.ts";
import type { TerminalEnd } from "../fact/terminal-side.ts";

type NoCard = Extract<TerminalEnd, { is: "no-card" }>["why"];

/** What can happen to a payment after its acceptance. */
export type Happening =
  | { readonly on: "queued" }
  | { readonly on: "leased" }
  | { readonly on: "card"; readonly card: CardRead }
  | { readonly on: "no-card"; readonly why: NoCard }
  | { readonly on: "pin" }
  | { readonly on: "cancelled"; readonly by: "customer" | "register" }
  | { readonly on: "terminal-failed"; readonly code: string; readonly detail: string }
  | {
      readonly on: "finished";
      readonly verdict: "approved" | "declined" | "read";
      readonly chip: ChipData;
      readonly icc?: string;
      readonly removed?: true;
    }
  | { readonly on: "cancel" }
  /** The cashier compared the signature with the card. */
  | { readonly on: "signature"; readonly accepted: boolean }
  | { readonly on: "answer"; readonly merchantTransactionId: string; readonly answer: Answer }
  | { readonly on: "searched"; readonly merchantTransactionId: string; readonly result: SearchResult }
  | { readonly on: "link-seen"; readonly sight: LinkSight }
  | { readonly on: "released" }
  /** To a follow-up: what it refers to is settled; its original has taken note of how it ended. */
  | { readonly on: "original-known"; readonly targets: readonly Target[] }
  | { readonly on: "original-told" }
  /** To an original: that payment wants to void it; one that follows it has come to its end. */
  | { readonly on: "withdraw-capture"; readonly by: string }
  | { readonly on: "followed"; readonly by: FollowUp }
  | {
      readonly on: "resolved";
      readonly as: "reversed" | "approved" | "declined";
      readonly by: string;
      readonly reason: string;
      readonly gatewayId?: string;
      readonly followed?: FollowUp[];
    }
  | { readonly on: "restarted" }
  /** Time went by: a limit that `owed` named may have been reached. */
  | { readonly on: "woken" };

/** What nothing has used yet, for the one request to the gateway that an input may lead to. */
export interface Fresh {
  readonly merchantTransactionId: string;
  readonly sequenceNumber: number;
}

/** `at`: the payment's own time, epoch milliseconds (engine/mailbox). */
export interface Input {
  readonly at: number;
  readonly fresh: Fresh;
  readonly what: Happening;
}
