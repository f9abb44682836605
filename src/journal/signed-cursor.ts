import { createHmac } from "node:crypto";
import type { NameBegins } from "../engine/ports.ts";
import { joinCursor } from "../kit/cursor.ts";

/*
 * A cursor ends in nine digits. Six prove that this folder's key made it; three distinguish its fact from the same
 * number in another history. JavaScript keeps cursors exactly up to nine million facts. Guessing is useless: after
 * three forged cursors a register is no longer believed (engine/operator/rollback.ts).
 */
const PROOF_DIGITS = 6;
const MARK_DIGITS = 3;

/** A fact in one history of a data folder. `generation`: number of confirmed rollbacks so far. */
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

/** `hash`: of the fact with this number. */
export function signCursor(key: string, place: Place, hash: string): string {
  return joinCursor(place.number, proofOf(key, place) + markOf(key, place, hash));
}

/** The first generation in which this key would make this tail for this fact; undefined if none. */
export function generationOf(
  key: string,
  number: number,
  tail: string,
  generations: readonly number[],
): number | undefined {
  return generations.find((generation) => tail.startsWith(proofOf(key, { number, generation })));
}

/** Whether the tail was made for the fact with this hash. */
export function isBehind(key: string, place: Place, tail: string, hash: string): boolean {
  return tail.endsWith(markOf(key, place, hash));
}

const BRIDGE_DIGITS = 8;
const REFERENCE_DIGITS = 12;

/** This bridge's digits in the names of its requests. */
export function markOfBridge(bridge: string): string {
  return bridge.slice("brg_".length, "brg_".length + BRIDGE_DIGITS);
}

/** Only the folder's key can connect a reference with its digits. */
export function nameBeginnings(key: string, bridge: string): NameBegins {
  return ({ register, reference }) => {
    const bound = createHmac("sha256", key)
      .update(JSON.stringify(["reference", register, reference]))
      .digest("hex");
    return `${markOfBridge(bridge)}${bound.slice(0, REFERENCE_DIGITS)}`;
  };
}
