import { describe, expect, it } from "vitest";
import { type Notice, startWatchdog, statusText, watchdogLimit } from "../../../src/service/watchdog.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const LIMIT_MS = 60_000;

function watched(ready: () => Promise<readonly string[]>) {
  const clock = createVirtualClock(0);
  const told: { at: number; notice: Notice }[] = [];
  const began = clock.monotonic();
  startWatchdog({
    clock,
    limitMs: LIMIT_MS,
    ready,
    tell: (notice) => void told.push({ at: clock.monotonic() - began, notice }),
  });
  return { clock, told };
}

describe("the watchdog", () => {
  it("is fed four times in its limit, with a word for systemctl status", async () => {
    const { clock, told } = watched(async () => []);
    await clock.advance(LIMIT_MS);
    expect(told.map(({ at }) => at)).toEqual([0, 15_000, 30_000, 45_000, 60_000]);
    expect(told[0]?.notice).toEqual({ WATCHDOG: "1", STATUS: "ready" });
  });

  it("is not fed from the moment on at which the journal hangs", async () => {
    let hangs = false;
    const { clock, told } = watched(() => (hangs ? new Promise(() => undefined) : Promise.resolve([])));
    await clock.advance(20_000);
    hangs = true;
    await clock.advance(10 * LIMIT_MS);
    expect(told.at(-1)?.at).toBe(15_000);
  });

  it("is fed by a bridge that says that its disk is full: a new start mends no disk", async () => {
    const { clock, told } = watched(async () => ["journal: the disk is full"]);
    await clock.advance(LIMIT_MS);
    expect(told.at(-1)).toEqual({
      at: LIMIT_MS,
      notice: { WATCHDOG: "1", STATUS: "not ready: journal: the disk is full" },
    });
  });

  it("is not fed by a loop that gets to its timers too late", async () => {
    const clock = createVirtualClock(0);
    let lag = 0;
    const told: Notice[] = [];
    const late = { ...clock, monotonic: () => clock.monotonic() + lag };
    startWatchdog({ clock: late, limitMs: LIMIT_MS, ready: async () => [], tell: (notice) => void told.push(notice) });
    await clock.advance(1);
    lag = 5_001;
    await clock.advance(15_000);
    expect(told).toHaveLength(1);
    // From now on it is in time again.
    await clock.advance(15_000);
    expect(told).toHaveLength(2);
  });
});

it("watches this process alone, and only where it is asked to", () => {
  expect(watchdogLimit({}, 7)).toBeUndefined();
  expect(watchdogLimit({ WATCHDOG_USEC: "60000000", WATCHDOG_PID: "7" }, 7)).toBe(60_000);
  expect(watchdogLimit({ WATCHDOG_USEC: "60000000" }, 7)).toBe(60_000);
  expect(watchdogLimit({ WATCHDOG_USEC: "60000000", WATCHDOG_PID: "8" }, 7)).toBeUndefined();
  expect(watchdogLimit({ WATCHDOG_USEC: "0" }, 7)).toBeUndefined();
  expect(watchdogLimit({ WATCHDOG_USEC: "-1" }, 7)).toBeUndefined();
});

it("is told one short line", () => {
  expect(statusText(["journal: a\nb", `terminal till-1: ${"x".repeat(400)}`])).toMatch(
    /^not ready: journal: a b; terminal till-1: x+$/,
  );
  expect(statusText(["x".repeat(1_000)]).length).toBe(300);
});
