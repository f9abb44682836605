import { encodeDynaPro, tags } from "../../src/card/dynapro-data.ts";
import { issuerObjects } from "../../src/emv/issuer-objects.ts";
import type { IssuerResponse } from "../../src/emv/issuer-response.ts";
import { encodeTlvs, type Tlv } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import type { Frame } from "./flow.ts";
import { extendedCommand } from "./message.ts";

/* The issuer's answer, in the frame of the ARQC (PROTOCOL.md 7.5). */

const MAC_KEY = 0x82;
const KSN_BYTES = 10;
/** The device requires four bytes and does not check them (PROTOCOL.md 6.1). */
const UNCHECKED_MAC = new Uint8Array(4);

/** Packets of the command that hands these objects to the card. */
export function acquirerResponse({ serialNumber, macKsn }: Frame, issuer: readonly Tlv[]): readonly Uint8Array[] {
  const ksn = macKsn.length === KSN_BYTES ? macKsn : new Uint8Array(KSN_BYTES);
  const frame = { macKsn: ksn, macType: MAC_KEY, serialNumber, mac: () => UNCHECKED_MAC };
  return extendedCommand("acquirer", encodeDynaPro(frame, [{ tag: tags.arqc, value: encodeTlvs(issuer) }]));
}

const APPROVED = "3030";
const DECLINED = "3035";
/** Z3: unable to go online, declined offline (EMV Book 4, annex A6). */
const UNREACHED = "5A33";

/** Tells a waiting card, which cannot be cancelled, that its issuer was unreachable. */
export function refusal(frame: Frame): readonly Uint8Array[] {
  return acquirerResponse(frame, [{ tag: "8A", value: fromHex(UNREACHED) }]);
}

/** The issuer's answer in the device's form. */
export function answerFor(frame: Frame, issuer: IssuerResponse): readonly Uint8Array[] {
  return acquirerResponse(frame, issuerObjects({ ...issuer, arc: codeFor(issuer) }));
}

function codeFor({ verdict, arc }: IssuerResponse): string {
  switch (verdict) {
    case "approved":
      return APPROVED;
    case "declined":
      return ascii(fromHex(arc)) === "00" ? DECLINED : arc;
    case "unable-to-go-online":
      return UNREACHED;
  }
}
