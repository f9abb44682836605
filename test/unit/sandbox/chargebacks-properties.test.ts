import fc from "fast-check";
import { expect, test } from "vitest";
import type { Booking } from "../../../packages/sandbox/gateway/ledger/booking.ts";
import { isIncrement } from "../../../packages/sandbox/gateway/ledger/booking.ts";
import { movesMoney } from "../../../packages/sandbox/gateway/ledger/codes.ts";
import { netBookings } from "../../../packages/sandbox/gateway/ledger/net-bookings.ts";
import { type Bench, bench } from "./bench.ts";
import { play } from "./play.ts";

const KINDS = ["CP", "RV", "RF", "RB", "CB", "CR", "RC", "MORE", "LAST", "FINAL"] as const;

/** A kind of reference, which of the bookings so far it means, and how many hundredths of 12.34 it is of. */
const step = fc.record({
  kind: fc.constantFrom(...KINDS),
  of: fc.nat(30),
  part: fc.constantFrom(1, 10, 50, 99, 100, 101),
});

const amountOf = (part: number): string => ((1234 * part) / 10_000).toFixed(2);

async function story(
  begins: "PA" | "DB",
  steps: readonly { readonly kind: string; readonly of: number; readonly part: number }[],
  each: (on: Bench) => void,
) {
  const on = bench();
  await play(on, [begins]);
  for (const { kind, of, part } of steps) {
    const { id } = on.sandbox.ledger()[of % on.sandbox.ledger().length] ?? {};
    const amount = amountOf(part);
    if (kind === "MORE") await on.raise(id, amount);
    else if (kind === "LAST" || kind === "FINAL")
      await on.refer(id, kind === "LAST" ? "CP" : "RF", amount, { sequence: "FINAL" });
    else await on.refer(id, kind, kind === "RV" && part === 100 ? undefined : amount);
    each(on);
  }
  return on;
}

const sum = (ledger: readonly Booking[], which: (booking: Booking) => boolean): number =>
  ledger
    .filter((booking) => which(booking) && movesMoney(booking))
    .reduce((total, { amount = 0 }) => total + amount, 0);

test("whatever refers to whatever, no money is given back that was not taken, and none taken that was not there", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("PA", "DB"),
      fc.array(step, { minLength: 4, maxLength: 14 }),
      async (begins, steps) => {
        await story(begins, steps, (on) => {
          const ledger = on.sandbox.ledger();
          for (const { id, paymentType, held, captured, refunded, chargedBack } of netBookings(ledger)) {
            for (const figure of [held, captured, refunded, chargedBack, captured - refunded - chargedBack])
              expect(figure).toBeGreaterThanOrEqual(0);
            const own = sum(
              ledger,
              (booking) => booking.id === id || (isIncrement(booking) && booking.referencedId === id),
            );
            expect(paymentType === "PA" ? held + captured : captured).toBeLessThanOrEqual(own);
          }
          for (const booking of ledger.filter(movesMoney)) {
            const given = (paymentType: string) =>
              sum(ledger, (child) => child.referencedId === booking.id && child.paymentType === paymentType);
            for (const kind of ["RV", "RF", "CB", "CR"]) expect(given(kind)).toBeLessThanOrEqual(booking.amount ?? 0);
            if (booking.paymentType !== "PA") expect(given("RC")).toBeLessThanOrEqual(booking.amount ?? 0);
          }
        });
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

test("what is refused changes nothing, and what is allowed moves what it says", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("PA", "DB"),
      fc.array(step, { minLength: 4, maxLength: 10 }),
      async (begins, steps) => {
        const figures = (on: Bench) =>
          netBookings(on.sandbox.ledger()).map(({ held, captured, refunded, chargedBack }) => ({
            held,
            captured,
            refunded,
            chargedBack,
          }));
        let before = "";
        await story(begins, steps, (on) => {
          const last = on.sandbox.ledger().at(-1);
          const after = JSON.stringify(figures(on));
          if (last !== undefined && before !== "" && !movesMoney(last)) expect(after).toBe(before);
          if (last !== undefined && before !== "" && movesMoney(last) && last.paymentType !== "RC")
            expect(after).not.toBe(before);
          before = after;
        });
      },
    ),
    { numRuns: 40 },
  );
}, 60_000);
