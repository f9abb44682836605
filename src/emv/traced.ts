import { toHex } from "../kit/hex.ts";
import { leavesOf } from "./leaves.ts";
import { tagName } from "./tags.ts";
import type { Tlv } from "./tlv.ts";

/** An object as a trace of a terminal's line shows it. `value` is there for those of the list below alone. */
export interface TracedObject {
  readonly tag: string;
  readonly name?: string;
  readonly length: number;
  readonly value?: string;
}

/** Objects whose values a trace may show, each of exactly this length in bytes: none can hold a card's number, name, PIN or secret, not even of a card that means to. */
const SHOWN: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ "82": 2, "8A": 2, "95": 5, "9A": 3, "9B": 2, "9C": 1, "5F2A": 2, "5F36": 1, "9F02": 6, "9F03": 6, "9F09": 2, "9F1A": 2 },
    ...{ "9F21": 3, "9F27": 1, "9F33": 3, "9F34": 3, "9F35": 1, "9F36": 2, "9F39": 1, "9F66": 4, "9F6C": 2 },
  }),
);

/** Every primitive object, with its value where that may be shown. */
export function tracedObjects(objects: readonly Tlv[]): readonly TracedObject[] {
  return leavesOf(objects).map(({ tag, value }) => {
    const name = tagName(tag);
    const isShown = SHOWN.get(tag) === value.length;
    return { tag, ...(name !== undefined && { name }), length: value.length, ...(isShown && { value: toHex(value) }) };
  });
}
