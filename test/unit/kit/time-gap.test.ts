import { expect, test } from "vitest";
import { type Moment, timeGap } from "../../../src/kit/time-gap.ts";

const PAUSE_MS = 5_000;
const HOUR = 3_600_000;
const START: Moment = { wallMs: Date.UTC(2026, 0, 15, 9), monotonicMs: 1_000, upMs: 900_000 };

/** So much later, by each clock. */
function later({
  wallMs,
  monotonicMs,
  upMs,
}: {
  readonly wallMs: number;
  readonly monotonicMs: number;
  readonly upMs: number;
}): Moment {
  return { wallMs: START.wallMs + wallMs, monotonicMs: START.monotonicMs + monotonicMs, upMs: START.upMs + upMs };
}

test.each([
  ["a pause as it should be", { wallMs: 5_000, monotonicMs: 5_000, upMs: 5_000 }, { asleepMs: 0, clockSetMs: 0 }],
  [
    "a busy machine, and a small correction of the time",
    { wallMs: 16_000, monotonicMs: 9_000, upMs: 9_000 },
    { asleepMs: 0, clockSetMs: 0 },
  ],
  [
    "a suspended Linux, whose monotonic clock stood still",
    { wallMs: HOUR, monotonicMs: 5_000, upMs: HOUR },
    { asleepMs: HOUR - PAUSE_MS, clockSetMs: 0 },
  ],
  [
    "a suspended Windows, whose monotonic clock went on",
    { wallMs: HOUR, monotonicMs: HOUR, upMs: HOUR },
    { asleepMs: HOUR - PAUSE_MS, clockSetMs: 0 },
  ],
  [
    "a process that was stopped",
    { wallMs: HOUR, monotonicMs: HOUR, upMs: HOUR },
    { asleepMs: HOUR - PAUSE_MS, clockSetMs: 0 },
  ],
  [
    "a clock that was set forward",
    { wallMs: HOUR, monotonicMs: 5_000, upMs: 5_000 },
    { asleepMs: 0, clockSetMs: HOUR - PAUSE_MS },
  ],
  [
    "a clock that was set back",
    { wallMs: -HOUR, monotonicMs: 5_000, upMs: 5_000 },
    { asleepMs: 0, clockSetMs: -HOUR - PAUSE_MS },
  ],
  ["both", { wallMs: 0, monotonicMs: 5_000, upMs: HOUR }, { asleepMs: HOUR - PAUSE_MS, clockSetMs: -HOUR }],
] as const)("%s", (_, passed, gap) => expect(timeGap(START, later(passed), PAUSE_MS)).toEqual(gap));
