import { toHex } from "../kit/hex.ts";
import { leavesOf } from "./leaves.ts";
import { tagName } from "./tags.ts";
import type { Tlv } from "./tlv.ts";

/** An object in a trace of a terminal's line. `value` only for the tags listed below. */
export interface TracedObject {
  readonly tag: string;
  readonly name?: string;
  readonly length: number;
  readonly value?: string;
}

/**
 * Values that a trace may show, only in exactly this length in bytes. None can hold a number, name, PIN or secret, even
 * on a malicious card.
 */
const SHOWN: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{
      "82": 2,
      "8A": 2,
      "95": 5,
      "9A": 3,
      "9B": 2,
      "9C": 1,
      "5F2A": 2,
      "5F36": 1,
      "9F02": 6,
      "9F03": 6,
      "9F09": 2,
      "9F1A": 2,
    },
    ...{ "9F21": 3, "9F27": 1, "9F33": 3, "9F34": 3, "9F35": 1, "9F36": 2, "9F39": 1, "9F66": 4, "9F6C": 2 },
  }),
);

export function tracedObjects(objects: readonly Tlv[]): readonly TracedObject[] {
  return leavesOf(objects).map(({ tag, value }) => {
    const name = tagName(tag);
    const isShown = SHOWN.get(tag) === value.length;
    return { tag, ...(name !== undefined && { name }), length: value.length, ...(isShown && { value: toHex(value) }) };
  });
}
