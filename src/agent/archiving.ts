import { isInUse, mayBeArchived } from "../engine/shell/archivable.ts";
import type { Engine } from "../engine/shell/engine.ts";
import type { Archived, ArchiveOrder } from "../journal/archiver.ts";
import { type Cancel, type Clock, isoTime } from "../kit/clock.ts";
import type { Log } from "../observe/log.ts";

/** The first minutes of a process belong to open payments. */
const FIRST_AFTER_MS = 600_000;
const DAY_MS = 86_400_000;
/** Quiet time at all terminals before a slice of work begins. */
const QUIET_MS = 2_000;
/** Pause between two slices, for other work. */
const REST_MS = 25;

export interface ArchivingOn {
  readonly clock: Clock;
  readonly journal: { archive(order: ArchiveOrder): Promise<Archived> };
  readonly engine: Pick<Engine, "active"> & { readonly feed: Pick<Engine["feed"], "live"> };
  /** The age of payments to archive, as currently configured. */
  readonly afterDays: () => number;
  readonly log: Pick<Log, "info" | "error">;
}

/**
 * Moves old payments into the archive once a day, in slices with pauses for sales. The returned function stops this,
 * after the current slice.
 */
export function watchArchive({ clock, journal, engine, afterDays, log }: ArchivingOn): () => Promise<void> {
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
  const run = async (): Promise<void> => {
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
  let next: Cancel = () => undefined;
  const begin = (): void => {
    running = run().then(() => {
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
