import { type Blob, type BlobFrame, encodeDynaPro, parseDynaPro } from "../../src/card/dynapro-data.ts";
import { findTag, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { concat } from "../../src/kit/bytes.ts";

/* ARQC and batch data in tag 84 of a progress notification (PROTOCOL.md 6). */

const DATA = "84";
/** The device's own tags begin with FF, so only zeros are filler. */
const FILLER: readonly number[] = [0x00];

/** Parses the data of a progress notification, or says why it is invalid. Never throws. */
export function parseBlob(payload: Uint8Array): Blob | string {
  const outer = parseTlv(payload, FILLER);
  const bytes = outer.ok ? findTag(outer.objects, DATA) : undefined;
  if (!outer.ok || bytes === undefined) return "a notification of card data without data (84)";
  return parseDynaPro(
    bytes,
    outer.objects.filter(({ tag }) => tag !== DATA),
  );
}

/**
 * The payload of a progress notification. Tag 84 always has a length of three bytes: the maker's own hosts skip it
 * blindly (PROTOCOL.md 6.1).
 */
export function encodeBlob(frame: BlobFrame, generic: readonly Tlv[]): Uint8Array {
  const blob = encodeDynaPro(frame, generic);
  return concat(Uint8Array.of(0x84, 0x82, blob.length >> 8, blob.length & 0xff), blob);
}
