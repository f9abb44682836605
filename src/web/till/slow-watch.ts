import type { Clock } from "../../kit/clock.ts";
import { isBankAsked } from "./picture.ts";
import type { Entry } from "./till-state.ts";

/** A silent gateway keeps the card waiting up to a minute; that is neither normal nor a decline. */
const SLOW_MS = 10_000;

/** Reports each payment whose issuer has been asked for too long, even if the payment changed meanwhile. */
export function createSlowWatch(
  clock: Pick<Clock, "after">,
  tell: (name: string) => void,
): (entries: readonly Entry[]) => void {
  const waiting = new Map<string, () => void>();
  return (entries) => {
    const asked = new Set(
      entries
        .filter(({ standing }) => standing.is === "known" && isBankAsked(standing.payment))
        .map(({ name }) => name),
    );
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
