import { expect, test } from "vitest";
import { LinkError } from "../../../src/terminal/link.ts";
import { createBench } from "./session-bench.ts";

/** A session whose device is not there, and a hand that plugs something in. */
function awayBench() {
  const tries: number[] = [];
  const watching = new Set<() => void>();
  const bench = createBench({
    open: async () => {
      tries.push(bench.clock.monotonic());
      throw new LinkError("not-found", "no device at /dev/x");
    },
    plugged: (told) => {
      watching.add(told);
      return () => void watching.delete(told);
    },
  });
  const plug = (): void => {
    for (const told of [...watching]) told();
  };
  return { bench, tries, plug, watchers: () => watching.size };
}

test("something that was plugged in is tried at once, and eagerly again, however long the device was away", async () => {
  const { bench, tries, plug } = awayBench();
  bench.session.start();
  await bench.clock.advance(200_000);
  const before = tries.length;
  plug();
  await bench.clock.advance(299);
  expect(tries).toHaveLength(before);
  await bench.clock.advance(1);
  expect(tries).toHaveLength(before + 1);
  await bench.clock.advance(625);
  expect(tries).toHaveLength(before + 2);
});

test("many things plugged in at once are one try", async () => {
  const { bench, tries, plug } = awayBench();
  bench.session.start();
  await bench.clock.advance(200_000);
  const before = tries.length;
  for (let at = 0; at < 20; at += 1) plug();
  await bench.clock.advance(300);
  expect(tries).toHaveLength(before + 1);
});

test("nobody watches while a link is open, or after the stop", async () => {
  const { bench, watchers } = awayBench();
  bench.session.start();
  await bench.clock.advance(1);
  expect(watchers()).toBe(1);
  const stopped = bench.session.stop();
  await bench.clock.advance(5_000);
  await stopped;
  expect(watchers()).toBe(0);

  const counts: number[] = [];
  const open = createBench({
    plugged: () => {
      counts.push(1);
      return () => void counts.push(-1);
    },
  });
  open.session.start();
  await open.clock.advance(60_000);
  expect(open.status().state).toBe("ready");
  expect(counts).toEqual([]);
});
