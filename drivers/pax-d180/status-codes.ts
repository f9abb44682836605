import type { FaultCode } from "../../src/card/notice.ts";

/** Return codes of more than one command (PROTOCOL.md 4.2). */
export const OK = 0;
export const UNSUPPORTED = -0xffff;
/** The value that follows is ciphertext (PROTOCOL.md 4.4). */
export const SEALED = -0x110000;

export const ICC_RESET = -1;
export const ICC_COMMAND = -2;
export const CARD_BLOCKED = -3;
export const ICC_RESPONSE = -4;
export const APPLICATION_BLOCKED = -5;
export const NO_APPLICATION = -6;
export const USER_CANCEL = -7;
export const TIMED_OUT = -8;
export const CARD_DATA = -9;
export const NOT_ACCEPTED = -10;
export const DENIED = -11;
export const NO_PIN = -14;
export const NOT_FOUND = -16;
export const NO_DATA = -17;
/** The card answered GENERATE AC with 6985: whether the magstripe may stand in is the host's to decide. */
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
      return { code: "tampered", detail: `the device is locked (${statusText(rc)})` };
    case PED_NO_KEY:
      return { code: "keys-missing", detail: `the device has no key for card data (${statusText(rc)})` };
    case PED_OVERFLOW:
      return { code: "keys-missing", detail: `the key for card data is used up (${statusText(rc)})` };
    default:
      return undefined;
  }
}

/** A return code for people. */
export function statusText(rc: number): string {
  return String(plainCode(rc));
}
