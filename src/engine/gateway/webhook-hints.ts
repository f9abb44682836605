import type { Cancel, Clock } from "../../kit/clock.ts";
import type { SearchResult } from "../../payment/exchange.ts";
import { isLookedForBesides } from "../../payment/machine.ts";
import { type Payment, targetsOf } from "../../payment/state.ts";

/** Names of a payment outside: the gateway's ids, and the name of one of the bridge's requests. */
export interface HintedAt {
  readonly gatewayIds: readonly string[];
  readonly merchantTransactionId?: string;
}

/**
 * Unverified hints that a payment's outcome is known. A hint only brings forward a query the payment already waits for;
 * its result is judged as usual.
 */
export interface Hints {
  /** Calls `run` at the next hint for the payment; the returned function stops waiting. */
  whenGiven(payment: string, run: () => void): Cancel;
  /** Gives the hint its turn now, or a minute after the previous hint of the same entity. */
  give(meant: HintedPayment): void;
  stop(): void;
}

/** A payment, read from its mailbox when needed. */
export interface HintedPayment {
  readonly id: string;
  payment(): Payment;
}

/** Maximum hints a payment: a holder of the webhook's key must not use up all its queries. */
const HINTS_MAX = 10;
/** Number of payments for which the hints are counted; older ones are dropped. */
const REMEMBERED_MAX = 1000;
/** One hint a minute leaves the entity's other query (gateway-facts 2.5) to payments without a hint. */
const TURN_MS = 60_000;

/** Waiting hints of an entity, and the time of the last one served. */
interface Turns {
  readonly waiting: Map<string, HintedPayment>;
  last: number;
  wake: Cancel | undefined;
}

export function createHints(clock: Clock): Hints {
  const waiting = new Map<string, Set<() => void>>();
  const given = new Map<string, number>();
  const entities = new Map<string, Turns>();
  let stopped = false;
  const turnsOf = (entityId: string): Turns => {
    const turns = entities.get(entityId) ?? { waiting: new Map(), last: Number.NEGATIVE_INFINITY, wake: undefined };
    entities.set(entityId, turns);
    return turns;
  };
  const serve = (turns: Turns): void => {
    turns.wake?.();
    turns.wake = undefined;
    const left = turns.last + TURN_MS - clock.monotonic();
    if (left > 0) {
      turns.wake = clock.after(left, () => serve(turns));
      return;
    }
    const next = takeNext(turns.waiting);
    if (next === undefined) return;
    // One query shows everything that refers to the payment's original. A payment that has its outcome stopped
    // listening, and takes no turn.
    const [run] = waiting.get(next.id) ?? [];
    if (run !== undefined) {
      turns.last = clock.monotonic();
      run();
    }
    if (turns.waiting.size > 0) serve(turns);
  };
  return {
    whenGiven(payment, run) {
      const runs = waiting.get(payment) ?? new Set();
      waiting.set(payment, runs.add(run));
      return () => {
        runs.delete(run);
        if (runs.size === 0 && waiting.get(payment) === runs) waiting.delete(payment);
      };
    },
    give(meant) {
      const { id } = meant;
      const turns = turnsOf(meant.payment().accepted.channel.entityId);
      const before = given.get(id) ?? 0;
      if (stopped || !waiting.has(id) || turns.waiting.has(id) || before >= HINTS_MAX) return;
      given.delete(id);
      given.set(id, before + 1);
      const [oldest] = given.keys();
      if (given.size > REMEMBERED_MAX && oldest !== undefined) given.delete(oldest);
      turns.waiting.set(id, meant);
      serve(turns);
    },
    stop() {
      stopped = true;
      for (const { wake } of entities.values()) wake?.();
    },
  };
}

/** A payment whose card waits goes first; otherwise the oldest hint. */
function takeNext(waiting: Map<string, HintedPayment>): HintedPayment | undefined {
  const all = [...waiting.values()];
  const next = all.find((one) => one.payment().terminal.at === "holding") ?? all[0];
  if (next !== undefined) waiting.delete(next.id);
  return next;
}

/** Whether the payment, or a booking it refers to, has one of these names. */
export function isMeant(payment: Payment, { gatewayIds, merchantTransactionId }: HintedAt): boolean {
  return (
    payment.attempts.some(({ operation }) => operation.merchantTransactionId === merchantTransactionId) ||
    namesOf(payment).some((id) => gatewayIds.includes(id))
  );
}

/**
 * All gateway ids of a payment: its bookings and their targets, its link, the link's payment, and duplicate bookings.
 */
function namesOf(payment: Payment): readonly string[] {
  const { attempts, link, seconds } = payment;
  const paidAs = link?.sight.is === "paid" ? link.sight.transactionId : undefined;
  const booked = [...attempts.map(({ answer }) => answer?.id), link?.id, paidAs].filter((id) => id !== undefined);
  return [...booked, ...targetsOf(payment).map(({ id }) => id), ...seconds.map(({ id }) => id)];
}

/**
 * `search`: the outcome is open, or a duplicate may exist; later queries still follow. `glance`: called absent; only a
 * query that finds it counts.
 */
export function worthOfHint(payment: Payment, merchantTransactionId: string): "search" | "glance" | "nothing" {
  const attempt = payment.attempts.find(({ operation }) => operation.merchantTransactionId === merchantTransactionId);
  switch (attempt?.standing) {
    case undefined:
    case "intended":
      return "nothing";
    case "open":
      return "search";
    case "settled":
      return isLookedForBesides(payment, attempt) ? "search" : "nothing";
    case "absent":
      return "glance";
  }
}

/** Whether the query's result shows this request. */
export function isShown(result: SearchResult, merchantTransactionId: string): boolean {
  return (
    result.is === "found" && result.bookings.some((booking) => booking.merchantTransactionId === merchantTransactionId)
  );
}
