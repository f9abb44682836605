import type { Clock } from "../../kit/clock.ts";
import type { Fact } from "../../payment/machine.ts";
import type { Payment } from "../../payment/state.ts";
import type { Appended } from "./appended.ts";

/**
 * How long a step has taken:
 * - `card`: from asking for a card until it was read, its holder's PIN included;
 * - `terminal`: from the issuer's answer until the card's last word;
 * - `payment`: from its acceptance until it was final;
 * - `own`: of that, what the bridge itself took: deciding upon each input, and making its facts durable.
 */
export type Duration = { readonly ms: number } & (
  | { readonly of: "card"; readonly entryMode: string }
  | { readonly of: "terminal"; readonly terminal: string }
  | { readonly of: "payment"; readonly type: string; readonly outcome: string }
  | { readonly of: "own"; readonly type: string }
);

/** When a payment was accepted, and when its terminal was last given something to do: monotonic milliseconds. `ownMs`: what the bridge itself took so far. */
interface Marks {
  readonly acceptedAt: number;
  readonly begunAt: number;
  readonly ownMs: number;
}

/** Measures the steps of payments from what the journal takes. One that another process accepted is not measured: nobody knows how long the time between was. */
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

function durationOf(fact: Fact, { accepted }: Payment, { acceptedAt, begunAt, ownMs }: Marks, now: number): readonly Duration[] {
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
