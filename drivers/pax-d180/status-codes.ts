import type { FaultCode } from "../../src/card/notice.ts";

/** Return codes that several commands share (PROTOCOL.md 4.2). */
export const OK = 0;
export const UNSUPPORTED = -0xffff;
/** The following value is ciphertext (PROTOCOL.md 4.4). */
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
/** The card answered GENERATE AC with 6985; the host decides about a magstripe fallback. */
export const CONDITIONS = -22;
export const PARAMETER = -30;

const PED_NO_KEY = -301;
export const PED_NO_GROUP = -318;
const PED_LOCKED = -320;
export const PED_OVERFLOW = -324;
/** The key was used; its counter must be raised before the next use. */
export const PED_NEXT_KSN = -344;

/** Offsets by which some firmware marks the failed part (PROTOCOL.md 4.2): PED and EMV. */
const PED_BASE = -0x10000;
const EMV_BASE = -0xa0000;
const WIDTH = 0x400;

/** The return code without such an offset. */
export function plainCode(rc: number): number {
  for (const base of [PED_BASE, EMV_BASE]) {
    if (rc < base && rc > base - WIDTH) return rc - base;
  }
  return rc;
}

/** Why a device must not be used any more, or undefined. */
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

/** A return code in an operator's words. */
export function statusText(rc: number): string {
  return String(plainCode(rc));
}
