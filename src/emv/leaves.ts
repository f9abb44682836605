import { parseTlv, type Tlv } from "./tlv.ts";

const DEEPEST = 8;

/** The objects inside a constructed one; undefined for a primitive one. */
export type Inside = (object: Tlv) => readonly Tlv[] | undefined;

/**
 * All primitive objects in order, at any depth. `inside` serves devices with other constructed tags. A constructed
 * object without TLV inside counts as primitive.
 */
export function leavesOf(objects: readonly Tlv[], inside: Inside = insideOf): readonly Tlv[] {
  const leaves: Tlv[] = [];
  gather(objects, inside, 0, leaves);
  return leaves;
}

function gather(objects: readonly Tlv[], inside: Inside, depth: number, leaves: Tlv[]): void {
  for (const object of objects) {
    const inner = depth < DEEPEST ? inside(object) : undefined;
    if (inner === undefined) leaves.push(object);
    else gather(inner, inside, depth + 1, leaves);
  }
}

/** First digits of tags whose first byte has bit 6. */
const CONSTRUCTED = "2367ABEF";

/** ISO 8825-1: bit 6 of a tag's first byte marks a constructed object. */
export function isConstructed(tag: string): boolean {
  return CONSTRUCTED.includes(tag.charAt(0));
}

/** The objects inside a constructed one; undefined if its value is no TLV. */
export function insideOf({ tag, value }: Tlv): readonly Tlv[] | undefined {
  if (!isConstructed(tag)) return undefined;
  const inner = parseTlv(value);
  return inner.ok ? inner.objects : undefined;
}
