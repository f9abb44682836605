import { expect, it } from "vitest";
import { printReport } from "../../../src/commands/lost-bookings.ts";
import type { LostBooking } from "../../../src/engine/ports.ts";
import { recordedOutput } from "./recorded-output.ts";

const booking = (changes: Partial<LostBooking> = {}): LostBooking => ({
  ...{
    id: "8ac7a4a1",
    entityId: "e1",
    paymentType: "PA",
    amount: "12.34",
    currency: "EUR",
    resultCode: "000.100.110",
    is: "booked",
    isOwn: true,
  },
  at: "2026-02-03T08:00:00.000Z",
  ...changes,
});

it("tells a technician what the gateway has booked since the backup: his own bridge's first, each with whose it is, and nothing that a terminal obeys", () => {
  const output = recordedOutput();
  const bookings = [
    booking({ id: "other", isOwn: false, at: undefined, amount: undefined }),
    booking(),
    booking({
      id: "refund",
      paymentType: "RF",
      is: "undecided",
      resultCode: "900.100.300",
      of: { register: "till\u001b[2J", reference: "R-17" },
    }),
  ];
  const undecided = [{ register: "till-1", reference: "R-18", type: "SALE", amount: "5.00 EUR" }];
  const untold = [{ entityId: "e-old", description: "800.900.300 invalid authentication information\u0007" }];
  printReport({ madeAt: "2026-02-03T07:00:00.000Z", bookings, untold, undecided }, output);
  expect(output.stdout).toEqual([
    "Since the backup of 2026-02-03T07:00:00.000Z the gateway has 2 requests of this bridge that the journal does not hold, and 1 of others.",
    "TIME                      TYPE  AMOUNT  CURRENCY  RESULT                   GATEWAY ID  WHOSE",
    "2026-02-03T08:00:00.000Z  PA     12.34  EUR       booked                   8ac7a4a1    this bridge",
    '2026-02-03T08:00:00.000Z  RF     12.34  EUR       undecided (900.100.300)  refund      "R-17" of till?[2J',
    "                          PA            EUR       booked                   other       not known",
    "the gateway does not tell about e-old, which the configuration no longer names (800.900.300 invalid authentication information?): look in its back office",
    'not decided when the backup was made: "R-18" of register "till-1" (SALE 5.00 EUR); say what became of it: posbridge resolve',
    "What registers sold under references of that time is known to them alone; so is what a terminal approved offline.",
  ]);
});

it("shows so many that a screen takes, and says how many more there are", () => {
  const output = recordedOutput();
  printReport(
    {
      madeAt: "2026-02-03T07:00:00.000Z",
      bookings: Array.from({ length: 203 }, (_, n) => booking({ id: `b${n}` })),
      untold: [],
      undecided: [],
    },
    output,
  );
  expect(output.stdout).toHaveLength(204);
  expect(output.stdout.at(-2)).toBe("and 3 more; --json has all of them");
});
