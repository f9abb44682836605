import { expect, test } from "vitest";
import { lookAtFolder, tellOfAccess } from "../../../src/agent/telling.ts";
import type { Log } from "../../../src/observe/log.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";

const HOUR = 3_600_000;

/** What is said at a start by a wall clock that is so far from the right one. */
async function said(aheadMs: number, hasSold = true): Promise<readonly string[]> {
  const { payments, clock, journal } = openCounter();
  if (hasSold) void payments.start(till, startRequest("R-1"));
  await clock.advance(60_000);
  clock.setWall(clock.now() + aheadMs);
  const looking = lookAtFolder(journal, "/data", clock);
  await clock.advance(1_000);
  const lines: string[] = [];
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (_, message) => void lines.push(message),
    error: () => undefined,
  };
  (await looking)(log);
  return lines;
}

test.each([0, HOUR / 2, -HOUR / 2, 365 * 24 * HOUR])(
  "a start by a clock that is %i ms ahead says nothing",
  async (aheadMs) => {
    expect(await said(aheadMs)).toEqual([]);
  },
);

test.each([-2 * HOUR, -20 * 365 * 24 * HOUR])(
  "a start by a clock that was put back by %i ms, as by an empty battery, says so",
  async (aheadMs) => {
    expect(await said(aheadMs)).toEqual([expect.stringContaining("the clock is behind")]);
  },
);

test("a start on a folder without any payment says so", async () => {
  expect(await said(0, false)).toEqual([expect.stringContaining("the data folder holds no payment")]);
});

test.each([
  [
    { is: "untold", why: "icacls told no access list" } as const,
    ["this system does not tell who may read the data folder"],
  ],
  [{ is: "closed" } as const, []],
])("of %j a start says %j", (look, words) => {
  const lines: string[] = [];
  tellOfAccess(look, "C:\\data", { warn: (_, message) => void lines.push(message) });
  expect(lines).toEqual(words.map((text) => expect.stringContaining(text)));
});
