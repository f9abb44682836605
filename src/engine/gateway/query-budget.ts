import type { Cancel, Clock } from "../../kit/clock.ts";
import type { Urgency } from "../../payment/machine.ts";

/** A minute, plus the jitter between sending and arrival of requests. */
const WINDOW_MS = 62_000;
/** The gateway takes two queries a minute from an entity, all its terminals together (gateway-facts 2.5). */
const QUERIES = 2;
/**
 * Looks at links have no published limit: this is the most generous one for checkouts, for each entity (gateway-facts
 * 2.5). Looks use up no query.
 */
const LOOKS = 9;
/** After a throttled request of any kind, nothing is sent for this long (gateway-facts 1.3). */
const THROTTLED_MS = 30_000;
/** Recovery that has waited this long gets every other query, however many cashiers ask. */
const PATIENCE_MS = 120_000;

/**
 * Claim to a query: the urgency of an automatic query, or a register's look-up of a booking unknown to this journal.
 */
export type Turn = Urgency | LookUp;

interface LookUp {
  readonly register: string;
}

/**
 * Divides an entity's few queries: cards, then cashiers, then recovery (with guaranteed turns), then look-ups. Each
 * register gets one look-up a minute, in turn.
 */
export interface Budget {
  /** Calls `run` when a query is allowed. The returned function leaves the line. */
  ask(entityId: string, turn: Turn, run: () => void): Cancel;
  /** The same for a look at a link. */
  look(entityId: string, run: () => void): Cancel;
  /** Reports the result of a query. */
  heard(entityId: string, isThrottled: boolean): void;
  /** Reports that a look at a link, or a request, was throttled. */
  throttled(entityId: string): void;
}

interface Asker {
  readonly turn: Turn;
  readonly since: number;
  readonly run: () => void;
}

/** One kind of request, and the callers waiting for it. */
interface Purse {
  readonly most: number;
  readonly spent: number[];
  readonly line: Asker[];
  notBefore: number;
  /** The caller served last. */
  last: Turn | undefined;
  /** Time of each register's last look-up. */
  readonly lookedUp: Map<string, number>;
  wake: Cancel | undefined;
}

interface Purses {
  readonly queries: Purse;
  readonly looks: Purse;
}

export function createBudget(clock: Clock): Budget {
  const entities = new Map<string, Purses>();
  const pursesOf = (entityId: string): Purses => {
    const purses = entities.get(entityId) ?? { queries: emptyPurse(QUERIES), looks: emptyPurse(LOOKS) };
    entities.set(entityId, purses);
    return purses;
  };
  const join = (purse: Purse, turn: Turn, run: () => void): Cancel => {
    const asker = { turn, since: clock.monotonic(), run };
    purse.line.push(asker);
    serve(clock, purse);
    return () => {
      const at = purse.line.indexOf(asker);
      if (at >= 0) purse.line.splice(at, 1);
    };
  };
  const throttled = (entityId: string): void => {
    for (const purse of Object.values<Purse>({ ...pursesOf(entityId) })) {
      purse.notBefore = clock.monotonic() + THROTTLED_MS;
      serve(clock, purse);
    }
  };
  return {
    ask: (entityId, turn, run) => join(pursesOf(entityId).queries, turn, run),
    look: (entityId, run) => join(pursesOf(entityId).looks, "cashier", run),
    heard: (entityId, isThrottled) => {
      if (isThrottled) throttled(entityId);
    },
    throttled,
  };
}

function emptyPurse(most: number): Purse {
  return { most, spent: [], line: [], notBefore: 0, last: undefined, lookedUp: new Map(), wake: undefined };
}

function serve(clock: Clock, purse: Purse): void {
  purse.wake?.();
  purse.wake = undefined;
  const now = clock.monotonic();
  while (purse.spent[0] !== undefined && purse.spent[0] <= now - WINDOW_MS) purse.spent.shift();
  for (let next = takeFirst(purse, now); next !== undefined; next = takeFirst(purse, now)) {
    purse.spent.push(now);
    purse.last = next.turn;
    if (isLookUp(next.turn)) purse.lookedUp.set(next.turn.register, now);
    next.run();
  }
  if (purse.line.length === 0) return;
  const freeAt = Math.min(...purse.line.map(({ turn }) => earliest(purse, turn)));
  purse.wake = clock.after(Math.max(1, freeAt - now), () => serve(clock, purse));
}

/** The earliest time for this turn, as far as known now. */
function earliest({ most, spent, notBefore, lookedUp }: Purse, turn: Turn): number {
  const [first] = spent;
  const whenFree = Math.max(notBefore, first === undefined || spent.length < most ? 0 : first + WINDOW_MS);
  if (isLookUp(turn)) return Math.max(whenFree, (lookedUp.get(turn.register) ?? -WINDOW_MS) + WINDOW_MS);
  return whenFree;
}

function takeFirst(purse: Purse, now: number): Asker | undefined {
  const { line, last, lookedUp } = purse;
  const ready = line.filter(({ turn }) => earliest(purse, turn) <= now);
  const first = (urgency: Urgency): Asker | undefined => ready.find(({ turn }) => turn === urgency);
  const recovery = first("recovery");
  const isPatient = recovery === undefined || last === "recovery" || now - recovery.since < PATIENCE_MS;
  const next = first("card") ?? (isPatient ? first("cashier") : undefined) ?? recovery ?? firstLookUp(ready, lookedUp);
  if (next !== undefined) line.splice(line.indexOf(next), 1);
  return next;
}

/** The look-up of the register whose last one is the oldest. */
function firstLookUp(ready: readonly Asker[], lookedUp: Purse["lookedUp"]): Asker | undefined {
  const lookUps = ready.flatMap((asker) =>
    isLookUp(asker.turn) ? [{ asker, at: lookedUp.get(asker.turn.register) ?? -1 }] : [],
  );
  return lookUps.toSorted((one, other) => one.at - other.at)[0]?.asker;
}

function isLookUp(turn: Turn | undefined): turn is LookUp {
  return typeof turn === "object";
}
