import { concat } from "../../../src/kit/bytes.ts";
import type { CardProfile } from "./card-profile.ts";
import type { Brand } from "./cryptogram.ts";

export type CryptogramType = "ARQC" | "TC" | "AAC";

/** A PIN compared by the card; `triesLeft` counts after it. */
export interface OfflinePin {
  readonly right: boolean;
  readonly enciphered: boolean;
  readonly triesLeft: number;
}

/** Input of the card verification results: both GENERATE AC decisions, and issuer authentication. */
export interface CardResults {
  readonly first: CryptogramType;
  readonly second?: {
    readonly type: "TC" | "AAC";
    readonly authentication: "not-done" | "approved" | "declined" | "failed";
    readonly online: boolean;
  };
  readonly offlinePin?: OfflinePin;
}

/**
 * Bits 8-7: second decision (00 AAC, 01 TC, 10 not requested); bits 6-5: first (00 AAC, 01 TC, 10 ARQC). Same for Visa
 * and M/Chip.
 */
function answers({ first, second }: CardResults): number {
  const firstBits = { AAC: 0x00, TC: 0x10, ARQC: 0x20 }[first];
  const secondBits = second === undefined ? 0x80 : second.type === "TC" ? 0x40 : 0x00;
  return firstBits | secondBits;
}

const KEY_INDEX = 0x01;

/**
 * Length of the CVR and the bytes after it in 9F10: formats that begin with a length, as seen on cards of each brand.
 */
const FORMATS: Readonly<
  Record<Exclude<Brand, "mastercard">, { readonly cvr: number; readonly behind: readonly number[] }>
> = {
  visa: { cvr: 3, behind: [] },
  amex: { cvr: 3, behind: [] },
  discover: { cvr: 3, behind: [] },
  jcb: { cvr: 3, behind: [] },
  // Number of the algorithm.
  unionpay: { cvr: 3, behind: [0x01] },
  interac: { cvr: 4, behind: Array.from({ length: 14 }, () => 0) },
};

/**
 * The length byte at the start of a brand's 9F10; undefined: it starts with the key index. Issuers may append own data.
 */
export function declaredLength(brand: Brand): number | undefined {
  return brand === "mastercard" ? undefined : 3 + FORMATS[brand].cvr + FORMATS[brand].behind.length;
}

/** 9F10 in Visa's short formats: length, key index, version, CVR with its length, then the brand's bytes. */
export function shortIssuerData(profile: CardProfile, brand: keyof typeof FORMATS, results: CardResults): Uint8Array {
  const { second } = results;
  const { cvr, behind } = FORMATS[brand];
  const authenticationFailed = second?.authentication === "failed" ? 0x08 : 0;
  const unableToGoOnline = second?.online === false ? 0x01 : 0;
  const authenticationNotDone = second?.online && second.authentication === "not-done" ? 0x04 : 0;
  const verification = new Uint8Array(cvr);
  verification.set([
    answers(results) | authenticationFailed | unableToGoOnline | shortPin(results),
    authenticationNotDone | shortPinBlocked(results),
  ]);
  const body = concat(Uint8Array.of(KEY_INDEX, profile.cryptogramVersion, cvr), verification, Uint8Array.from(behind));
  return concat(Uint8Array.of(body.length), body);
}

/** CVR byte 1: bit 3 PIN compared, bit 2 PIN wrong. */
function shortPin({ offlinePin }: CardResults): number {
  if (offlinePin === undefined) return 0;
  return offlinePin.right ? 0x04 : 0x06;
}

/** CVR byte 2: bit 7 no tries left. */
function shortPinBlocked({ offlinePin }: CardResults): number {
  return offlinePin?.triesLeft === 0 ? 0x40 : 0;
}

/** M/Chip, byte 1: bit 3 PIN compared, bit 2 PIN enciphered, bit 1 PIN right. */
function mchipPin({ offlinePin }: CardResults): number {
  if (offlinePin === undefined) return 0;
  return 0x04 | (offlinePin.enciphered ? 0x02 : 0) | (offlinePin.right ? 0x01 : 0);
}

/** M/Chip, byte 4: bit 6 no PIN compared, bit 5 PIN wrong, bit 4 no tries left. */
function mchipPinStatus({ offlinePin }: CardResults): number {
  if (offlinePin === undefined) return 0x20;
  return (offlinePin.right ? 0 : 0x10) | (offlinePin.triesLeft === 0 ? 0x08 : 0);
}

/** Byte 3, low half: remaining PIN tries; three if no PIN was compared, as on the recorded test card. */
const MCHIP_TRIES = 3;
/** Byte 4, bit 2: domestic, as on the recorded test card. */
const MCHIP_DOMESTIC = 0x02;

/** 9F10 of M/Chip 4: key index, version, CVR of six bytes, data authentication code, counters. */
export function mastercardIssuerData(profile: CardProfile, results: CardResults): Uint8Array {
  const { second } = results;
  const authenticated = second?.authentication === "approved" || second?.authentication === "declined" ? 0x10 : 0;
  const unableToGoOnline = second?.online === false ? 0x40 : 0;
  const authenticationFailed = second?.authentication === "failed" ? 0x04 : 0;
  const tries = results.offlinePin?.triesLeft ?? MCHIP_TRIES;
  const fourth = MCHIP_DOMESTIC | mchipPinStatus(results) | unableToGoOnline;
  const verification = [answers(results) | mchipPin(results), authenticated, tries, fourth, authenticationFailed, 0];
  return Uint8Array.of(KEY_INDEX, profile.cryptogramVersion, ...verification, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff);
}
