import { type Cancel, type Clock, isoTime } from "../kit/clock.ts";
import { type Moment, timeGap } from "../kit/time-gap.ts";
import type { Log } from "../observe/log.ts";
import type { TerminalSet } from "../terminal/terminals.ts";

/** Delay after waking until the bridge notices it. */
const LOOK_EVERY_MS = 5_000;

export interface WakingPorts {
  readonly clock: Clock;
  /** Milliseconds since the machine started, its sleep included. */
  readonly upMs: () => number;
  readonly log: Pick<Log, "warn">;
  readonly terminals: Pick<TerminalSet, "list" | "test">;
  /** The payment that holds a terminal. */
  holderOf(terminal: string): object | undefined;
  /** Idle connections to the gateway may be dead and are not used again. */
  forgetConnections(): void;
}

/**
 * Detects sleep of the machine, a stopped process, or a changed wall clock. Connections may be dead and are renewed;
 * each terminal is identified again, which sets its clock.
 */
export function watchWaking(on: WakingPorts): Cancel {
  const { clock } = on;
  const moment = (): Moment => ({ wallMs: clock.now(), monotonicMs: clock.monotonic(), upMs: on.upMs() });
  let last = moment();
  let unasked: readonly string[] = [];
  let next: Cancel = () => undefined;
  const look = (): void => {
    const now = moment();
    const { asleepMs, clockSetMs } = timeGap(last, now, LOOK_EVERY_MS);
    last = now;
    if (asleepMs > 0) {
      on.forgetConnections();
      on.log.warn(
        { seconds: Math.round(asleepMs / 1000) },
        "this machine was asleep, or this process was stopped; connections are made anew, and each terminal is asked who it is",
      );
    }
    if (clockSetMs !== 0) {
      on.log.warn(
        { bySeconds: Math.round(clockSetMs / 1000), now: isoTime(now.wallMs) },
        "the clock of this machine was set; receipts and the day of the shop follow it, time limits do not; each terminal gets the new time",
      );
    }
    if (asleepMs > 0 || clockSetMs !== 0) unasked = readyOnes(on);
    // A running payment goes on; its terminal is identified afterwards.
    const free = unasked.filter((terminal) => on.holderOf(terminal) === undefined);
    unasked = unasked.filter((terminal) => !free.includes(terminal));
    for (const terminal of free) void on.terminals.test(terminal);
    next = clock.after(LOOK_EVERY_MS, look);
  };
  next = clock.after(LOOK_EVERY_MS, look);
  return () => next();
}

/** Other terminals are identified when they connect. */
function readyOnes({ terminals }: WakingPorts): readonly string[] {
  return terminals.list().flatMap(({ id, state }) => (state === "ready" ? [id] : []));
}
