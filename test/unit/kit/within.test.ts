import { expect, test } from "vitest";
import { sleep } from "../../../src/kit/clock.ts";
import { within } from "../../../src/kit/within.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

test("work that ends in time is done, and leaves no timer behind", async () => {
  const clock = createVirtualClock(0);
  const result = within(clock, 100, sleep(clock, 99));
  await clock.advance(99);
  expect(await result).toBe("done");
  expect(clock.pending()).toBe(0);
});

test("work that does not is late", async () => {
  const clock = createVirtualClock(0);
  const result = within(clock, 100, new Promise(() => undefined));
  await clock.advance(100);
  expect(await result).toBe("late");
});

test("work that fails in time throws; one that fails later is nobody's error", async () => {
  const clock = createVirtualClock(0);
  await expect(within(clock, 100, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(clock.pending()).toBe(0);
  const failing = Promise.withResolvers<void>();
  const result = within(clock, 100, failing.promise);
  await clock.advance(100);
  failing.reject(new Error("too late to matter"));
  expect(await result).toBe("late");
});
