import { describe, expect, test } from "vitest";
import { createBudget } from "../../../src/engine/gateway/query-budget.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

describe("the query budget of an entity", () => {
  test("lets two queries a minute through, whoever asks", async () => {
    const clock = createVirtualClock(0);
    const budget = createBudget(clock);
    const ran: number[] = [];
    for (let at = 0; at < 5; at += 1) budget.ask("e", "recovery", () => ran.push(clock.monotonic()));
    await clock.advance(200_000);
    expect(ran).toHaveLength(5);
    for (const [at, when] of ran.entries())
      expect(ran.filter((other) => other > when - 60_000 && other <= when).length, `query ${at}`).toBeLessThanOrEqual(
        2,
      );
  });

  test("serves a waiting card before a cashier, both before recovery", async () => {
    const clock = createVirtualClock(0);
    const budget = createBudget(clock);
    const ran: string[] = [];
    const asked = ["recovery", "recovery", "recovery", "cashier", "card"] as const;
    for (const urgency of asked) budget.ask("e", urgency, () => ran.push(urgency));
    await clock.advance(200_000);
    expect(ran).toEqual(["recovery", "recovery", "card", "cashier", "recovery"]);
  });

  test("gives recovery that has waited for two minutes every other query, however many cashiers ask", async () => {
    const clock = createVirtualClock(0);
    const budget = createBudget(clock);
    const ran: string[] = [];
    const ask = (urgency: "recovery" | "cashier" | "card") =>
      budget.ask("e", urgency, () => ran.push(`${urgency} ${clock.monotonic() / 1000}`));
    for (let at = 0; at < 400; at += 1) {
      ask("cashier");
      if (at === 10 || at === 20) ask("recovery");
      if (at === 150) ask("card");
      await clock.advance(1000);
    }
    const turns = [
      ["cashier 0", "cashier 1"],
      ["cashier 62", "cashier 63"],
      ["cashier 124", "cashier 125"],
      ["card 186", "recovery 187"],
    ];
    expect(ran.slice(0, 8)).toEqual(turns.flat());
    expect(ran.slice(8)).toEqual([
      "cashier 248",
      "recovery 249",
      "cashier 310",
      "cashier 311",
      "cashier 372",
      "cashier 373",
    ]);
  });

  test("gives each register one look-up a minute, the one that has waited longest for one first, and all of them after recovery", async () => {
    const clock = createVirtualClock(0);
    const budget = createBudget(clock);
    const ran: string[] = [];
    const keepAsking = (register: string): void =>
      void budget.ask("e", { register }, () => {
        ran.push(`${register} ${clock.monotonic() / 1000}`);
        keepAsking(register);
      });
    keepAsking("greedy");
    await clock.advance(10_000);
    keepAsking("other");
    await clock.advance(10_000);
    keepAsking("late");
    await clock.advance(70_000);
    budget.ask("e", "recovery", () => ran.push(`recovery ${clock.monotonic() / 1000}`));
    await clock.advance(100_000);
    expect(ran).toEqual(["greedy 0", "other 10", "late 62", "greedy 72", "recovery 124", "other 134", "late 186"]);
  });

  test("keeps the second query of a minute free from a register that goes on looking up", async () => {
    const clock = createVirtualClock(0);
    const budget = createBudget(clock);
    const ran: string[] = [];
    for (let at = 0; at < 9; at += 1)
      budget.ask("e", { register: "greedy" }, () => ran.push(`greedy ${clock.monotonic() / 1000}`));
    await clock.advance(20_000);
    budget.ask("e", "card", () => ran.push(`card ${clock.monotonic() / 1000}`));
    await clock.advance(50_000);
    expect(ran).toEqual(["greedy 0", "card 20", "greedy 62"]);
  });

  test("lets nine looks at links a minute through, which take nothing from queries", async () => {
    const clock = createVirtualClock(0);
    const budget = createBudget(clock);
    const ran: number[] = [];
    let queried = 0;
    for (let at = 0; at < 20; at += 1) budget.look("e", () => ran.push(clock.monotonic()));
    for (let at = 0; at < 2; at += 1) budget.ask("e", "card", () => (queried += 1));
    expect([ran.length, queried]).toEqual([9, 2]);
    await clock.advance(130_000);
    expect(ran).toHaveLength(20);
    for (const when of ran)
      expect(ran.filter((other) => other > when - 60_000 && other <= when).length).toBeLessThanOrEqual(9);
  });

  test("once throttled asks for nothing for half a minute, whatever it was that was throttled", async () => {
    const clock = createVirtualClock(0);
    const budget = createBudget(clock);
    const ran: string[] = [];
    budget.throttled("e");
    budget.look("e", () => ran.push(`look ${clock.monotonic()}`));
    budget.ask("e", "card", () => ran.push(`query ${clock.monotonic()}`));
    await clock.advance(60_000);
    expect(ran).toEqual(["look 30000", "query 30000"]);
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
