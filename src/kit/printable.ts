import { ascii } from "./bytes.ts";

/** Longer than any name or version that a device tells of itself. */
const LONGEST = 64;

/** Text of a device, at most 64 characters: zeros that fill it up left out, everything but printable ASCII as "?". */
export function printable(bytes: Uint8Array): string {
  return ascii(bytes.slice(0, LONGEST))
    .replace(/\0+$/, "")
    .replace(/[^\x20-\x7e]/g, "?");
}

/** As long as an account number may be (ISO/IEC 7812). */
const LONG_NUMBER = /[0-9]{12,}/g;

/** What a device says of itself as it may stand in an error or a log: `printable`, with "?" for a run of digits that could be a card's number. */
export function toldText(bytes: Uint8Array): string {
  return printable(bytes).replace(LONG_NUMBER, "?");
}
