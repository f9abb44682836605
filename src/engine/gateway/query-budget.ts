import type { Cancel, Clock } from "../../kit/clock.ts";
import type { Urgency } from "../../payment/machine.ts";

/** A minute, and what requests may be apart more or less when they arrive than when they left. */
const WINDOW_MS = 62_000;
/** The gateway takes two queries a minute from an entity, all its terminals together (gateway-facts 2.5). */
const QUERIES = 2;
/**
 * Looks at links are an operation of their own, for which no limit is published: held to what the most generous page says of checkouts, all links of an entity together
 * (gateway-facts 2.5), so that they never take a query away from a card that waits.
 */
const LOOKS = 9;
/** After a throttle nothing is asked for this long, whatever was throttled (gateway-facts 1.3). */
const THROTTLED_MS = 30_000;
/** However many cashiers ask: recovery that has waited for so long has every other query. */
const PATIENCE_MS = 120_000;

/** Who wants a query: something that goes on by itself, by its urgency, or a register that asks about a booking which this journal does not know. */
export type Turn = Urgency | LookUp;

interface LookUp {
  readonly register: string;
}

/**
 * Shares the few queries of an entity. A waiting card goes before a cashier, a cashier before recovery, which has its turn all the same, and all of them before look-ups. Look-ups
 * take turns by register, one a minute for each: no register spends the minute alone.
 */
export interface Budget {
  /** Calls `run` when a query may be made. What it returns takes the place in the line back. */
  ask(entityId: string, turn: Turn, run: () => void): Cancel;
  /** The same for a look at a link. */
  look(entityId: string, run: () => void): Cancel;
  /** What became of a query. */
  heard(entityId: string, isThrottled: boolean): void;
  /** A look at a link, or a request, was throttled. */
  throttled(entityId: string): void;
}

interface Asker {
  readonly turn: Turn;
  readonly since: number;
  readonly run: () => void;
}

/** One kind of request, and who waits for it. */
interface Purse {
  readonly most: number;
  readonly spent: number[];
  readonly line: Asker[];
  notBefore: number;
  /** Who was served last. */
  last: Turn | undefined;
  /** When each register's last look-up was made. */
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

/** When one with such a turn may ask at the earliest, as far as that can be told now. */
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

/** Of the register whose last look-up was the longest ago. */
function firstLookUp(ready: readonly Asker[], lookedUp: Purse["lookedUp"]): Asker | undefined {
  const lookUps = ready.flatMap((asker) => (isLookUp(asker.turn) ? [{ asker, at: lookedUp.get(asker.turn.register) ?? -1 }] : []));
  return lookUps.toSorted((one, other) => one.at - other.at)[0]?.asker;
}

function isLookUp(turn: Turn | undefined): turn is LookUp {
  return typeof turn === "object";
}
