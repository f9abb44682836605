import type { OfflinePin } from "./card-verification-results.ts";

/*
 * A contact card's CVM list in the terminal's kernel (EMV Book 3, 10.5). Simplified: of the conditions only "always" and "if the terminal supports it" are told apart,
 * and the methods that want a PIN and a signature are unknown.
 */

/** Online and offline say who compares the PIN: the issuer, or the card. `failed`: a rule counted and was not passed, or no rule fits. */
export type VerificationMethod = "online-pin" | "offline-pin" | "signature" | "none" | "failed";

/** What the terminal can do beside signature and nothing. */
export interface VerificationSupport {
  readonly onlinePin: boolean;
  /** Plain and enciphered. */
  readonly offlinePin: boolean;
}

/** How far the list is worked off. A value. */
export interface CardholderVerification {
  readonly method: VerificationMethod;
  /** Of an offline PIN: whether it travels to the card enciphered. */
  readonly enciphered: boolean;
  /** CVM results (9F34), as they are if nothing more happens. */
  readonly results: string;
  /** Bits of the TVR's third byte. */
  readonly tvr: number;
  /** Where in the list the rule stands that counts. */
  readonly at: number;
}

/** TVR, byte 3 (EMV Book 3, C5). */
const FAILED = 0x80;
const TRIES_EXCEEDED = 0x20;
const PIN_NOT_ENTERED = 0x08;
const ONLINE_PIN_ENTERED = 0x04;

/** A rule's first byte: bit 7 says that the next rule counts where this one fails. */
const NEXT_ON_FAILURE = 0x40;
const METHOD = 0x3f;
/** A rule's second byte: the rule counts only where the terminal supports its method. */
const IF_SUPPORTED = 0x03;
/** Two amounts of four bytes stand before the rules. */
const FIRST_RULE = 8;
/** CVM results of a list without a rule that fits. */
const NO_RULE = "3F0001";

/** The first rule of the list (8E) that counts at this terminal. */
export function beginVerification(list: Uint8Array, support: VerificationSupport): CardholderVerification {
  return ruleFrom(list, FIRST_RULE, 0, support);
}

/** No verification is wanted, whatever the card's list says: a refund. */
export const NO_VERIFICATION: CardholderVerification = { method: "none", enciphered: false, results: "1F0002", tvr: 0, at: FIRST_RULE };

/** The card has compared a PIN: it was right, or no try is left; undefined where the holder may type another one. */
export function afterOfflinePin(
  list: Uint8Array,
  verification: CardholderVerification,
  pin: OfflinePin,
  support: VerificationSupport,
): CardholderVerification | undefined {
  if (pin.right) return { ...verification, results: `${verification.results.slice(0, 4)}02` };
  return pin.triesLeft > 0 ? undefined : failedRule(list, verification, TRIES_EXCEEDED, support);
}

/** The holder entered no PIN, and the terminal allows that. */
export function afterBypass(list: Uint8Array, verification: CardholderVerification, support: VerificationSupport): CardholderVerification {
  return failedRule(list, { ...verification, tvr: verification.tvr & ~ONLINE_PIN_ENTERED }, PIN_NOT_ENTERED, support);
}

function failedRule(list: Uint8Array, { at, tvr, results }: CardholderVerification, because: number, support: VerificationSupport): CardholderVerification {
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
      return { method, enciphered: (rule & METHOD) === 0x04, results: `${byte(rule)}${byte(condition)}${result}`, tvr: bits, at };
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
