import type { Clock } from "../kit/clock.ts";
import type { Fact } from "../payment/fact.ts";
import type { Payment } from "../payment/payment.ts";
import type { Appended } from "./appended.ts";

/**
 * How long a step has taken:
 * - `card`: from asking for a card until it was read, its holder's PIN included;
 * - `terminal`: from the issuer's answer until the card's last word;
 * - `payment`: from its acceptance until it was final.
 */
export type Duration = { readonly ms: number } & (
  | { readonly of: "card"; readonly entryMode: string }
  | { readonly of: "terminal"; readonly terminal: string }
  | { readonly of: "payment"; readonly type: string; readonly outcome: string }
);

/** When a payment was accepted, and when its terminal was last given something to do: monotonic milliseconds. */
interface Marks {
  readonly acceptedAt: number;
  readonly begunAt: number;
}

/** Measures the steps of payments from what the journal takes. One that another process accepted is not measured: nobody knows how long the time between was. */
export function createDurations(clock: Clock): (step: Appended) => readonly Duration[] {
  const open = new Map<string, Marks>();
  return ({ facts, after }) => {
    const { id } = after.accepted;
    const now = clock.monotonic();
    if (facts[0]?.fact === "accepted") open.set(id, { acceptedAt: now, begunAt: now });
    const marks = open.get(id);
    if (marks === undefined) return [];
    if (facts.some(isBeginning)) open.set(id, { ...marks, begunAt: now });
    if (after.concluded !== undefined) open.delete(id);
    return facts.flatMap((fact) => durationOf(fact, after, marks, now));
  };
}

function isBeginning({ fact }: Fact): boolean {
  return fact === "collecting" || fact === "issuer-told";
}

function durationOf(fact: Fact, { accepted }: Payment, { acceptedAt, begunAt }: Marks, now: number): readonly Duration[] {
  switch (fact.fact) {
    case "card-presented":
      return [{ of: "card", entryMode: fact.card.entryMode, ms: now - begunAt }];
    case "card-finished":
      return [{ of: "terminal", terminal: accepted.terminal, ms: now - begunAt }];
    case "concluded":
      return [{ of: "payment", type: accepted.type, outcome: fact.outcome, ms: now - acceptedAt }];
    default:
      return [];
  }
}
