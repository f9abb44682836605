import { expect, test } from "vitest";
import { isoTime, sleep } from "../../../src/kit/clock.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";

test("now is the time of the system, and monotonic does not fall", () => {
  const before = Date.now();
  const now = systemClock.now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
  const first = systemClock.monotonic();
  expect(systemClock.monotonic()).toBeGreaterThanOrEqual(first);
});

test("after calls in a later turn, and not before the delay is over", async () => {
  const started = systemClock.monotonic();
  let called = false;
  const done = new Promise<void>((resolve) => {
    systemClock.after(0, () => {
      called = true;
      resolve();
    });
  });
  expect(called).toBe(false);
  await done;
  await sleep(systemClock, 15);
  // Node rounds timers to whole milliseconds.
  expect(systemClock.monotonic() - started).toBeGreaterThanOrEqual(14);
});

test("a timer that was stopped does not call, and stopping twice does nothing", async () => {
  let called = false;
  const stop = systemClock.after(1, () => {
    called = true;
  });
  stop();
  stop();
  await sleep(systemClock, 10);
  expect(called).toBe(false);
});

test("times are told as ISO 8601 in UTC with milliseconds", () => {
  expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z");
  expect(isoTime(Date.UTC(2025, 2, 14, 15, 9, 26, 535))).toBe("2025-03-14T15:09:26.535Z");
});
