import { type Blob, type BlobFrame, encodeDynaPro, parseDynaPro } from "../../src/card/dynapro-data.ts";
import { findTag, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { concat } from "../../src/kit/bytes.ts";

/* ARQC and batch data in the tag 84 of a progress notification (PROTOCOL.md 6). */

const DATA = "84";
/** Tags of the device's own begin with FF, so that only zeros are filler here. */
const FILLER: readonly number[] = [0x00];

/** Reads the payload of a progress notification that carries data, or says why it is none. Never throws. */
export function parseBlob(payload: Uint8Array): Blob | string {
  const outer = parseTlv(payload, FILLER);
  const bytes = outer.ok ? findTag(outer.objects, DATA) : undefined;
  if (!outer.ok || bytes === undefined) return "a notification of card data without data (84)";
  return parseDynaPro(
    bytes,
    outer.objects.filter(({ tag }) => tag !== DATA),
  );
}

/** The payload of a progress notification. Tag 84 always takes the length of three bytes: hosts of the maker's own skip it blindly (PROTOCOL.md 6.1). */
export function encodeBlob(frame: BlobFrame, generic: readonly Tlv[]): Uint8Array {
  const blob = encodeDynaPro(frame, generic);
  return concat(Uint8Array.of(0x84, 0x82, blob.length >> 8, blob.length & 0xff), blob);
}
