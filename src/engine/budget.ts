import type { Cancel, Clock } from "../kit/clock.ts";
import type { Urgency } from "../payment/search.ts";

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
/**
 * Several shops may share an entity, whose queries none of them can count, and a process does not know what the one before it has asked: after a throttle, and at first, precaution
 * leaves all of them to those who wait for an answer; longer each time that it was precaution which was throttled.
 */
const PRECAUTION_RESTS_MS = [62_000, 120_000, 240_000, 480_000, 900_000] as const;
/** However many cashiers ask: recovery that has waited for so long has every other query. */
const PATIENCE_MS = 120_000;

/**
 * Shares the few queries an entity has: a card that waits goes before a cashier, a cashier before recovery, which has its turn all the same; precaution waits for a minute in
 * which nobody asked, so that it never takes the last one.
 */
export interface Budget {
  /** Calls `run` when a query may be made. What it returns takes the place in the line back. */
  ask(entityId: string, urgency: Urgency, run: () => void): Cancel;
  /** The same for a look at a link. */
  look(entityId: string, run: () => void): Cancel;
  /** What became of a query. */
  heard(entityId: string, urgency: Urgency, isThrottled: boolean): void;
  /** A look at a link, or a request, was throttled. */
  throttled(entityId: string): void;
}

interface Asker {
  readonly urgency: Urgency;
  readonly since: number;
  readonly run: () => void;
}

/** One kind of request, and who waits for it. */
interface Purse {
  readonly most: number;
  readonly spent: number[];
  readonly line: Asker[];
  notBefore: number;
  /** How often precaution was throttled, one time after the other. */
  rests: number;
  precautionNotBefore: number;
  /** Who was served last. */
  last: Urgency | undefined;
  wake: Cancel | undefined;
}

interface Purses {
  readonly queries: Purse;
  readonly looks: Purse;
}

export function createBudget(clock: Clock): Budget {
  const entities = new Map<string, Purses>();
  const pursesOf = (entityId: string): Purses => {
    const now = clock.monotonic();
    const purses = entities.get(entityId) ?? { queries: emptyPurse(QUERIES, now), looks: emptyPurse(LOOKS, now) };
    entities.set(entityId, purses);
    return purses;
  };
  const join = (purse: Purse, urgency: Urgency, run: () => void): Cancel => {
    const asker = { urgency, since: clock.monotonic(), run };
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
      purse.precautionNotBefore = Math.max(purse.precautionNotBefore, clock.monotonic() + restAfter(purse));
      serve(clock, purse);
    }
  };
  return {
    ask: (entityId, urgency, run) => join(pursesOf(entityId).queries, urgency, run),
    look: (entityId, run) => join(pursesOf(entityId).looks, "cashier", run),
    heard: (entityId, urgency, isThrottled) => {
      const { queries } = pursesOf(entityId);
      if (urgency === "precaution") queries.rests = isThrottled ? queries.rests + 1 : 0;
      if (isThrottled) throttled(entityId);
    },
    throttled,
  };
}

function emptyPurse(most: number, now: number): Purse {
  return { most, spent: [], line: [], notBefore: 0, rests: 0, precautionNotBefore: now + restAfter({ rests: 0 }), last: undefined, wake: undefined };
}

function restAfter({ rests }: Pick<Purse, "rests">): number {
  return PRECAUTION_RESTS_MS[Math.min(rests, PRECAUTION_RESTS_MS.length - 1)] ?? 0;
}

function serve(clock: Clock, purse: Purse): void {
  purse.wake?.();
  purse.wake = undefined;
  const now = clock.monotonic();
  while (purse.spent[0] !== undefined && purse.spent[0] <= now - WINDOW_MS) purse.spent.shift();
  while (purse.line.length > 0 && purse.spent.length < purse.most && now >= purse.notBefore) {
    const next = takeFirst(purse, now);
    if (next === undefined) break;
    purse.spent.push(now);
    next.run();
  }
  if (purse.line.length === 0) return;
  const isPrecaution = purse.line.every(({ urgency }) => urgency === "precaution");
  const counting = isPrecaution ? purse.spent.at(-1) : purse.spent.length < purse.most ? undefined : purse.spent[0];
  const oldest = counting === undefined ? now : counting + WINDOW_MS;
  const notBefore = isPrecaution ? purse.precautionNotBefore : purse.notBefore;
  purse.wake = clock.after(Math.max(1, oldest - now, notBefore - now), () => serve(clock, purse));
}

function takeFirst(purse: Purse, now: number): Asker | undefined {
  const { line, last } = purse;
  const first = (urgency: Urgency): Asker | undefined => line.find((asker) => asker.urgency === urgency);
  const recovery = first("recovery");
  const isPatient = recovery === undefined || last === "recovery" || now - recovery.since < PATIENCE_MS;
  const isCalm = purse.spent.length === 0 && now >= purse.precautionNotBefore;
  const next = first("card") ?? (isPatient ? first("cashier") : undefined) ?? recovery ?? (isCalm ? first("precaution") : undefined);
  if (next === undefined) return undefined;
  purse.last = next.urgency;
  line.splice(line.indexOf(next), 1);
  return next;
}
