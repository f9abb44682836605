import { concat, equal, fromAscii, xor } from "../../../src/kit/bytes.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import type { CryptogramScheme } from "./cryptogram.ts";
import { bitPad, retailMac, tdesKey } from "./des.ts";

/** ARPC method 1 (EMV Book 2, 8.2.1): eight bytes from the ARQC and the two bytes of the response code. */
export function arpcMethod1(key: Uint8Array, arqc: Uint8Array, responseCode: Uint8Array): Uint8Array {
  return tdesKey(key).encrypt(xor(concat(responseCode, new Uint8Array(6)), arqc));
}

/**
 * ARPC method 2 (EMV Book 2, 8.2.2): first four bytes of a MAC over ARQC, card status update and 0 to 8 proprietary
 * bytes.
 */
export function arpcMethod2(
  key: Uint8Array,
  arqc: Uint8Array,
  cardStatusUpdate: Uint8Array,
  proprietary: Uint8Array,
): Uint8Array {
  return retailMac(key)
    .mac(bitPad(concat(arqc, cardStatusUpdate, proprietary)))
    .slice(0, 4);
}

/** Possible keys of an ARPC; the scheme selects one. */
export interface ArpcKeys {
  readonly card: Uint8Array;
  readonly session: Uint8Array;
}

/** CSU byte 2, bit 8: the issuer approves. */
const CSU_APPROVE = fromHex("00800000");
const CSU_DECLINE = fromHex("00000000");
/** Response in bits (Mastercard, Interac), byte 2, bit 5: the issuer approves. */
const BITS_APPROVE = fromHex("0010");
const BITS_DECLINE = fromHex("0000");

/** Issuer authentication data (tag 91); `arc` is the two characters of the accompanying 8A ("00", "05", ...). */
export function issuerAuthenticationData(
  scheme: CryptogramScheme,
  keys: ArpcKeys,
  arqc: Uint8Array,
  approved: boolean,
  arc: string,
): Uint8Array {
  const key = scheme.arpcKey === "card" ? keys.card : keys.session;
  if (scheme.arpcMethod === 2) {
    const update = approved ? CSU_APPROVE : CSU_DECLINE;
    return concat(arpcMethod2(key, arqc, update, new Uint8Array(0)), update);
  }
  const code = scheme.response === "characters" ? fromAscii(arc) : approved ? BITS_APPROVE : BITS_DECLINE;
  return concat(arpcMethod1(key, arqc, code), code);
}

export type IssuerAuthentication =
  | { readonly is: "good"; readonly approves: boolean }
  /** The ARPC does not match. */
  | { readonly is: "wrong" }
  | { readonly is: "wrong-length" };

/** The card's check of tag 91: whether the issuer made it, and whether it approves. */
export function checkIssuerAuthentication(
  scheme: CryptogramScheme,
  keys: ArpcKeys,
  arqc: Uint8Array,
  data: Uint8Array,
): IssuerAuthentication {
  const key = scheme.arpcKey === "card" ? keys.card : keys.session;
  if (scheme.arpcMethod === 2) {
    if (data.length < 8 || data.length > 16) return { is: "wrong-length" };
    const update = data.subarray(4, 8);
    if (!equal(arpcMethod2(key, arqc, update, data.subarray(8)), data.subarray(0, 4))) return { is: "wrong" };
    return { is: "good", approves: ((update[1] ?? 0) & 0x80) !== 0 };
  }
  if (data.length !== 10) return { is: "wrong-length" };
  const code = data.subarray(8, 10);
  if (!equal(arpcMethod1(key, arqc, code), data.subarray(0, 8))) return { is: "wrong" };
  return {
    is: "good",
    approves: scheme.response === "characters" ? charactersApprove(code) : ((code[1] ?? 0) & 0x10) !== 0,
  };
}

/** The ARPC contains the authorization response code: 00, 10 (partial) and 11 (VIP) approve. */
function charactersApprove(code: Uint8Array): boolean {
  return ["00", "10", "11"].includes(String.fromCharCode(...code));
}
