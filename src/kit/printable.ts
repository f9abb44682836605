import { ascii } from "./bytes.ts";

/** Longer than any name or version that devices report. */
const LONGEST = 64;

/** Text of a device, at most 64 characters, without padding zeros. Everything but printable ASCII becomes "?". */
export function printable(bytes: Uint8Array): string {
  return ascii(bytes.slice(0, LONGEST))
    .replace(/\0+$/, "")
    .replace(/[^\x20-\x7e]/g, "?");
}

/** Lengths of an account number (ISO/IEC 7812). */
const LONG_NUMBER = /[0-9]{12,}/g;

/** Text of a device for errors and logs: `printable`, with "?" for digits that could be a card's number. */
export function toldText(bytes: Uint8Array): string {
  return printable(bytes).replace(LONG_NUMBER, "?");
}
