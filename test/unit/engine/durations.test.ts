import { expect, it } from "vitest";
import { createDurations, type Duration } from "../../../src/engine/shell/durations.ts";
import { begin } from "../../../src/payment/state/payment.ts";
import { openCounter, startRequest, till } from "../../support/counter.ts";
import { approved } from "../../support/sale.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

it("card, terminal and whole sale are measured by what really went by, whatever becomes of the wall clock", async () => {
  const story = approved();
  const clock = createVirtualClock(0);
  const measure = createDurations(clock);
  const measured: Duration[] = [];
  const { payment } = story;
  for (const fact of story.facts) {
    const after = fact.fact === "concluded" ? payment : { ...payment, concluded: undefined };
    measured.push(...measure({ before: payment, facts: [fact], after, tookMs: 3 }));
    await clock.advance(1_000);
    clock.setWall(clock.now() - 3_600_000);
  }
  // accepted, collecting, card-presented, intended, answered, told, finished, concluded
  expect(measured).toEqual([
    { of: "card", entryMode: "ICC", ms: 1_000 },
    { of: "terminal", terminal: "till-1", ms: 1_000 },
    { of: "payment", type: "SALE", outcome: "APPROVED", ms: 7_000 },
    { of: "own", type: "SALE", ms: 24 },
  ]);
});

it("a payment that another process accepted is not measured", () => {
  const measure = createDurations(createVirtualClock(0));
  const { payment, facts } = approved();
  expect(measure({ before: begin(payment.accepted), facts: facts.slice(1), after: payment, tookMs: 1 })).toEqual([]);
});

it("each sale of an engine has its durations once, and the bridge's own part of it is what its appends took", async () => {
  const counter = openCounter();
  const measure = createDurations(counter.clock);
  void counter.payments.start(till, startRequest("R-1"));
  await counter.clock.advance(60_000);
  const measured = counter.appended.flatMap(measure);
  expect(measured.map(({ of }) => of)).toEqual(["card", "terminal", "payment", "own"]);
  // The counter's journal takes a millisecond for each append.
  const appends = counter.appended.findIndex(({ after }) => after.concluded !== undefined) + 1;
  expect(measured.at(-1)?.ms).toBe(appends);
});
