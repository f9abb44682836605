import { expect, it } from "vitest";
import { watchLoop } from "../../../src/observe/loop-delay.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

it("an event loop that stands still shows as a timer that came late, and the next one is on time again", async () => {
  const clock = createVirtualClock(0);
  let skipped = 0;
  const slow = { ...clock, monotonic: () => clock.monotonic() + skipped };
  const late: number[] = [];
  const stop = watchLoop(slow, (ms) => void late.push(ms));
  await clock.advance(60);
  skipped = 240;
  await clock.advance(100);
  expect(late).toEqual([0, 240, 0]);
  stop();
  await clock.advance(1_000);
  expect(late).toHaveLength(3);
  expect(clock.pending()).toBe(0);
});
