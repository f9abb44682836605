import { encodeTlv } from "../../../src/emv/tlv.ts";
import { concat, fromAscii } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { issuerAuthenticationData } from "./arpc.ts";
import { bitPad, retailMac } from "./des.ts";
import type { Conclusion } from "./issuer-contract.ts";
import type { VerifiedCryptogram } from "./issuer-cryptogram.ts";

/** Data for the card: 8A, then 91 for a verified cryptogram, then scripts. TLV in hexadecimal. */
export function iccDataResponse(
  { approved, arc, variation }: Conclusion,
  cryptogram: VerifiedCryptogram | undefined,
): string {
  const code = encodeTlv("8A", fromAscii(arc));
  if (cryptogram === undefined || variation === "without-91") return toHex(code);
  const data = issuerAuthenticationData(cryptogram.scheme, cryptogram.keys, cryptogram.arqc, approved, arc);
  const sent = variation === "wrong-91" ? data.map((byte, at) => (at === 0 ? byte ^ 0x01 : byte)) : data;
  const scripts =
    variation === "scripts" ? concat(script("71", cryptogram), script("72", cryptogram)) : new Uint8Array(0);
  return toHex(concat(code, encodeTlv("91", sent), scripts));
}

/** "Unblock PIN", the simplest command. */
const PIN_UNBLOCK = fromHex("8424000008");

/**
 * An issuer script (EMV Book 3, 10.10) with one command. No script MAC keys are published for both brands, so the MAC
 * uses the cryptogram key; no card verifies it.
 */
function script(tag: "71" | "72", { keys, atc, arqc }: VerifiedCryptogram): Uint8Array {
  const mac = retailMac(keys.session).mac(bitPad(concat(PIN_UNBLOCK, atc, arqc)));
  const identifier = encodeTlv("9F18", fromHex(tag === "71" ? "00000001" : "00000002"));
  return encodeTlv(tag, concat(identifier, encodeTlv("86", concat(PIN_UNBLOCK, mac))));
}
