import fc from "fast-check";
import { expect, test } from "vitest";
import { cardFields, type Fields, PLAIN_CARD, type ShopperBench, shopperBench } from "./asynchronous-bench.ts";
import { create, pathOf, payBy, read } from "./links-bench.ts";

const MINUTE_MS = 60_000;

/**
 * What the browsers that have a link open do to it, and the time, in any order; `answer` speaks to the bank of any try
 * before, also of one long over.
 */
type Step = { readonly pay: Fields } | { readonly answer: string; readonly at: number } | { readonly waitMs: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    pay: fc.constantFrom<Fields>(
      cardFields(PLAIN_CARD),
      cardFields("4000000000000002"),
      { paymentBrand: "PAYPAL" },
      { paymentBrand: "BOLETO" },
    ),
  }),
  fc.record({ answer: fc.constantFrom("yes", "no", "cancel", "leave", "later-yes", "later-no"), at: fc.nat(5) }),
  fc.record({ waitMs: fc.constantFrom(1, 29 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS, 3 * 24 * 60 * MINUTE_MS) }),
);

async function take(own: ShopperBench, made: Parameters<typeof payBy>[1], banks: string[], one: Step): Promise<void> {
  if ("waitMs" in one) await own.clock.advance(one.waitMs);
  else if ("pay" in one) {
    const { location = "" } = (await payBy(own, made, one.pay)).headers;
    if (location.startsWith("/shopper/bank/")) banks.push(location);
  } else {
    const { pathname, searchParams } = new URL(
      banks[one.at % Math.max(1, banks.length)] ?? pathOf(made),
      "http://127.0.0.1",
    );
    if (searchParams.size > 0) await own.submit(pathname, { ...Object.fromEntries(searchParams), answer: one.answer });
  }
}

test("a link is paid once at most, and never by a payment that began after its end, whatever its customers do", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
      const own = shopperBench();
      const made = await create(own, { validUntil: "1", validUntilUnit: "HOUR" });
      const end = own.clock.now() + 60 * MINUTE_MS;
      const banks: string[] = [];
      for (const one of steps) await take(own, made, banks, one);
      await own.clock.advance(10 * 24 * 60 * MINUTE_MS);
      const rows = own.sandbox.ledger();
      const paid = rows.filter(({ resultCode }) => resultCode === "000.100.110");
      expect(paid.length).toBeLessThanOrEqual(1);
      expect(
        rows.every(
          ({ receivedAt, amount, merchantTransactionId }) =>
            receivedAt < end && amount === 1234 && merchantTransactionId === "order-2026-0001",
        ),
      ).toBe(true);
      expect(await read(own, made.body.id)).toMatchObject({ status: paid.length === 1 ? "PAID" : "EXPIRED" });
    }),
    { numRuns: 100 },
  );
});
