import { expect, test } from "vitest";
import { bench } from "./bench.ts";
import { play } from "./play.ts";

/*
 * What may refer to what (gateway facts, 1.3), a story a line: steps of play.ts, each with the result code that it gets.
 * A step without one is approved.
 */

const OK = "000.100.110";

const FLOWS = `
a reservation is captured: PA, CP 12.34
a part is captured, then the rest: PA, CP 4.00, CP 8.34
never more than was reserved: PA, CP 12.35 = 700.400.100
never more than is left: PA, CP 4.00, CP 8.35 = 700.400.100
what is captured is not captured again: PA, CP 12.34, CP 12.34 = 700.300.300
a debit is not captured: DB, CP 12.34 = 700.400.510
a declined reservation is not captured: PA 9100.05 = 800.100.152, CP 1.00 = 700.400.510
a reversed reservation is not captured: PA, RV all, CP 12.34 = 700.400.100
after seven days a reservation is not captured: PA, +168, CP 12.34 = 700.300.400
a reservation is reversed: PA, RV all
once: PA, RV all, RV all = 700.300.300
in parts: PA, RV 4.00, RV 8.34, RV 0.01 = 700.300.300
never more than there is: PA, RV 12.35 = 700.400.300
not when it is captured: PA, CP 12.34, RV all = 700.300.300
but the capture is reversed, and then the reservation: PA, CP 12.34, RV all of 1, RV all
a debit is reversed: DB, RV all
until the cut-off: DB, +24, RV all = 700.300.700
not when it is refunded: DB, RF 1.00, RV all = 700.400.300
a credit is not reversed: CD, RV all = 700.400.530
a reversal is not reversed: PA, RV all, RV all of 1 = 700.400.530
a declined sale is not reversed: PA 9100.05 = 800.100.152, RV all = 700.400.530
a decline that keeps the amount reserved is reversed: PA 9100.92 = 800.100.192, RV all
a booking that the gateway could not take back is reversed: PA 9300.04 = 000.400.030, RV all
a debit is refunded: DB, RF 12.34
a capture is refunded in parts: PA, CP 12.34, RF 4.00 of 1, RF 8.34 of 1
never more than was taken: DB, RF 12.35 = 700.400.200
never more than is left: DB, RF 12.00, RF 0.35 = 700.400.200
a reservation is not refunded: PA, RF 12.34 = 700.400.520
a reversed debit is not refunded: DB, RV all, RF 12.34 = 700.400.200
what is pending is not referred to: PA 9300.06 = 000.200.000, CP 1.00 = 700.400.570
until it is settled: PA 9300.06 = 000.200.000, +1, CP 1.00
after the last capture there is none: PA, LAST 4.00, CP 1.00 = 700.400.100
unless that is reversed: PA, LAST 4.00, RV all of 1, CP 12.34
an increment raises what may be captured: PA, MORE 5.00, CP 17.34, CP 0.01 = 700.300.300
several do: PA, MORE 5.00, MORE 5.00, CP 22.35 = 700.400.100, CP 22.34
an increment is not captured by itself: PA, MORE 5.00, CP 5.00 of 1 = 700.400.510
an increment is not raised: PA, MORE 5.00, MORE 5.00 of 1 = 700.100.700
an increment is reversed: PA, MORE 5.00, RV all of 1, CP 12.35 = 700.400.100, CP 12.34
an increment is reversed in part: PA, MORE 5.00, RV 2.00 of 1, CP 15.35 = 700.400.100, CP 15.34
once: PA, MORE 5.00, RV all of 1, RV all of 1 = 700.300.300
not where what it added is captured: PA, MORE 5.00, CP 17.00, RV all of 1 = 700.300.300
but where it is not: PA, MORE 5.00, CP 12.34, RV all of 1
a raised reservation is not reversed while captured: PA, MORE 5.00, CP 1.00, RV all = 700.300.300
it is reversed before its increments: PA, MORE 5.00, RV all, RV all of 1
and after them: PA, MORE 5.00, RV all of 1, RV all
what is left of one reversed cannot be captured: PA, MORE 5.00, RV all, CP 5.00 = 700.400.100
a debit is not raised: DB, MORE 5.00 = 700.100.700
a declined reservation is not raised: PA 9100.05 = 800.100.152, MORE 5.00 = 700.300.200
a reversed one neither: PA, RV all, MORE 5.00 = 700.300.300
nor one captured to the end: PA, CP 12.34, MORE 5.00 = 700.300.300
nor one whose last capture was made: PA, LAST 4.00, MORE 5.00 = 700.300.300
nor one that has lapsed: PA, +168, MORE 5.00 = 700.500.002
nor one that is pending: PA 9300.06 = 000.200.000, MORE 5.00 = 700.400.570
a declined increment raises nothing: PA, MORE 9100.51 = 800.100.155, CP 12.35 = 700.400.100
a pending one only once it is settled: PA, MORE 9300.06 = 000.200.000, CP 12.35 = 700.400.100, +1, CP 12.35
a chargeback is of a whole debit or of a part: DB, CB 5.00 = 000.100.200, RF 1.00 = 700.300.600
a chargeback never of more than it was: DB, CB 12.35 = 700.100.300
a chargeback never of more than is left: DB, RF 4.00, CB 8.35 = 700.100.200, CB 8.34 = 000.100.200
a chargeback comes once: DB, CB 5.00 = 000.100.200, CB 5.00 = 700.400.400
a chargeback also where it was given back: DB, CB 5.00 = 000.100.200, CR 5.00 of 1, CB 5.00 = 700.300.500
a chargeback comes long after the cut-off: DB, +2160, CB 12.34 = 000.100.200
a chargeback is of a capture, no reservation: PA, CP 12.34, CB 12.34 = 700.400.550, CB 12.34 of 1 = 000.100.200
nothing is left to reverse: PA, CP 12.34, CB 12.34 of 1 = 000.100.200, RV all = 700.300.300, RV all of 1 = 700.300.600
its reversal gives all of it again: DB, CB 12.34 = 000.100.200, CR 12.34 of 1
its reversal in parts, never more: DB, CB 9.00 = 000.100.200, CR 4.00 of 1, CR 5.01 of 1 = 700.100.200, CR 5.00 of 1
its reversal never more than it was: DB, CB 9.00 = 000.100.200, CR 9.01 of 1 = 700.100.300
its reversal once: DB, CB 9.00 = 000.100.200, CR 9.00 of 1, CR 0.01 of 1 = 700.400.410
its reversal needs one: DB, CR 1.00 = 700.400.420
its reversal and one that was carried out: DB, CB 12.35 = 700.100.300, CR 1.00 of 1 = 700.400.420
its reversal lets refunds be made again: DB, CB 9.00 = 000.100.200, CR 9.00 of 1, RF 12.34
its reversal only where it is whole: DB, CB 9.00 = 000.100.200, CR 8.99 of 1, RF 1.00 = 700.300.600
a rebill is refunded, though the debit was: DB, RF 12.34, RB 5.00, RF 5.00 of 2
a receipt is of no reversed reservation: PA, RV all, RC 1.00 = 700.300.300
nor after its last capture: PA, LAST 4.00, RC 1.00 = 700.300.300
a receipt is never of more than is left: DB, RC 12.35 = 700.100.300, RC 10.00, RC 2.35 = 700.100.200
nor of a reservation: PA, RC 12.35 = 700.100.300, CP 10.00, RC 2.35 = 700.100.200, RC 2.34
the last refund is the last: DB, FINAL 4.00, RF 1.00 = 700.400.200
also for a receipt of what it was of: DB, RC 12.34, FINAL 4.00, RF 1.00 of 1 = 700.400.200
`;

const ROWS = FLOWS.trim()
  .split("\n")
  .map((line) => {
    const [story = "", ...flow] = line.split(": ");
    const taken = flow
      .join(": ")
      .split(", ")
      .map((step) => step.split(" = "));
    const codes = taken.filter(([step = ""]) => !step.startsWith("+")).map(([, code = OK]) => code);
    return { story, steps: taken.map(([step = ""]) => step), codes };
  });

test.each(ROWS)("$story: $steps", async ({ steps, codes }) => {
  expect(await play(bench(), steps)).toEqual(codes);
});
