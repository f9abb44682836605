import type { Fact } from "../../src/payment/fact/fact.ts";
import { decide } from "../../src/payment/machine/decide.ts";
import { isSettled, type Owed, owed } from "../../src/payment/machine/owed.ts";
import type { Fresh, Happening } from "../../src/payment/state/input.ts";
import { evolve, type Payment } from "../../src/payment/state/payment.ts";
import type { Ledger } from "./ledger.ts";

/**
 * An effect that was begun and is still owed. `asked`: the first half of its work is done; `done`: it came to its end.
 */
export interface Begun {
  readonly effect: Owed;
  readonly since: number;
  readonly at: "open" | "asked" | "done";
}

/** One payment with what of its effects was begun: a mailbox (src/engine/mailbox). */
export interface Party {
  readonly payment: Payment;
  readonly begun: readonly Begun[];
}

/** What one step made of one payment. */
export interface News {
  readonly party: number;
  readonly what: Happening;
  readonly before: Payment;
  readonly facts: readonly Fact[];
}

/**
 * Everything there is: the payment that is explored, its original where it has one, the gateway's ledger and the card.
 * Plain data that no step changes.
 */
export interface System {
  readonly now: number;
  readonly parties: readonly Party[];
  readonly ledger: Ledger;
  /** The last word of the card, or of the terminal for it, after an issuer's approval. */
  readonly cardWord: "none" | "agreed" | "refused";
  /** Cards presented and PINs typed. */
  readonly presented: number;
  /** What a person has settled with the customer: ids of bookings that he leaves standing. */
  readonly settled: readonly string[];
  readonly news: readonly News[];
}

/**
 * Between two steps; much less than any limit of the machine, and more than nothing, because some things must be later
 * than others.
 */
export const TICK_MS = 10;

/**
 * The shell's rule (src/engine/mailbox, `take`): decide, evolve, and what is owed is begun once, and dropped when it is
 * not owed any more.
 */
export function put(system: System, party: number, what: Happening): System {
  const known = system.parties[party];
  if (known === undefined) return system;
  const before = known.payment;
  const at = Math.max(system.now, before.updatedAt);
  const facts = decide(before, { at, fresh: freshOf(before), what });
  const payment = facts.reduce(evolve, before);
  const begun = begunAfter(known.begun, payment, at);
  const parties = system.parties.map((other, index) =>
    index === party ? { payment, begun } : facts.length > 0 ? listening(other) : other,
  );
  return { ...system, parties, news: [...system.news, { party, what, before, facts }] };
}

function freshOf({ accepted, attempts }: Party["payment"]): Fresh {
  return { merchantTransactionId: `${accepted.id}-${attempts.length}`, sequenceNumber: attempts.length + 1 };
}

/** A void that waits for its original looks again whenever that one changes (src/engine/originals). */
function listening(party: Party): Party {
  const isWaiting = ({ effect, at }: Begun): boolean => effect.do === "await-original" && at === "asked";
  if (!party.begun.some(isWaiting)) return party;
  return { ...party, begun: party.begun.map((one) => (isWaiting(one) ? { ...one, at: "open" } : one)) };
}

function begunAfter(begun: readonly Begun[], payment: Payment, now: number): readonly Begun[] {
  const wanted = isSettled(payment) ? [] : owed(payment);
  const kept = wanted.map(
    (effect) => begun.find((one) => one.effect.key === effect.key) ?? { effect, since: now, at: "open" as const },
  );
  // A request that is on its way is not called back by anybody.
  const stray = begun.filter(
    (one) => one.effect.do === "post" && one.at === "open" && !wanted.some(({ key }) => key === one.effect.key),
  );
  return stray.length === 0 ? kept : [...kept, ...stray];
}

/** The effect has come this far; its outcome follows as an input. */
export function marked(system: System, party: number, key: string, at: "asked" | "done"): System {
  const parties = system.parties.map((one, index) =>
    index === party
      ? { ...one, begun: one.begun.map((begun) => (begun.effect.key === key ? { ...begun, at } : begun)) }
      : one,
  );
  return { ...system, parties };
}

/**
 * The process dies and the next one starts: what was begun is gone, and every payment that is not settled hears of it
 * (src/engine/engine, `recover`).
 */
export function restarted(system: System): System {
  const dead: System = { ...system, parties: system.parties.map(({ payment }) => ({ payment, begun: [] })) };
  return dead.parties.reduce<System>(
    (state, { payment }, party) => (isSettled(payment) ? state : put(state, party, { on: "restarted" })),
    dead,
  );
}

/** Nothing goes on by itself any more. */
export function isQuiet({ parties }: System): boolean {
  return parties.every(({ begun }) => begun.length === 0);
}
