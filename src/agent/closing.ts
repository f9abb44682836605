import type { Clock } from "../kit/clock.ts";
import { within } from "../kit/within.ts";
import type { Log } from "../observe/log.ts";

type Close = () => Promise<void> | void;

/** What was opened. */
export interface Closers {
  /** `what`: its name for the log. */
  add(what: string, close: Close): void;
  /**
   * Closes everything in the opposite order. What fails or does not come to an end keeps nothing else from being closed, least of all the journal, which was opened first: a
   * bridge that is to end has to, or nobody starts the next one. Rejects in the end with the first failure.
   */
  closeAll(): Promise<void>;
}

/** What one of them may take: a terminal has some three seconds to go idle. All that wait for somebody outside are then well within the minute that systemd is told to give. */
const CLOSE_MS = 5_000;

export function createClosers(clock: Clock, log: Log): Closers {
  const opened: { readonly what: string; readonly close: Close }[] = [];
  const closeAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const { what, close } of opened.splice(0).toReversed()) {
      const closing = (async () => close())();
      const ended = await within(clock, CLOSE_MS, closing).catch((cause: unknown) => void failures.push(cause));
      if (ended === "late") log.warn({ what }, "does not close; the bridge ends without waiting for it any longer");
    }
    if (failures.length > 0) throw failures[0];
  };
  return { add: (what, close) => void opened.push({ what, close }), closeAll };
}
