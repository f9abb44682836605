import { describe, expect, test } from "vitest";
import type { ChargeRequest, LinkRequest } from "../../../src/payment/fact/request.ts";
import { type Counter, openCounter, startRequest, till } from "../../support/counter.ts";

/*
 * What comes while something else about the same money is on its way to the disk: nothing of that stands in the journal
 * yet.
 */

const ORDER = { currency: "EUR", amount: 1234, parameters: {}, order: "table 4" } as const;
const charged: ChargeRequest = {
  ...ORDER,
  reference: "C-1",
  registration: "8ac7a49f000000000000000000000001",
  type: "SALE",
  fingerprint: "charge",
};
const linked: LinkRequest = { ...ORDER, reference: "L-1", validForMs: 600_000, fingerprint: "link" };

const STARTS = {
  "at the terminal": ({ payments }: Counter) => payments.start(till, startRequest("R-1", { order: ORDER.order })),
  "by a stored card": ({ payments }: Counter) => payments.charge(till, charged),
  "by a link": ({ payments }: Counter) => payments.link(till, linked),
} as const;
const WAYS = ["at the terminal", "by a stored card", "by a link"] as const;

describe("of two payments for one order that begin at the same moment", () => {
  const pairs = WAYS.flatMap((first) => WAYS.flatMap((second) => (first === second ? [] : [[first, second] as const])));
  test.each(pairs)("one %s is accepted, and one %s is not", async (first, second) => {
    const counter = openCounter();
    const both = [STARTS[first](counter), STARTS[second](counter)];
    await counter.clock.advance(10_000);
    expect((await Promise.all(both)).map((answer) => (answer.ok ? "granted" : answer.refusal.code))).toEqual([
      "granted",
      "undecided-payment",
    ]);
    expect(counter.engine.active().length).toBeLessThan(2);
  });
});

test("a cancel at any millisecond of a sale is told as it counts: accepted where it ends the sale, too late where that is approved", async () => {
  const told = new Set<string>();
  for (let cancelAt = 1; cancelAt < 130; cancelAt += 1) {
    const counter = openCounter();
    void counter.payments.start(till, startRequest("R-1"));
    await counter.clock.advance(cancelAt);
    const cancel = counter.payments.cancel(till, { reference: "R-1" });
    await counter.clock.advance(60_000);
    const [answer, after] = [await cancel, await counter.payments.get(till, { reference: "R-1" })];
    if (!answer.ok || !after.ok) throw new Error(`no answer to a cancel at ${cancelAt} ms`);
    const { cancellation } = answer.value;
    told.add(cancellation);
    expect(after.value.outcome, `${cancellation} at ${cancelAt} ms`).toBe(
      cancellation === "accepted" ? "CANCELLED" : "APPROVED",
    );
  }
  expect([...told]).toEqual(["accepted", "too-late", "already-final"]);
});
