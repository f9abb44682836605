import type { Cancel, Clock } from "../kit/clock.ts";
import type { Urgency } from "../payment/owed.ts";

/** The gateway takes two queries a minute from an entity, all its terminals together (gateway-facts 2.5). */
const QUERIES = 2;
const WINDOW_MS = 60_000;
/** After a throttle the next query waits this long (gateway-facts 1.3). */
const THROTTLED_MS = 30_000;
const RANK: readonly Urgency[] = ["card", "cashier", "recovery"];

/** Shares the few queries an entity has: a card that waits goes before a cashier, a cashier before recovery. */
export interface Budget {
  /** Calls `run` when a query may be made. What it returns takes the place in the line back. */
  ask(entityId: string, urgency: Urgency, run: () => void): Cancel;
  throttled(entityId: string): void;
}

interface Asker {
  readonly urgency: Urgency;
  readonly run: () => void;
}

interface Purse {
  readonly spent: number[];
  readonly line: Asker[];
  notBefore: number;
  wake: Cancel | undefined;
}

export function createBudget(clock: Clock): Budget {
  const purses = new Map<string, Purse>();
  const purseOf = (entityId: string): Purse => {
    const purse = purses.get(entityId) ?? { spent: [], line: [], notBefore: 0, wake: undefined };
    purses.set(entityId, purse);
    return purse;
  };
  const serve = (purse: Purse): void => {
    purse.wake?.();
    purse.wake = undefined;
    const now = clock.monotonic();
    while (purse.spent[0] !== undefined && purse.spent[0] <= now - WINDOW_MS) purse.spent.shift();
    while (purse.line.length > 0 && purse.spent.length < QUERIES && now >= purse.notBefore) {
      purse.spent.push(now);
      takeFirst(purse.line)?.run();
    }
    if (purse.line.length === 0) return;
    const oldest = purse.spent.length < QUERIES ? now : (purse.spent[0] ?? now) + WINDOW_MS;
    purse.wake = clock.after(Math.max(1, oldest - now, purse.notBefore - now), () => serve(purse));
  };
  return {
    ask: (entityId, urgency, run) => {
      const purse = purseOf(entityId);
      const asker = { urgency, run };
      purse.line.push(asker);
      serve(purse);
      return () => {
        const at = purse.line.indexOf(asker);
        if (at >= 0) purse.line.splice(at, 1);
      };
    },
    throttled: (entityId) => {
      const purse = purseOf(entityId);
      purse.notBefore = clock.monotonic() + THROTTLED_MS;
      serve(purse);
    },
  };
}

function takeFirst(line: Asker[]): Asker | undefined {
  for (const urgency of RANK) {
    const at = line.findIndex((asker) => asker.urgency === urgency);
    if (at >= 0) return line.splice(at, 1)[0];
  }
  return undefined;
}
