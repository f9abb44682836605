import type { Clock } from "../../kit/clock.ts";
import type { Fact } from "../../payment/machine.ts";
import type { Payment } from "../../payment/state.ts";
import type { Appended } from "./appended.ts";

/**
 * `card`: from asking until read, PIN included. `terminal`: from the issuer's answer to the second GENERATE AC.
 * `payment`: acceptance to final. `own`: the bridge's part of it, deciding and writing.
 */
export type Duration = { readonly ms: number } & (
  | { readonly of: "card"; readonly entryMode: string }
  | { readonly of: "terminal"; readonly terminal: string }
  | { readonly of: "payment"; readonly type: string; readonly outcome: string }
  | { readonly of: "own"; readonly type: string }
);

/** Monotonic milliseconds of the acceptance and of the terminal's last task. `ownMs`: the bridge's own time so far. */
interface Marks {
  readonly acceptedAt: number;
  readonly begunAt: number;
  readonly ownMs: number;
}

/**
 * Measures steps of payments from written facts. Payments of an earlier process are skipped: the time in between is
 * unknown.
 */
export function createDurations(clock: Clock): (step: Appended) => readonly Duration[] {
  const open = new Map<string, Marks>();
  return ({ facts, after, tookMs }) => {
    const { id } = after.accepted;
    const now = clock.monotonic();
    const before = facts[0]?.fact === "accepted" ? { acceptedAt: now, begunAt: now, ownMs: 0 } : open.get(id);
    if (before === undefined) return [];
    const marks = { ...before, ownMs: before.ownMs + tookMs };
    open.set(id, facts.some(isBeginning) ? { ...marks, begunAt: now } : marks);
    if (after.concluded !== undefined) open.delete(id);
    return facts.flatMap((fact) => durationOf(fact, after, marks, now));
  };
}

function isBeginning({ fact }: Fact): boolean {
  return fact === "collecting" || fact === "issuer-told";
}

function durationOf(
  fact: Fact,
  { accepted }: Payment,
  { acceptedAt, begunAt, ownMs }: Marks,
  now: number,
): readonly Duration[] {
  switch (fact.fact) {
    case "card-presented":
      return [{ of: "card", entryMode: fact.card.entryMode, ms: now - begunAt }];
    case "card-finished":
      return [{ of: "terminal", terminal: accepted.terminal, ms: now - begunAt }];
    case "concluded":
      return [
        { of: "payment", type: accepted.type, outcome: fact.outcome, ms: now - acceptedAt },
        { of: "own", type: accepted.type, ms: ownMs },
      ];
    default:
      return [];
  }
}
