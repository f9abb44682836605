import { parseTlv, type Tlv } from "./tlv.ts";

const DEEPEST = 8;

/** The objects inside one, or undefined where it holds none. */
export type Inside = (object: Tlv) => readonly Tlv[] | undefined;

/**
 * All primitive objects in the order they stand, however deep. `inside` is for devices whose own tags do not say by their number whether they hold others. A constructed
 * object whose inside is no TLV counts as primitive.
 */
export function leavesOf(objects: readonly Tlv[], inside: Inside = insideOf, depth = 0): readonly Tlv[] {
  return objects.flatMap((object) => {
    const inner = depth < DEEPEST ? inside(object) : undefined;
    return inner === undefined ? [object] : leavesOf(inner, inside, depth + 1);
  });
}

/** ISO 8825-1: bit 6 of a tag's first byte says that its value is made of objects. */
export function insideOf({ tag, value }: Tlv): readonly Tlv[] | undefined {
  if ((Number.parseInt(tag.slice(0, 2), 16) & 0x20) === 0) return undefined;
  const inner = parseTlv(value);
  return inner.ok ? inner.objects : undefined;
}
