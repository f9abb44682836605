import type { Cancel, Clock } from "../kit/clock.ts";

/** Messages to a service manager: variables of sd_notify(3). */
export type Notice = Readonly<Partial<Record<"READY" | "WATCHDOG" | "STOPPING" | "RELOADING" | "STATUS", string>>>;

interface WatchdogPorts {
  readonly clock: Clock;
  /** The manager ends a process silent for so many milliseconds. */
  readonly limitMs: number;
  /** Why payments cannot be taken, as in /readyz. A stuck journal never answers. */
  ready(): Promise<readonly string[]>;
  tell(notice: Notice): void;
}

/** Messages within the time limit. */
const BEATS = 4;
/** A loop this late at its timers is as good as stuck, in milliseconds. */
const MOST_LATE_MS = 5_000;

/**
 * Feeds a watchdog while the event loop runs and the journal answers, even with a write error: a restart does not
 * repair a full disk, and a running bridge can refuse payments.
 */
export function startWatchdog({ clock, limitMs, ready, tell }: WatchdogPorts): Cancel {
  const beatMs = limitMs / BEATS;
  let isLooking = false;
  let stop: Cancel = () => undefined;
  const feed = async (lateMs: number): Promise<void> => {
    isLooking = true;
    const reasons = await ready();
    isLooking = false;
    if (lateMs <= MOST_LATE_MS) tell({ WATCHDOG: "1", STATUS: statusText(reasons) });
  };
  const wait = (): void => {
    const due = clock.monotonic() + beatMs;
    stop = clock.after(beatMs, () => {
      if (!isLooking) void feed(clock.monotonic() - due);
      wait();
    });
  };
  void feed(0);
  wait();
  return () => stop();
}

const LONGEST_STATUS = 300;

/** One line of `systemctl status`. */
export function statusText(reasons: readonly string[]): string {
  const text = reasons.length === 0 ? "ready" : `not ready: ${reasons.join("; ")}`;
  return text.replaceAll(/\s+/g, " ").slice(0, LONGEST_STATUS);
}

/**
 * The manager's time limit from the process's variables; undefined: this process is not watched
 * (sd_watchdog_enabled(3)).
 */
export function watchdogLimit(env: Readonly<Record<string, string | undefined>>, pid: number): number | undefined {
  const { WATCHDOG_USEC: limit, WATCHDOG_PID: watched } = env;
  if (limit === undefined || !/^[1-9][0-9]{0,15}$/.test(limit)) return undefined;
  return watched === undefined || watched === String(pid) ? Number(limit) / 1_000 : undefined;
}
