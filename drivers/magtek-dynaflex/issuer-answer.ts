import { tags } from "../../src/card/dynapro-data.ts";
import { issuerObjects } from "../../src/emv/issuer-objects.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { encodeTlv, encodeTlvs, type Tlv } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { tlvPayload } from "./message.ts";

/** RESUME: ends the wait for the issuer with its answer. No other content is documented (PROTOCOL.md 7.5). */
export function resumePayload(serialNumber: Uint8Array, issuer: readonly Tlv[]): Uint8Array {
  const answer = encodeTlv(
    tags.arpc,
    encodeTlvs([
      { tag: tags.serialNumber, value: serialNumber },
      { tag: tags.generic, value: encodeTlv(tags.arqc, encodeTlvs(issuer)) },
    ]),
  );
  return tlvPayload(["81", Uint8Array.of(0)], ["84", answer]);
}

/** Longest script with its tag and length, in bytes (PROTOCOL.md 7.5). */
const LONGEST_SCRIPT = 128;

const APPROVED = "3030";
const DECLINED = "3035";
/** Z3: unable to go online, declined offline (EMV Book 4, annex A6). */
export const UNREACHED = "5A33";
/** Codes with another meaning on the device: approval, referral, other interface, PIN (PROTOCOL.md 7.5). */
const TAKEN: readonly string[] = ["00", "01", "12", "13"];

/** The issuer's answer in the device's form. An oversized script is dropped; the card still gets its response code. */
export function answerFor(issuer: IssuerResponse, withScripts: boolean): readonly Tlv[] {
  return issuerObjects({ ...issuer, arc: codeFor(issuer) }).filter(({ tag, value }) => {
    const isScript = tag === "71" || tag === "72";
    return !isScript || (withScripts && encodeTlv(tag, value).length <= LONGEST_SCRIPT);
  });
}

function codeFor({ verdict, arc }: IssuerResponse): string {
  switch (verdict) {
    case "approved":
      return APPROVED;
    case "declined":
      return TAKEN.includes(ascii(fromHex(arc))) ? DECLINED : arc;
    case "unable-to-go-online":
      return UNREACHED;
  }
}
