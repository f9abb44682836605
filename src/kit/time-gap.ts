/** The machine's clocks, read together. */
export interface Moment {
  /** Epoch milliseconds, set by people and the network. */
  readonly wallMs: number;
  /** Never set; on Linux it stops while the machine is suspended. */
  readonly monotonicMs: number;
  /** Since the start of the machine, its sleep included. */
  readonly upMs: number;
}

/** A longer pause of the process counts as sleep; a busy machine causes shorter ones. */
const ASLEEP_MS = 10_000;
/** The network often makes smaller corrections. After a larger one, terminals get the time again. */
const CLOCK_SET_MS = 10_000;

export interface TimeGap {
  /** Time without running beyond the expected pause; 0: none. */
  readonly asleepMs: number;
  /** Change of the wall clock, negative if set back; 0: none. */
  readonly clockSetMs: number;
}

/** Compares two moments, which should be `pauseMs` apart. */
export function timeGap(before: Moment, after: Moment, pauseMs: number): TimeGap {
  const passedMs = Math.max(after.monotonicMs - before.monotonicMs, after.upMs - before.upMs);
  const overMs = passedMs - pauseMs;
  const setMs = after.wallMs - before.wallMs - passedMs;
  return { asleepMs: overMs >= ASLEEP_MS ? overMs : 0, clockSetMs: Math.abs(setMs) >= CLOCK_SET_MS ? setMs : 0 };
}
