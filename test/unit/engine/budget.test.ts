import { describe, expect, test } from "vitest";
import { createBudget } from "../../../src/engine/budget.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

describe("the query budget of an entity", () => {
  test("lets two queries a minute through, whoever asks", async () => {
    const clock = createVirtualClock(0);
    const budget = createBudget(clock);
    const ran: number[] = [];
    for (let at = 0; at < 5; at += 1) budget.ask("e", "recovery", () => ran.push(clock.monotonic()));
    await clock.advance(200_000);
    expect(ran).toHaveLength(5);
    for (const [at, when] of ran.entries()) expect(ran.filter((other) => other > when - 60_000 && other <= when).length, `query ${at}`).toBeLessThanOrEqual(2);
  });

  test("serves a waiting card before a cashier, and both before recovery", async () => {
    const clock = createVirtualClock(0);
    const budget = createBudget(clock);
    const ran: string[] = [];
    for (const urgency of ["recovery", "recovery", "recovery", "cashier", "card"] as const) budget.ask("e", urgency, () => ran.push(urgency));
    await clock.advance(200_000);
    expect(ran).toEqual(["recovery", "recovery", "card", "cashier", "recovery"]);
  });

  test("keeps entities apart", async () => {
    const clock = createVirtualClock(0);
    const budget = createBudget(clock);
    const ran: string[] = [];
    for (const entity of ["a", "a", "b", "b"]) budget.ask(entity, "card", () => ran.push(entity));
    expect(ran).toEqual(["a", "a", "b", "b"]);
  });

  test("rests for 30 s after the gateway throttled, and forgets who left the line", async () => {
    const clock = createVirtualClock(0);
    const budget = createBudget(clock);
    budget.throttled("e");
    const ran: number[] = [];
    const leave = budget.ask("e", "card", () => ran.push(-1));
    budget.ask("e", "card", () => ran.push(clock.monotonic()));
    leave();
    await clock.advance(29_000);
    expect(ran).toEqual([]);
    await clock.advance(2_000);
    expect(ran).toEqual([30_000]);
  });
});
