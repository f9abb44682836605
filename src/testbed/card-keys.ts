import { concat, xor } from "../kit/bytes.ts";
import { fromHex } from "../kit/hex.ts";
import { oddParity, tdesKey } from "./des.ts";

const ALL_ONES = new Uint8Array(8).fill(0xff);

/** ICC master key by option A of EMV Book 2, A1.4.1: from an issuer master key, the PAN's digits and the two digits of the PAN sequence number ("00" where the card has none). */
export function cardMasterKey(issuerMasterKey: Uint8Array, pan: string, panSequenceNumber: string): Uint8Array {
  const diversifier = fromHex(`${pan}${panSequenceNumber}`.slice(-16).padStart(16, "0"));
  const issuer = tdesKey(issuerMasterKey);
  return oddParity(concat(issuer.encrypt(diversifier), issuer.encrypt(xor(diversifier, ALL_ONES))));
}

/** EMV common session key (Book 2, A1.3.1): the diversifier is the ATC and six zero bytes. */
export function commonSessionKey(cardKey: Uint8Array, atc: Uint8Array): Uint8Array {
  return sessionKey(cardKey, concat(atc, new Uint8Array(6)));
}

/** Mastercard's proprietary session key (SKD): the diversifier is the ATC, two zero bytes and the unpredictable number. */
export function mastercardSessionKey(cardKey: Uint8Array, atc: Uint8Array, unpredictableNumber: Uint8Array): Uint8Array {
  return sessionKey(cardKey, concat(atc, new Uint8Array(2), unpredictableNumber));
}

function sessionKey(cardKey: Uint8Array, diversifier: Uint8Array): Uint8Array {
  const card = tdesKey(cardKey);
  return oddParity(concat(card.encrypt(diversifier.with(2, 0xf0)), card.encrypt(diversifier.with(2, 0x0f))));
}
