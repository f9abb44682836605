import type { Answer, LinkSight, SearchResult } from "../fact/answer.ts";
import type { CardRead, ChipData } from "../fact/fact.ts";
import type { FollowUp, Target } from "../fact/original.ts";
import type { TerminalEnd } from "../fact/terminal-side.ts";

type NoCard = Extract<TerminalEnd, { is: "no-card" }>["why"];

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
  | { readonly on: "signature"; readonly accepted: boolean }
  | { readonly on: "answer"; readonly merchantTransactionId: string; readonly answer: Answer }
  | { readonly on: "searched"; readonly merchantTransactionId: string; readonly result: SearchResult }
  | { readonly on: "link-seen"; readonly sight: LinkSight }
  | { readonly on: "released" }
  | { readonly on: "original-known"; readonly targets: readonly Target[] }
  | { readonly on: "original-told" }
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
  | { readonly on: "woken" };

/** For the one request that an input may cause: two requests under one name could not be told apart (decision 4). */
export interface Fresh {
  readonly merchantTransactionId: string;
  readonly sequenceNumber: number;
}

/**
 * `at`: the payment's time. If the machine's clock is set back, it stands still, because limits about money depend on
 * it (decision 3).
 */
export interface Input {
  readonly at: number;
  readonly fresh: Fresh;
  readonly what: Happening;
}
