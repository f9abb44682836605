import type { Notice } from "../../src/card/notice.ts";

type NoCard = Extract<Notice, { on: "no-card" }>["why"];

/** Meaning of a result code (DFEE25) before completion (PROTOCOL.md 4.5). */
export type Ruling =
  | { readonly is: "selected" }
  | { readonly is: "online" }
  | { readonly is: "approved-offline" }
  | { readonly is: "declined-offline" }
  | { readonly is: "swiped" }
  /** Nothing was read, or two cards: a card must be presented again. */
  | { readonly is: "again"; readonly prompt: "TRY_AGAIN" | "ONE_CARD_ONLY" }
  | { readonly is: "cancelled" }
  | { readonly is: "no-card"; readonly why: NoCard }
  /** A completion code, a code of an earlier answer, or the first of two; it says nothing here. */
  | { readonly is: "elsewhere" }
  | { readonly is: "error" };

const noCard = (why: NoCard): Ruling => ({ is: "no-card", why });

const rulings: Readonly<Record<string, Ruling>> = {
  "0000": { is: "approved-offline" },
  "0001": { is: "declined-offline" },
  "0002": { is: "elsewhere" },
  "0003": { is: "elsewhere" },
  "0004": { is: "online" },
  "0007": noCard("chip-unreadable"),
  "0008": noCard("timeout"),
  "0009": { is: "online" },
  "0010": { is: "selected" },
  "0011": { is: "swiped" },
  "0012": { is: "cancelled" },
  "007A": { is: "again", prompt: "ONE_CARD_ONLY" },
  "007D": noCard("use-chip"),
  "3001": { is: "elsewhere" },
  "3002": noCard("chip-unreadable"),
  "3003": noCard("chip-unreadable"),
  "3004": noCard("chip-unreadable"),
  "3005": noCard("removed"),
  "3006": noCard("timeout"),
  "3007": { is: "again", prompt: "TRY_AGAIN" },
  "5005": noCard("not-supported"),
  "5009": noCard("not-supported"),
  "5023": noCard("blocked"),
};

export function rulingOf(result: string): Ruling {
  return rulings[result] ?? { is: "error" };
}

/** Results of a completion. */
export const APPROVED = "0002";
export const DECLINED = "0003";

/** Meaning of a failed activation's error block (FFEE1F, PROTOCOL.md 4.7). */
export type TapFailure =
  | { readonly is: "no-card"; readonly why: NoCard }
  | { readonly is: "again"; readonly prompt: "TRY_AGAIN" | "ONE_CARD_ONLY" }
  | { readonly is: "error" };

const again = (prompt: "TRY_AGAIN" | "ONE_CARD_ONLY"): TapFailure => ({ is: "again", prompt });

const failures: Readonly<Record<number, TapFailure>> = {
  [0x02]: { is: "no-card", why: "use-chip" },
  [0x04]: { is: "no-card", why: "use-chip" },
  [0x06]: { is: "no-card", why: "not-supported" },
  [0x20]: { is: "no-card", why: "use-chip" },
  [0x21]: again("ONE_CARD_ONLY"),
  [0x22]: { is: "no-card", why: "use-chip" },
  [0x24]: again("TRY_AGAIN"),
  [0x25]: { is: "no-card", why: "blocked" },
  [0x26]: { is: "no-card", why: "not-supported" },
  [0x27]: { is: "no-card", why: "use-chip" },
  [0x30]: again("TRY_AGAIN"),
  [0x73]: again("TRY_AGAIN"),
};

export function tapFailureOf(errorCode: number | undefined): TapFailure {
  return (errorCode === undefined ? undefined : failures[errorCode]) ?? { is: "error" };
}
