import { digestOf } from "./digest.ts";
import { createHealing } from "./healing.ts";
import { firstState, type Kind } from "./kinds.ts";
import { movesOf } from "./moves.ts";
import type { System } from "./system.ts";
import { brokenByStep, brokenInState } from "./truths.ts";

export interface Limits {
  /** Steps from the start. */
  readonly depth: number;
  /** Misfortunes on one path: faults, lost replies, kills, cancellations. */
  readonly misfortunes: number;
  /** States that are kept at most. */
  readonly states: number;
}

/**
 * A truth that does not hold at the end of a path; `path` are the numbers of the moves from the start, and after them
 * the mending ones where `isMended`.
 */
export interface Violation {
  readonly truth: string;
  readonly path: readonly number[];
}

export interface Walked {
  readonly kind: Kind;
  readonly states: number;
  readonly transitions: number;
  /** The last depth that was walked to its end. */
  readonly depth: number;
  /** Nothing was left to walk: every state within the misfortunes was seen. */
  readonly isExhausted: boolean;
  readonly seconds: number;
  readonly violations: readonly Violation[];
}

/** Parent and move of every state, for its path. */
interface Trail {
  readonly parents: number[];
  readonly moves: number[];
}

interface Walking {
  /** Digests of known states, with the fewest misfortunes that lead to each. */
  readonly seen: Map<number, number>;
  readonly trail: Trail;
  readonly next: Standing[];
  readonly broken: (number: number, truth: string) => void;
  readonly heals: (system: System) => string | undefined;
}

interface Standing {
  readonly system: System;
  readonly number: number;
  readonly misfortunes: number;
}

/**
 * Breadth first from the start of one kind: every interleaving up to the depth, so that the first path to a violation
 * is a shortest one. One violation of each truth is
 * kept; what lies behind it is not walked. Ends unfinished where the clock, in milliseconds, comes to `until`.
 */
export function walk(kind: Kind, limits: Limits, clock: () => number, until: number): Walked {
  const began = clock();
  const seen = new Map<number, number>();
  const trail: Trail = { parents: [-1], moves: [-1] };
  const heals = createHealing();
  const violations = new Map<string, Violation>();
  const start = firstState(kind);
  seen.set(digestOf(start), 0);
  let layer: readonly Standing[] = [{ system: start, number: 0, misfortunes: 0 }];
  let depth = 0;
  let transitions = 0;
  const walked = (isExhausted: boolean): Walked => {
    const seconds = (clock() - began) / 1000;
    return { kind, states: seen.size, transitions, depth, isExhausted, seconds, violations: [...violations.values()] };
  };
  const broken = (number: number, truth: string): void => {
    if (!violations.has(truth)) violations.set(truth, { truth, path: pathTo(trail, number) });
  };
  while (layer.length > 0 && depth < limits.depth) {
    const next: Standing[] = [];
    for (const [index, standing] of layer.entries()) {
      if (index % 64 === 0 && (clock() >= until || seen.size >= limits.states)) return walked(false);
      transitions += expand(standing, limits.misfortunes, { seen, trail, next, broken, heals });
    }
    layer = next;
    depth += 1;
  }
  return walked(layer.length === 0);
}

/** Every step from one state; those that lead to a new one, or to a known one with fewer misfortunes, are walked on. */
function expand(
  { system, number, misfortunes }: Standing,
  most: number,
  { seen, trail, next, broken, heals }: Walking,
): number {
  const moves = movesOf(system);
  let taken = 0;
  for (const [index, { cost, go }] of moves.entries()) {
    const used = misfortunes + cost;
    if (used > most) continue;
    taken += 1;
    const after = attempted(go);
    const name = typeof after === "string" ? Number.NaN : digestOf(after);
    const known = seen.get(name);
    const isKnown = known !== undefined && known <= used;
    const truth =
      typeof after === "string"
        ? after
        : (brokenByStep(after) ?? (isKnown ? undefined : (brokenInState(after) ?? heals(after))));
    if (isKnown && truth === undefined) continue;
    const id = trail.parents.push(number) - 1;
    trail.moves.push(index);
    if (typeof after !== "string") seen.set(name, used);
    if (truth !== undefined) broken(id, truth);
    else if (typeof after !== "string") next.push({ system: after, number: id, misfortunes: used });
  }
  return taken;
}

/** The next state, or that the machine threw: `decide` has to be total. */
function attempted(go: () => System): System | string {
  try {
    return go();
  } catch (cause) {
    return `decide is not total: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

function pathTo({ parents, moves }: Trail, number: number): readonly number[] {
  const path: number[] = [];
  for (let at = number; at > 0; at = parents[at] ?? 0) path.push(moves[at] ?? 0);
  return path.reverse();
}
