import { expect, test } from "vitest";
import { createSandboxClock } from "../../../packages/sandbox/gateway/sandbox-clock.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const DAY = 86_400_000;
const FORGETFUL = { read: () => 0, write: () => undefined };

test("what is due runs in the order of its times when the clock is moved past all of it", () => {
  const clock = createSandboxClock(createVirtualClock(0), FORGETFUL);
  const ran: string[] = [];
  clock.at(clock.now() + 2_000, () => ran.push("second"));
  clock.at(clock.now() + 1_000, () => ran.push("first"));
  clock.at(clock.now() + 3_001, () => ran.push("not yet"));
  clock.advance(3_000);
  expect(ran).toEqual(["first", "second"]);
});

test("a time that is months away does not come at once, and does come", async () => {
  const virtual = createVirtualClock(0);
  const clock = createSandboxClock(virtual, FORGETFUL);
  let ran = 0;
  clock.at(clock.now() + 90 * DAY, () => (ran += 1));
  await virtual.advance(89 * DAY);
  expect(ran).toBe(0);
  await virtual.advance(2 * DAY);
  expect(ran).toBe(1);
});

test("a stopped clock wakes who sleeps and runs nothing that was still to come", async () => {
  const clock = createSandboxClock(createVirtualClock(0), FORGETFUL);
  let ran = false;
  clock.at(clock.now() + 1, () => (ran = true));
  const sleeping = clock.sleep(60_000);
  clock.stop();
  await sleeping;
  clock.advance(DAY);
  expect(ran).toBe(false);
});

test("what was cancelled does not run", () => {
  const clock = createSandboxClock(createVirtualClock(0), FORGETFUL);
  let ran = false;
  clock.at(clock.now() + 1, () => (ran = true))();
  clock.advance(DAY);
  expect(ran).toBe(false);
});

test("how far it was moved is kept, so that nothing that happened comes to lie in the future", () => {
  let kept = 0;
  const lead = { read: () => kept, write: (ms: number) => (kept = ms) };
  const clock = createSandboxClock(createVirtualClock(0), lead);
  clock.advance(DAY);
  clock.advance(1);
  expect(createSandboxClock(createVirtualClock(5), lead).now()).toBe(DAY + 6);
});
