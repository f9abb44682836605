import type { OfflinePin } from "./card-verification-results.ts";

/*
 * A contact card's CVM list in the terminal's kernel (EMV Book 3, 10.5). Simplified: only the conditions "always" and
 * "if supported" are distinguished, and methods with PIN and signature are unknown.
 */

/** Online: the issuer compares the PIN; offline: the card. `failed`: a matching rule failed, or none matches. */
export type VerificationMethod = "online-pin" | "offline-pin" | "signature" | "none" | "failed";

/** The terminal's support beside signature and no CVM. */
export interface VerificationSupport {
  readonly onlinePin: boolean;
  /** Plaintext and enciphered. */
  readonly offlinePin: boolean;
}

/** Progress through the list. Immutable. */
export interface CardholderVerification {
  readonly method: VerificationMethod;
  /** Whether an offline PIN is enciphered for the card. */
  readonly enciphered: boolean;
  /** CVM results (9F34) if nothing more happens. */
  readonly results: string;
  /** Bits of the TVR's third byte. */
  readonly tvr: number;
  /** Position of the current rule in the list. */
  readonly at: number;
}

/** TVR, byte 3 (EMV Book 3, C5). */
const FAILED = 0x80;
const TRIES_EXCEEDED = 0x20;
const PIN_NOT_ENTERED = 0x08;
const ONLINE_PIN_ENTERED = 0x04;

/** Rule byte 1, bit 7: continue with the next rule on failure. */
const NEXT_ON_FAILURE = 0x40;
const METHOD = 0x3f;
/** Rule byte 2: applies only if the terminal supports the method. */
const IF_SUPPORTED = 0x03;
/** Rules start after two amounts of four bytes. */
const FIRST_RULE = 8;
/** CVM results if no rule matches. */
const NO_RULE = "3F0001";

/** The first rule of the list (8E) for this terminal. */
export function beginVerification(list: Uint8Array, support: VerificationSupport): CardholderVerification {
  return ruleFrom(list, FIRST_RULE, 0, support);
}

/** A refund needs no verification, whatever the list says. */
export const NO_VERIFICATION: CardholderVerification = {
  method: "none",
  enciphered: false,
  results: "1F0002",
  tvr: 0,
  at: FIRST_RULE,
};

/** The card compared a PIN: right, or no tries left; undefined: the holder may type another. */
export function afterOfflinePin(
  list: Uint8Array,
  verification: CardholderVerification,
  pin: OfflinePin,
  support: VerificationSupport,
): CardholderVerification | undefined {
  if (pin.right) return { ...verification, results: `${verification.results.slice(0, 4)}02` };
  return pin.triesLeft > 0 ? undefined : failedRule(list, verification, TRIES_EXCEEDED, support);
}

/** The holder entered no PIN, which the terminal allows. */
export function afterBypass(
  list: Uint8Array,
  verification: CardholderVerification,
  support: VerificationSupport,
): CardholderVerification {
  return failedRule(list, { ...verification, tvr: verification.tvr & ~ONLINE_PIN_ENTERED }, PIN_NOT_ENTERED, support);
}

function failedRule(
  list: Uint8Array,
  { at, tvr, results }: CardholderVerification,
  because: number,
  support: VerificationSupport,
): CardholderVerification {
  const goesOn = ((list[at] ?? 0) & NEXT_ON_FAILURE) !== 0 && at + 2 < list.length;
  if (goesOn) return ruleFrom(list, at + 2, tvr | because, support);
  return { method: "failed", enciphered: false, results: `${results.slice(0, 4)}01`, tvr: tvr | because | FAILED, at };
}

function ruleFrom(list: Uint8Array, from: number, tvr: number, support: VerificationSupport): CardholderVerification {
  for (let at = from; at + 1 < list.length; at += 2) {
    const rule = list[at] ?? 0;
    const condition = list[at + 1] ?? 0;
    const method = methodOf(rule & METHOD, support);
    if (method !== undefined) {
      const result = method === "none" ? "02" : "00";
      const bits = method === "online-pin" ? tvr | ONLINE_PIN_ENTERED : tvr;
      return {
        method,
        enciphered: (rule & METHOD) === 0x04,
        results: `${byte(rule)}${byte(condition)}${result}`,
        tvr: bits,
        at,
      };
    }
    if (condition !== IF_SUPPORTED && (rule & NEXT_ON_FAILURE) === 0) break;
  }
  return { method: "failed", enciphered: false, results: NO_RULE, tvr: tvr | FAILED, at: list.length };
}

function methodOf(method: number, { onlinePin, offlinePin }: VerificationSupport): VerificationMethod | undefined {
  switch (method) {
    case 0x01:
    case 0x04:
      return offlinePin ? "offline-pin" : undefined;
    case 0x02:
      return onlinePin ? "online-pin" : undefined;
    case 0x1e:
      return "signature";
    case 0x1f:
      return "none";
    default:
      return undefined;
  }
}

const byte = (value: number): string => value.toString(16).padStart(2, "0").toUpperCase();
