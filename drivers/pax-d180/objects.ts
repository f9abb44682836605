import { concat } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import type { Ask } from "./flow.ts";
import { word, wordIn } from "./message.ts";

/* Kernel objects, read and set one by one under a tag of two bytes (PROTOCOL.md 4.3). */

function tagBytes(tag: string): Uint8Array {
  return fromHex(tag.padStart(4, "0"));
}

export function getObject(tag: string): Ask {
  return { name: "get-object", data: tagBytes(tag), tag };
}

export function setObject(tag: string, value: Uint8Array): Ask {
  return { name: "set-object", data: concat(tagBytes(tag), word(value.length), value) };
}

/** A value after its length of four bytes; undefined if the bytes do not parse. */
export function valueIn(data: Uint8Array): Uint8Array | undefined {
  const length = wordIn(data);
  return length === undefined || length < 0 || data.length !== 4 + length ? undefined : data.slice(4);
}

/** Track 2 of the chip, or the number of a chip without track 2. Either comes encrypted. */
export const TRACK_2 = "57";
export const NUMBER = "5A";

/**
 * Objects read after the first cryptogram. Answers carry no tag, so neighbours differ in length: a misplaced answer is
 * dropped for its length.
 */
export const FIRST_OBJECTS: readonly string[] =
  "9F26 9F27 9F36 9F10 82 95 9F37 9A 9C 9F02 5F2A 9F33 9F1A 9F34 5F34 9F03 9F35 9F41 9F1E 9F09 84 9B 9F06 9F21 50 9F11 9F12".split(
    " ",
  );

/** Objects read after the second cryptogram. */
export const FINAL_OBJECTS: readonly string[] = "9F26 9F27 9F36 95 9B 9F10 8A".split(" ");
