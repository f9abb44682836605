import { describe, expect, test } from "vitest";
import { createLeases } from "../../../src/engine/terminal/lease.ts";

describe("a terminal's lease", () => {
  test("goes to the first who asks, and then to those who wait, in order", () => {
    const leases = createLeases();
    const granted: string[] = [];
    const ask = (payment: string) => leases.ask("t", payment, () => granted.push(payment));
    expect([ask("a"), ask("b"), ask("c")]).toEqual(["granted", "queued", "queued"]);
    expect([leases.holder("t"), leases.waiting("t")]).toEqual(["a", 2]);
    leases.giveBack("t", "a");
    leases.giveBack("t", "b");
    expect(granted).toEqual(["a", "b", "c"]);
    leases.giveBack("t", "c");
    expect([leases.holder("t"), leases.waiting("t")]).toEqual([undefined, 0]);
  });

  test("is not given to one who left the queue, nor lost by one who gives back what it never had", () => {
    const leases = createLeases();
    const granted: string[] = [];
    for (const payment of ["a", "b", "c"]) leases.ask("t", payment, () => granted.push(payment));
    leases.giveBack("t", "b");
    leases.giveBack("t", "unknown");
    leases.giveBack("other", "a");
    leases.giveBack("t", "a");
    expect(granted).toEqual(["a", "c"]);
  });

  test("of one terminal says nothing about another", () => {
    const leases = createLeases();
    leases.ask("t", "a", () => undefined);
    expect(leases.ask("u", "b", () => undefined)).toBe("granted");
  });
});
