import type { Notice } from "../../src/card/notice.ts";
import {
  APPLICATION_BLOCKED,
  CARD_BLOCKED,
  CARD_DATA,
  CONDITIONS,
  DENIED,
  ICC_COMMAND,
  ICC_RESET,
  ICC_RESPONSE,
  NO_APPLICATION,
  NOT_ACCEPTED,
  OK,
  plainCode,
  TIMED_OUT,
  USER_CANCEL,
} from "./status-codes.ts";

/** Meaning of a return code before the first cryptogram (PROTOCOL.md 4.6). */
export type Ruling =
  | { readonly is: "ok" }
  | { readonly is: "denied" }
  | { readonly is: "cancelled" }
  | { readonly is: "no-card"; readonly why: Extract<Notice, { on: "no-card" }>["why"] }
  | { readonly is: "error" };

const noCard = (why: Extract<Ruling, { is: "no-card" }>["why"]): Ruling => ({ is: "no-card", why });

const rulings: ReadonlyMap<number, Ruling> = new Map<number, Ruling>([
  [OK, { is: "ok" }],
  [ICC_RESET, noCard("chip-unreadable")],
  [ICC_COMMAND, noCard("chip-unreadable")],
  [CARD_BLOCKED, noCard("blocked")],
  [ICC_RESPONSE, noCard("chip-unreadable")],
  [APPLICATION_BLOCKED, noCard("blocked")],
  [NO_APPLICATION, noCard("not-supported")],
  [USER_CANCEL, { is: "cancelled" }],
  [TIMED_OUT, noCard("timeout")],
  [CARD_DATA, noCard("chip-unreadable")],
  [NOT_ACCEPTED, noCard("not-supported")],
  [DENIED, { is: "denied" }],
  [CONDITIONS, noCard("chip-unreadable")],
]);

export function rulingOf(rc: number): Ruling {
  return rulings.get(plainCode(rc)) ?? { is: "error" };
}

/** Cryptogram types as the device reports them (PROTOCOL.md 4.5). */
export const AAC = 0;
export const TC = 1;
export const ARQC = 2;
/** An AAC because the host declined. */
export const AAC_OF_HOST = 3;
