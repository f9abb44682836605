import type { CardProfile } from "./card-profile.ts";

export type CryptogramType = "ARQC" | "TC" | "AAC";

/** What the card verification results tell: the answers given so far, and how the issuer's side went. */
export interface CardResults {
  readonly first: CryptogramType;
  readonly second?: { readonly type: "TC" | "AAC"; readonly authentication: "not-done" | "approved" | "declined" | "failed"; readonly online: boolean };
}

/** Bits 8-7: the second answer (00 AAC, 01 TC, 10 not asked yet); bits 6-5: the first (00 AAC, 01 TC, 10 ARQC). Visa and M/Chip share them. */
function answers({ first, second }: CardResults): number {
  const firstBits = { AAC: 0x00, TC: 0x10, ARQC: 0x20 }[first];
  const secondBits = second === undefined ? 0x80 : second.type === "TC" ? 0x40 : 0x00;
  return firstBits | secondBits;
}

const KEY_INDEX = 0x01;

/** 9F10 of Visa's short formats: length 06, key index, version, then the CVR with its length 03. */
export function visaIssuerData(profile: CardProfile, results: CardResults): Uint8Array {
  const { second } = results;
  const authenticationFailed = second?.authentication === "failed" ? 0x08 : 0;
  const unableToGoOnline = second?.online === false ? 0x01 : 0;
  const authenticationNotDone = second?.online && second.authentication === "not-done" ? 0x04 : 0;
  return Uint8Array.of(0x06, KEY_INDEX, profile.cryptogramVersion, 0x03, answers(results) | authenticationFailed | unableToGoOnline, authenticationNotDone, 0);
}

/** Three PIN tries are left; offline PIN was not performed (bit 6), the transaction is domestic (bit 2): what the recorded test card says. */
const MCHIP_TRIES = 0x03;
const MCHIP_STATUS = 0x22;

/** 9F10 of M/Chip 4: key index, version, CVR of six bytes, data authentication code, counters. */
export function mastercardIssuerData(profile: CardProfile, results: CardResults): Uint8Array {
  const { second } = results;
  const authenticated = second?.authentication === "approved" || second?.authentication === "declined" ? 0x10 : 0;
  const unableToGoOnline = second?.online === false ? 0x40 : 0;
  const authenticationFailed = second?.authentication === "failed" ? 0x04 : 0;
  const verification = [answers(results), authenticated, MCHIP_TRIES, MCHIP_STATUS | unableToGoOnline, authenticationFailed, 0];
  return Uint8Array.of(KEY_INDEX, profile.cryptogramVersion, ...verification, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff);
}
