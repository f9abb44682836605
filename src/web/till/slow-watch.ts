import type { Clock } from "../../kit/clock.ts";
import { isBankAsked } from "./picture.ts";
import type { Entry } from "./till-state.ts";

/** A gateway that says nothing keeps the card waiting for a minute: nobody should take that for ordinary work, nor for a no. */
const SLOW_MS = 10_000;

/** Tells of each payment whose bank has been asked for too long, however often it changed meanwhile. */
export function createSlowWatch(clock: Pick<Clock, "after">, tell: (name: string) => void): (entries: readonly Entry[]) => void {
  const waiting = new Map<string, () => void>();
  return (entries) => {
    const asked = new Set(entries.filter(({ standing }) => standing.is === "known" && isBankAsked(standing.payment)).map(({ name }) => name));
    for (const [name, stop] of waiting) {
      if (asked.has(name)) continue;
      stop();
      waiting.delete(name);
    }
    for (const name of asked)
      if (!waiting.has(name))
        waiting.set(
          name,
          clock.after(SLOW_MS, () => tell(name)),
        );
  };
}
