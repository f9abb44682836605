import { isInUse, mayBeArchived } from "../engine/shell/archivable.ts";
import type { Engine } from "../engine/shell/engine.ts";
import type { OpenJournal } from "../journal/sqlite-journal.ts";
import { type Cancel, type Clock, isoTime } from "../kit/clock.ts";
import type { Log } from "../observe/log.ts";

/** The first minutes of a process belong to open payments. */
const FIRST_AFTER_MS = 600_000;
const DAY_MS = 86_400_000;
/** Quiet time at all terminals before a slice of work begins. */
const QUIET_MS = 2_000;
/** Pause between two slices, for other work. */
const REST_MS = 25;

/** Younger proofs of the whole journal are not repeated: a start may just have made one. */
const PROOF_AGE_MS = 20 * 3_600_000;

export interface UpkeepOn {
  readonly clock: Clock;
  readonly journal: Pick<OpenJournal, "archive" | "prove" | "provedAt">;
  readonly engine: Pick<Engine, "active"> & { readonly feed: Pick<Engine["feed"], "live"> };
  /** The age of payments to archive, as currently configured. */
  readonly afterDays: () => number;
  readonly log: Pick<Log, "info" | "error">;
}

/**
 * Once a day moves old payments into the archive, then proves the whole journal, in slices with pauses for sales. The
 * returned function stops this, after the current slice.
 */
export function watchJournal({ clock, journal, engine, afterDays, log }: UpkeepOn): () => Promise<void> {
  let lastHeard = clock.monotonic();
  let isStopped = false;
  let wake: () => void = () => undefined;
  let running: Promise<void> = Promise.resolve();
  const deafen = engine.feed.live(() => {
    lastHeard = clock.monotonic();
  });
  const rest = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  const pause = async (): Promise<boolean> => {
    await rest(REST_MS);
    for (let left = 1; left > 0 && !isStopped; ) {
      left = lastHeard + QUIET_MS - clock.monotonic();
      if (left > 0) await rest(left);
    }
    return !isStopped;
  };
  const archive = async (): Promise<void> => {
    const before = isoTime(clock.now() - afterDays() * DAY_MS);
    const inUse = (payment: string): boolean => isInUse(engine.active(), payment);
    try {
      const { payments, segments, pages } = await journal.archive({
        before,
        mayGo: mayBeArchived,
        isInUse: inUse,
        pause,
      });
      if (payments > 0 || pages > 0)
        log.info({ payments, segments, pages, before }, "old payments were moved to the archive");
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause);
      log.error(
        { alarm: true, error },
        "old payments could not be moved to the archive; nothing is lost, and it is tried again in a day",
      );
    }
  };
  const prove = async (): Promise<void> => {
    // A clock that was set back must not put the proof off for ever.
    if (isStopped || Math.abs(clock.now() - Date.parse(journal.provedAt())) < PROOF_AGE_MS) return;
    try {
      if (await journal.prove(pause)) log.info({}, "the whole journal was proved: nothing in it has changed");
    } catch (cause) {
      const error = cause instanceof Error ? cause.message : String(cause);
      log.error({ alarm: true, error }, "the journal or its archive is not as it was written");
    }
  };
  let next: Cancel = () => undefined;
  const begin = (): void => {
    running = archive()
      .then(prove)
      .then(() => {
        if (!isStopped) next = clock.after(DAY_MS, begin);
      });
  };
  next = clock.after(FIRST_AFTER_MS, begin);
  return async () => {
    isStopped = true;
    deafen();
    next();
    wake();
    await running;
  };
}
