import type { Cancel, Clock } from "../../kit/clock.ts";
import type { SearchResult } from "../../payment/exchange.ts";
import { isLookedForBesides } from "../../payment/machine.ts";
import { type Payment, targetsOf } from "../../payment/state.ts";

/** By what names a payment may be known outside: the gateway's ids, and the name that the bridge gave one of its requests. */
export interface HintedAt {
  readonly gatewayIds: readonly string[];
  readonly merchantTransactionId?: string;
}

/**
 * Words from outside, believed by nobody, that something may have become of a payment. All they do is bring the search forward that the payment waits for; which payment that
 * is, whether it has one, and what it finds is decided here as ever.
 */
export interface Hints {
  /** Calls `run` at the next hint for that payment; the returned function stops waiting for one. */
  whenGiven(payment: string, run: () => void): Cancel;
  /** What is hinted at has its turn at once, or a minute after the one before it at the same entity. */
  give(meant: HintedPayment): void;
  stop(): void;
}

/** A payment as it stands when it is asked for, in its mailbox. */
export interface HintedPayment {
  readonly id: string;
  payment(): Payment;
}

/** How often one payment is hinted at: whoever has the webhook's key must not be able to use up the patience of a search. */
const HINTS_MAX = 10;
/** Of how many payments that is remembered, the last ones. */
const REMEMBERED_MAX = 1000;
/** One turn a minute leaves the other of the entity's two queries (gateway-facts 2.5) to whoever waits for an outcome without a hint, however many of them come. */
const TURN_MS = 60_000;

/** The hints of an entity that wait for their turn, and when the last one had it. */
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
    // One query tells everything that refers to the payment's original. What has found its outcome meanwhile listens no more, and takes no turn.
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

/** One whose card waits goes before the others; else who came first. */
function takeNext(waiting: Map<string, HintedPayment>): HintedPayment | undefined {
  const all = [...waiting.values()];
  const next = all.find((one) => one.payment().terminal.at === "holding") ?? all[0];
  if (next !== undefined) waiting.delete(next.id);
  return next;
}

/** Whether a payment goes by one of these names at the gateway, or refers to what does. */
export function isMeant(payment: Payment, { gatewayIds, merchantTransactionId }: HintedAt): boolean {
  return (
    payment.attempts.some(({ operation }) => operation.merchantTransactionId === merchantTransactionId) ||
    namesOf(payment).some((id) => gatewayIds.includes(id))
  );
}

/** The gateway's ids of all that is known of a payment: what was booked and what it refers to, its link and what the link says it was paid by, what was booked a second time. */
function namesOf(payment: Payment): readonly string[] {
  const { attempts, link, seconds } = payment;
  const paidAs = link?.sight.is === "paid" ? link.sight.transactionId : undefined;
  const booked = [...attempts.map(({ answer }) => answer?.id), link?.id, paidAs].filter((id) => id !== undefined);
  return [...booked, ...targetsOf(payment).map(({ id }) => id), ...seconds.map(({ id }) => id)];
}

/**
 * What a hint is good for where that attempt is searched for. As long as its outcome is open, or a second booking may be there besides, the search is brought forward, which
 * spares none of those to come. What was called absent is looked at again after hours and days, a few times only: a glance before that counts where it finds something, and
 * else has not happened.
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

/** Whether a search has found what goes by that name. */
export function isShown(result: SearchResult, merchantTransactionId: string): boolean {
  return result.is === "found" && result.bookings.some((booking) => booking.merchantTransactionId === merchantTransactionId);
}
