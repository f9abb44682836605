import { createHmac } from "node:crypto";
import type { NameBegins } from "../engine/ports.ts";
import { joinCursor } from "../kit/cursor.ts";

/*
 * The last nine digits of a cursor are six that prove that this data folder's key made it, and three that tell the fact behind which it stands from the one that has the same number
 * in another history. They fit a number that JavaScript keeps exactly for the first nine million facts. So few digits are enough because nobody may try many: whoever shows three
 * that were never made is not believed any more (engine/operator/rollback.ts).
 */
const PROOF_DIGITS = 6;
const MARK_DIGITS = 3;

/** A fact in one history of a data folder. `generation`: how often a technician has confirmed by then that the folder was put back. */
export interface Place {
  readonly number: number;
  readonly generation: number;
}

function digitsOf(key: string, text: string, count: number): string {
  const bytes = createHmac("sha256", key).update(text).digest();
  return String(bytes.readBigUInt64BE() % 10n ** BigInt(count)).padStart(count, "0");
}

function proofOf(key: string, { number, generation }: Place): string {
  return digitsOf(key, `proof\n${number}\n${generation}`, PROOF_DIGITS);
}

function markOf(key: string, { number, generation }: Place, hash: string): string {
  return digitsOf(key, `mark\n${number}\n${generation}\n${hash}`, MARK_DIGITS);
}

/** `hash`: of the fact with that number. */
export function signCursor(key: string, place: Place, hash: string): string {
  return joinCursor(place.number, proofOf(key, place) + markOf(key, place, hash));
}

/** The first of these generations in which this key would have made that tail behind that fact; undefined where it made it in none of them. */
export function generationOf(key: string, number: number, tail: string, generations: readonly number[]): number | undefined {
  return generations.find((generation) => tail.startsWith(proofOf(key, { number, generation })));
}

/** Whether the tail was made behind the fact of that hash. */
export function isBehind(key: string, place: Place, tail: string, hash: string): boolean {
  return tail.endsWith(markOf(key, place, hash));
}

const BRIDGE_DIGITS = 8;
const REFERENCE_DIGITS = 12;

/** The digits of this bridge, as the names of its requests have them. */
export function markOfBridge(bridge: string): string {
  return bridge.slice("brg_".length, "brg_".length + BRIDGE_DIGITS);
}

/** Nobody but the folder's own key tells a reference from its digits. */
export function nameBeginnings(key: string, bridge: string): NameBegins {
  return ({ register, reference }) => {
    const bound = createHmac("sha256", key)
      .update(JSON.stringify(["reference", register, reference]))
      .digest("hex");
    return `${markOfBridge(bridge)}${bound.slice(0, REFERENCE_DIGITS)}`;
  };
}
