/** The machine's clocks, read together. */
export interface Moment {
  /** Epoch milliseconds, which people and the network set. */
  readonly wallMs: number;
  /** Never set; on Linux it stands still while the machine is suspended. */
  readonly monotonicMs: number;
  /** Since the machine was started, its sleep included. */
  readonly upMs: number;
}

/** How long a process may be kept from running, on a busy machine, before it counts as asleep. */
const ASLEEP_MS = 10_000;
/** Smaller corrections by the network are common. Terminals get their clock set where it is off by more. */
const CLOCK_SET_MS = 10_000;

export interface TimeGap {
  /** How long nothing ran, beyond the expected pause; 0: it ran all the time. */
  readonly asleepMs: number;
  /** By how much the wall clock was set, back where it is negative; 0: it was not. */
  readonly clockSetMs: number;
}

/** Compares two moments, which should be `pauseMs` apart. */
export function timeGap(before: Moment, after: Moment, pauseMs: number): TimeGap {
  const passedMs = Math.max(after.monotonicMs - before.monotonicMs, after.upMs - before.upMs);
  const overMs = passedMs - pauseMs;
  const setMs = after.wallMs - before.wallMs - passedMs;
  return { asleepMs: overMs >= ASLEEP_MS ? overMs : 0, clockSetMs: Math.abs(setMs) >= CLOCK_SET_MS ? setMs : 0 };
}
