import type { FaultCode, Notice } from "../../src/card/notice.ts";

/** Return codes of more than one command (PROTOCOL.md 4.2). */
export const OK = 0;
export const UNSUPPORTED = -0xffff;
/** The value that follows is ciphertext (PROTOCOL.md 4.4). */
export const SEALED = -0x110000;

export const ICC_RESET = -1;
export const ICC_COMMAND = -2;
const CARD_BLOCKED = -3;
export const ICC_RESPONSE = -4;
export const APPLICATION_BLOCKED = -5;
const NO_APPLICATION = -6;
export const USER_CANCEL = -7;
export const TIMED_OUT = -8;
const CARD_DATA = -9;
const NOT_ACCEPTED = -10;
export const DENIED = -11;
export const NO_PIN = -14;
export const NOT_FOUND = -16;
export const NO_DATA = -17;
/** The card answered GENERATE AC with 6985: whether the stripe may stand in is the host's to decide. */
export const CONDITIONS = -22;
export const PARAMETER = -30;

const PED_NO_KEY = -301;
export const PED_NO_GROUP = -318;
const PED_LOCKED = -320;
export const PED_OVERFLOW = -324;
/** The key was used and its counter must be raised before it is used again. */
export const PED_NEXT_KSN = -344;

/** What stands before a code where a firmware tells which part of it failed (PROTOCOL.md 4.2): PED and EMV. */
const PED_BASE = -0x10000;
const EMV_BASE = -0xa0000;
const WIDTH = 0x400;

/** A return code as the plain number, whichever of the two ways the device has it. */
export function plainCode(rc: number): number {
  for (const base of [PED_BASE, EMV_BASE]) {
    if (rc < base && rc > base - WIDTH) return rc - base;
  }
  return rc;
}

/** Why a device is not to be used any more, or undefined. */
export function deviceFault(rc: number): { readonly code: FaultCode; readonly detail: string } | undefined {
  switch (plainCode(rc)) {
    case PED_LOCKED:
      return { code: "tampered", detail: `the device is locked (${textOf(rc)})` };
    case PED_NO_KEY:
      return { code: "keys-missing", detail: `the device has no key for card data (${textOf(rc)})` };
    case PED_OVERFLOW:
      return { code: "keys-missing", detail: `the key for card data is used up (${textOf(rc)})` };
    default:
      return undefined;
  }
}

/** A return code for people. */
export function textOf(rc: number): string {
  return String(plainCode(rc));
}

/** What a return code of a chip's transaction means before there is a cryptogram (PROTOCOL.md 4.6). */
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

/** What kind of cryptogram the device says the card made (PROTOCOL.md 4.5). */
export const AAC = 0;
export const TC = 1;
export const ARQC = 2;
/** An AAC because the host declined. */
export const AAC_OF_HOST = 3;
