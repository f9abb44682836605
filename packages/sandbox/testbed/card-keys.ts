import { createHash } from "node:crypto";
import { concat, xor } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { oddParity, tdesKey } from "./des.ts";

const ALL_ONES = new Uint8Array(8).fill(0xff);

/** Up to this many PAN digits options A and B of EMV Book 2, A1.4 agree. */
const SHORT_PAN = 16;
const DIVERSIFIER_DIGITS = 16;

/**
 * ICC master key from issuer master key, PAN and PAN sequence number ("00" without one). EMV Book 2, A1.4.1 (option A)
 * for up to 16 digits, else A1.4.2 (option B).
 */
export function cardMasterKey(issuerMasterKey: Uint8Array, pan: string, panSequenceNumber: string): Uint8Array {
  const digits = pan.length > SHORT_PAN ? hashedDigits(`${pan}${panSequenceNumber}`) : `${pan}${panSequenceNumber}`;
  return masterKeyOf(issuerMasterKey, digits);
}

/** Option A for any length. */
export function cardMasterKeyByOptionA(
  issuerMasterKey: Uint8Array,
  pan: string,
  panSequenceNumber: string,
): Uint8Array {
  return masterKeyOf(issuerMasterKey, `${pan}${panSequenceNumber}`);
}

/** The first 16 decimal digits of the hexadecimal SHA-1; missing ones come from its letters, A as 0 to F as 5. */
function hashedDigits(digits: string): string {
  const hash = toHex(
    createHash("sha1")
      .update(fromHex(digits.length % 2 === 0 ? digits : `0${digits}`))
      .digest(),
  );
  return decimalised(hash);
}

export function decimalised(hash: string): string {
  const letters = hash.replace(/[0-9]/g, "").replace(/[A-F]/g, (letter) => String(Number.parseInt(letter, 16) - 10));
  return `${hash.replace(/[A-F]/g, "")}${letters}`.slice(0, DIVERSIFIER_DIGITS);
}

function masterKeyOf(issuerMasterKey: Uint8Array, digits: string): Uint8Array {
  const diversifier = fromHex(digits.slice(-DIVERSIFIER_DIGITS).padStart(DIVERSIFIER_DIGITS, "0"));
  const issuer = tdesKey(issuerMasterKey);
  return oddParity(concat(issuer.encrypt(diversifier), issuer.encrypt(xor(diversifier, ALL_ONES))));
}

/** EMV common session key (Book 2, A1.3.1): the diversifier is the ATC and six zero bytes. */
export function commonSessionKey(cardKey: Uint8Array, atc: Uint8Array): Uint8Array {
  return sessionKey(cardKey, concat(atc, new Uint8Array(6)));
}

/**
 * Mastercard's proprietary session key (SKD): the diversifier is the ATC, two zero bytes and the unpredictable number.
 */
export function mastercardSessionKey(
  cardKey: Uint8Array,
  atc: Uint8Array,
  unpredictableNumber: Uint8Array,
): Uint8Array {
  return sessionKey(cardKey, concat(atc, new Uint8Array(2), unpredictableNumber));
}

function sessionKey(cardKey: Uint8Array, diversifier: Uint8Array): Uint8Array {
  const card = tdesKey(cardKey);
  return oddParity(concat(card.encrypt(diversifier.with(2, 0xf0)), card.encrypt(diversifier.with(2, 0x0f))));
}
