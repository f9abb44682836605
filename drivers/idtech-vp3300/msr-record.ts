import { ascii, concat } from "../../src/kit/bytes.ts";

/**
 * An encrypted swipe record (PROTOCOL.md 4.6): the tracks with masked digits, then tracks 1 and 2, encrypted
 * separately.
 */
export interface MsrRecord {
  /** Tracks 1 to 3 as text: `*` for a masked digit, empty for a missing track. */
  readonly masked: readonly [string, string, string];
  readonly encrypted: readonly [Uint8Array, Uint8Array];
  readonly isAes: boolean;
  readonly serial?: Uint8Array;
  readonly ksn?: Uint8Array;
}

const STX = 0x02;
const ETX = 0x03;
const ISO = 0x80;
const HEAD = 7;
const TRACKS = [0, 1, 2] as const;
const AES = 0x10;
const HAS_SERIAL = 0x80;
const HAS_SESSION = 0x40;
const HAS_KSN = 0x80;
const HASH_BYTES = 20;
const SERIAL_BYTES = 10;
const SESSION_BYTES = 8;

/** The record; undefined if the bytes do not parse or a checksum fails. Never throws. */
export function parseMsrRecord(bytes: Uint8Array): MsrRecord | undefined {
  const body = bodyOf(bytes);
  const [encodeType, , length1 = 0, length2 = 0, length3 = 0, sent = 0, sealed = 0] = body ?? [];
  // Bit 7 of the type marks the enhanced form, whose flags say which parts are present.
  if (body === undefined || body.length < HEAD || encodeType === undefined || (encodeType & 0x80) === 0)
    return undefined;
  const isAes = (sent & AES) !== 0;
  const lengths = [length1, length2, length3];
  let at = HEAD;
  const take = (size: number): Uint8Array => {
    at += size;
    return body.slice(at - size, at);
  };
  const block = isAes ? 16 : 8;
  const masked = TRACKS.map((track) => (((sent >> track) & 1) === 0 ? "" : ascii(take(lengths[track] ?? 0))));
  const encrypted = TRACKS.map((track) =>
    take(((sealed >> track) & 1) === 0 ? 0 : Math.ceil((lengths[track] ?? 0) / block) * block),
  );
  if ((sealed & HAS_SESSION) !== 0) take(SESSION_BYTES);
  for (const track of TRACKS) if (((sealed >> (track + 3)) & 1) !== 0) take(HASH_BYTES);
  const serial = (sent & HAS_SERIAL) === 0 ? undefined : take(SERIAL_BYTES);
  const ksn = (sealed & HAS_KSN) === 0 ? undefined : take(isAes && body.length - at === 12 ? 12 : 10);
  if (at !== body.length) return undefined;
  const none = new Uint8Array(0);
  return {
    masked: [masked[0] ?? "", masked[1] ?? "", masked[2] ?? ""],
    encrypted: [encrypted[0] ?? none, encrypted[1] ?? none],
    isAes,
    ...(serial && { serial }),
    ...(ksn && { ksn }),
  };
}

/** The bytes between the length and the checksums. */
function bodyOf(bytes: Uint8Array): Uint8Array | undefined {
  const [first, low, high] = bytes;
  if (first !== STX || low === undefined || high === undefined) return undefined;
  const end = 3 + ((high << 8) | low);
  const body = bytes.subarray(3, end);
  const [lrc, sum, last] = bytes.subarray(end);
  const isRight = lrc === lrcOf(body) && sum === sumOf(body) && last === ETX;
  return isRight && bytes.length === end + 3 ? body : undefined;
}

const lrcOf = (bytes: Uint8Array): number => bytes.reduce((all, byte) => all ^ byte, 0);
const sumOf = (bytes: Uint8Array): number => bytes.reduce((all, byte) => (all + byte) & 0xff, 0);

/**
 * A record of tracks 1 and 2 under TDES; masked tracks keep the clear length. Throws a RangeError on a serial number or
 * KSN of wrong size.
 */
export function encodeMsrRecord({
  masked,
  encrypted,
  serial,
  ksn,
}: Required<Omit<MsrRecord, "isAes" | "masked">> & { readonly masked: readonly [string, string] }): Uint8Array {
  const [mask1, mask2] = masked;
  if (serial.length !== SERIAL_BYTES || ksn.length !== 10)
    throw new RangeError("serial number and KSN have ten bytes each");
  const head = Uint8Array.of(ISO, 0x1b, mask1.length, mask2.length, 0, 0x03 | HAS_SERIAL, 0x03 | HAS_KSN);
  const text = new TextEncoder().encode(mask1 + mask2);
  const body = concat(head, text, ...encrypted, serial, ksn);
  return concat(
    Uint8Array.of(STX, body.length & 0xff, body.length >> 8),
    body,
    Uint8Array.of(lrcOf(body), sumOf(body), ETX),
  );
}
