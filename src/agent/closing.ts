import type { Clock } from "../kit/clock.ts";
import { within } from "../kit/within.ts";
import type { Log } from "../observe/log.ts";

type Close = () => Promise<void> | void;

/** Opened parts that must be closed. */
export interface Closers {
  /** `what`: its name for the log. */
  add(what: string, close: Close): void;
  /**
   * Closes everything in reverse order. A failed or slow part never keeps the others open, above all the journal, which
   * is last. Rejects with the first failure.
   */
  closeAll(): Promise<void>;
}

/**
 * Time limit of one part: a terminal needs some three seconds to go idle. Together they stay within the minute that
 * systemd allows.
 */
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
