import { expect, test } from "vitest";
import { netBookings } from "../../../packages/sandbox/gateway/ledger/net-bookings.ts";
import { bench } from "./bench.ts";
import { play } from "./play.ts";

/*
 * What may refer to what (gateway facts, 1.3), a story a line: steps of play.ts, each with the result code that it gets.
 * A step without one is approved. After "->" stands what the net bookings come to.
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
a rebill takes money again from a debit's account, as often as it is sent: DB, RB 99.00, RB 1.00 -> captured 12.34; captured 99.00; captured 1.00
it is reversed, refunded and charged back by itself: DB, RB 9.00, RF 2.00 of 1, CB 3.00 of 1 = 000.100.200, RB 5.00, RV all of 4 -> captured 12.34; captured 9.00, refunded 2.00, chargedBack 3.00; nothing
it meets the magic of its own amount: DB, RB 9100.51 = 800.100.155, RB 9300.03 = 900.100.301, RF 1.00 of 2 = 700.400.520
a receipt of a reservation leaves less to capture, and is refunded: PA, RC 5.00, CP 7.35 = 700.400.100, CP 7.34, RF 5.01 of 1 = 700.400.200, RF 5.00 of 1, RV all = 700.300.300 -> captured 12.34, refunded 5.00
a receipt of a payment moves nothing: DB, RC 12.34, RC 0.01 = 700.300.300, RF 10.00, RF 3.00 of 1 = 700.400.200, RF 2.34 of 1, RF 0.01 = 700.400.200 -> captured 12.34, refunded 12.34
a reservation is held: PA -> held 12.34
a part of it is captured: PA, CP 4.00 -> held 8.34, captured 4.00
it is captured once: PA, CP 12.34, CP 12.34 = 700.300.300 -> captured 12.34
its capture is refunded: PA, CP 12.34, RF 5.00 of 1 -> captured 12.34, refunded 5.00
reversed: PA, CP 12.34, RV all of 1 -> held 12.34
charged back: PA, CP 12.34, CB 9.00 of 1 = 000.100.200 -> captured 12.34, chargedBack 9.00
it is reversed in part: PA, RV 4.00 -> held 8.34
and once: PA, RV all, RV all = 700.300.300 -> nothing
a debit is captured: DB -> captured 12.34
reversed: DB, RV all -> nothing
refunded: DB, RF 12.34 -> captured 12.34, refunded 12.34
charged back: DB, CB 9.00 = 000.100.200 -> captured 12.34, chargedBack 9.00
and represented: DB, CB 9.00 = 000.100.200, CR 4.00 of 1 -> captured 12.34, chargedBack 5.00
a credit is given: CD -> credited 12.34
a decline may keep the amount: PA 9100.92 = 800.100.192 -> reservedDespiteDecline 9100.92
until it is reversed: PA 9100.92 = 800.100.192, RV all -> nothing
an outcome that the gateway does not know was booked: PA 9300.01 = 900.100.300 -> held 9300.01
what it could not take back is held: PA 9300.04 = 000.400.030 -> held 9300.04
half of it is approved: PA 9200.10 -> held 4600.05
the last capture leaves nothing: PA, LAST 4.00 -> captured 4.00
unless it is reversed: PA, LAST 4.00, RV all of 1 -> held 12.34
an increment adds to it: PA, MORE 5.00 -> held 17.34
is captured with it: PA, MORE 5.00, CP 15.00 -> held 2.34, captured 15.00
reversed: PA, MORE 5.00, RV all of 1 -> held 12.34
with it: PA, MORE 5.00, RV all, RV all of 1 -> nothing
adds nothing if it is declined: PA, MORE 9100.05 = 800.100.152 -> held 12.34
half if half is approved: PA, MORE 9200.10 -> held 4612.39
nothing if the gateway took it back: PA, MORE 9300.03 = 900.100.301 -> held 12.34
a decline books nothing: PA 9100.05 = 800.100.152 -> no booking
nor an outcome that the gateway does not know, where it was none: PA 9300.02 = 900.100.300 -> no booking
nor what the gateway took back at once: PA 9300.03 = 900.100.301 -> no booking
nor what it refused: PA 9300.05 = 900.100.310 -> no booking
what ends in a decline: PA 9300.07 = 000.200.000 -> no booking
what is not set up: PA 9300.08 = 600.200.202 -> no booking
`;

const NOTHING = { held: 0, captured: 0, credited: 0, refunded: 0, chargedBack: 0, reservedDespiteDecline: 0 };

/** "held 8.34, captured 4.00; captured 1.00": of each booking what is left. */
function netOf(text: string): readonly object[] {
  if (text === "no booking") return [];
  return text.split("; ").map((root) => {
    const parts = root.split(", ").map((part) => part.split(" "));
    return {
      ...NOTHING,
      ...Object.fromEntries(parts.map(([what, amount = "0"]) => [what, Math.round(Number(amount) * 100)])),
    };
  });
}

const ROWS = FLOWS.trim()
  .split("\n")
  .map((line) => {
    const [told = "", net] = line.split(" -> ");
    const [story = "", flow = ""] = told.split(": ");
    const taken = flow.split(", ").map((step) => step.split(" = "));
    const codes = taken.filter(([step = ""]) => !step.startsWith("+")).map(([, code = OK]) => code);
    return { story, steps: taken.map(([step = ""]) => step), codes, net };
  });

test.each(ROWS)("$story: $steps", async ({ steps, codes, net }) => {
  const on = bench();
  expect(await play(on, steps)).toEqual(codes);
  if (net !== undefined)
    expect(netBookings(on.sandbox.ledger())).toMatchObject(netOf(net.replaceAll("nothing", "held 0")));
});

/** What each kind says of an original that it cannot refer to. */
const NO = {
  ...{ CP: "700.400.510", RV: "700.400.530", RF: "700.400.520", RB: "700.100.700" },
  ...{ CB: "700.400.550", CR: "700.400.420", RC: "700.400.560" },
};
/** How each original comes to be, and what 1.00 of it by CP, RV, RF, RB, CB, CR and RC is answered. */
const ON_THE_LAST = `
a reservation: PA: ok ok no no no no ok
an increment: PA, MORE 5.00: no ok no no no no no
a debit: DB: no ok ok ok ok no ok
a credit: CD: no no no no no no no
a capture: PA, CP 12.34: no ok ok no ok no ok
a reversal: DB, RV 1.00: no no no no no no no
a refund: DB, RF 1.00: no no no no no no no
a rebill: DB, RB 12.34: no ok ok no ok no ok
a receipt: PA, RC 12.34: no no ok no no no no
a chargeback: DB, CB 12.34: no no no no no ok no
a represented chargeback: DB, CB 12.34, CR 12.34 of 1: no no no no no 700.400.410 no
a stored card: KEEP: no no no ok no no no
`;
const ON_THE_FIRST = `
a declined debit: DB 9100.05: no no no 700.300.200 no no no
a pending debit: DB 9300.06: ${"700.400.570 ".repeat(7).trim()}
a reversed debit: DB, RV all: no 700.300.300 700.400.200 ok 700.400.400 no 700.300.300
a refunded debit: DB, RF 12.34: no 700.400.300 700.400.200 ok 700.400.400 no ok
a debit charged back: DB, CB 12.34: no 700.300.600 700.300.600 ok 700.400.400 no ok
a debit represented: DB, CB 12.34, CR 12.34 of 1: no ok ok ok 700.300.500 no ok
a debit received: DB, RC 12.34: no 700.300.300 ok ok ok no 700.300.300
a debit that is a day old: DB, +24: no 700.300.700 ok ok ok no ok
`;
const rowsOf = (table: string) =>
  table
    .trim()
    .split("\n")
    .map((line) => line.split(": "));

test.each([
  ...rowsOf(ON_THE_LAST).map(([what, flow = "", answers]) => ({
    what,
    flow,
    answers,
    of: flow.split(", ").length - 1,
  })),
  ...rowsOf(ON_THE_FIRST).map(([what, flow = "", answers]) => ({ what, flow, answers, of: 0 })),
])("each kind on $what: $answers", async ({ flow, answers = "", of }) => {
  const said = answers.split(" ");
  for (const [at, [kind, no]] of Object.entries(NO).entries()) {
    const code = (await play(bench(), [...flow.split(", "), `${kind} 1.00 of ${of}`])).at(-1);
    const ok = kind === "CB" ? "000.100.200" : OK;
    expect([kind, code]).toEqual([kind, { ok, no }[said[at] ?? ""] ?? said[at]]);
  }
});
