import { expect, test } from "vitest";
import { createLinePool, type Line } from "../../../src/gateway/line-pool.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

interface FakeLine extends Line {
  alive: boolean;
  destroyed: boolean;
}

function fakeLine(): FakeLine {
  const line: FakeLine = {
    alive: true,
    destroyed: false,
    isAlive: () => line.alive && !line.destroyed,
    destroy: () => {
      line.destroyed = true;
    },
  };
  return line;
}

function world() {
  const clock = createVirtualClock(0);
  return { clock, pool: createLinePool<FakeLine>(clock), a: fakeLine(), b: fakeLine() };
}

test("a line at rest is taken once", () => {
  const { pool, a } = world();
  pool.rest(a, 100);
  expect(pool.take()).toBe(a);
  expect(pool.take()).toBeUndefined();
});

test("the line that goes stale first is taken first", () => {
  const { pool, a, b } = world();
  pool.rest(a, 200);
  pool.rest(b, 100);
  expect(pool.take()).toBe(b);
  expect(pool.take()).toBe(a);
});

test("a line that rested too long is destroyed without anyone asking", async () => {
  const { clock, pool, a } = world();
  pool.rest(a, 100);
  await clock.advance(99);
  expect(a.destroyed).toBe(false);
  await clock.advance(1);
  expect(a.destroyed).toBe(true);
  expect(pool.take()).toBeUndefined();
  expect(clock.pending()).toBe(0);
});

test("a dead line is passed over and destroyed", () => {
  const { pool, a, b } = world();
  pool.rest(a, 100);
  pool.rest(b, 200);
  a.alive = false;
  expect(pool.take()).toBe(b);
  expect(a.destroyed).toBe(true);
});

test("a line that was taken is not destroyed by its old timer", async () => {
  const { clock, pool, a } = world();
  pool.rest(a, 100);
  pool.take();
  await clock.advance(1000);
  expect(a.destroyed).toBe(false);
});

test("freshness looks at living lines and at what is left of their time", async () => {
  const { clock, pool, a } = world();
  pool.rest(a, 100);
  expect(pool.hasFresh(50)).toBe(true);
  await clock.advance(60);
  expect(pool.hasFresh(50)).toBe(false);
  expect(pool.hasFresh(0)).toBe(true);
  a.alive = false;
  expect(pool.hasFresh(0)).toBe(false);
});

test("all are dropped at once, and no timer is left", () => {
  const { clock, pool, a, b } = world();
  pool.rest(a, 100);
  pool.rest(b, 100);
  pool.dropAll();
  expect([a.destroyed, b.destroyed, clock.pending()]).toEqual([true, true, 0]);
});
