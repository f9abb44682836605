import fc from "fast-check";
import { expect, test } from "vitest";
import { sleep } from "../../../src/kit/clock.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

test("timers run by due time, then in the order they were set; cancelled ones do not", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ delayMs: fc.nat(50), cancelled: fc.boolean() }), { maxLength: 400, size: "max" }),
      async (timers) => {
        const clock = createVirtualClock(1_000);
        const ran: { readonly index: number; readonly at: number }[] = [];
        const cancels = timers.map(({ delayMs }, index) =>
          clock.after(delayMs, () => void ran.push({ index, at: clock.monotonic() })),
        );
        timers.forEach(({ cancelled }, index) => {
          if (cancelled) cancels[index]?.();
        });
        await clock.advance(50);
        const expected = timers
          .map(({ delayMs, cancelled }, index) => ({ index, at: delayMs, cancelled }))
          .filter(({ cancelled }) => !cancelled)
          .sort((a, b) => a.at - b.at || a.index - b.index)
          .map(({ index, at }) => ({ index, at }));
        expect(ran).toEqual(expected);
        expect(clock.pending()).toBe(0);
        expect(clock.now()).toBe(1_050);
      },
    ),
    { numRuns: 50 },
  );
});

test("what follows from a timer through any number of promises is through before the next timer", async () => {
  const clock = createVirtualClock(0);
  const order: string[] = [];
  const long = async (): Promise<void> => {
    for (let turn = 0; turn < 500; turn += 1) await Promise.resolve();
    order.push("first, in the end");
  };
  clock.after(1, () => void long());
  clock.after(1, () => void order.push("second"));
  await clock.advance(1);
  expect(order).toEqual(["first, in the end", "second"]);
});

test("timers that timers set run in the same advance where they fall due", async () => {
  const clock = createVirtualClock(0);
  let woke = 0;
  const loop = async (): Promise<void> => {
    for (;;) {
      await sleep(clock, 10);
      woke += 1;
    }
  };
  void loop();
  await clock.advance(105);
  expect(woke).toBe(10);
  expect(clock.monotonic()).toBe(105);
});

test("runs until idle, and says so where something repeats for ever", async () => {
  const clock = createVirtualClock(0);
  clock.after(5, () => void clock.after(7, () => undefined));
  await clock.runUntilIdle();
  expect(clock.monotonic()).toBe(12);
  const again = (): void => void clock.after(1_000, again);
  again();
  await expect(clock.runUntilIdle(10_000)).rejects.toThrow("not reached within 10000 ms");
});

test("runs until a condition holds and stops there", async () => {
  const clock = createVirtualClock(0);
  let seen = 0;
  for (const delayMs of [1, 2, 3]) {
    clock.after(delayMs, () => {
      seen = delayMs;
    });
  }
  await clock.runUntil(() => seen === 2, 100);
  expect([seen, clock.monotonic()]).toEqual([2, 2]);
  await expect(clock.runUntil(() => false, 100)).rejects.toThrow("not reached");
});

test("the wall clock may jump without moving timers", async () => {
  const clock = createVirtualClock(1_000);
  let ran = false;
  clock.after(10, () => {
    ran = true;
  });
  clock.setWall(500_000);
  await clock.advance(9);
  expect([clock.now(), clock.monotonic(), ran]).toEqual([500_009, 9, false]);
});

test("a timer that is set for longer than Node's can be runs at once, as Node's does", async () => {
  const clock = createVirtualClock(0);
  const ran: string[] = [];
  clock.after(2_147_483_648, () => void ran.push("too long"));
  clock.after(2_147_483_647, () => void ran.push("longest"));
  await clock.advance(1);
  expect(ran).toEqual(["too long"]);
  await clock.advance(2_147_483_646);
  expect(ran).toEqual(["too long", "longest"]);
});
