import { describe, expect, test } from "vitest";
import { judgesOf } from "../kinds.ts";
import type { Kind } from "../script.ts";
import type { Row, Told } from "./evidence.ts";
import { createWitness, type Witness } from "./witness.ts";

const [FIRST, NEXT, LAST] = ["world-0001", "world-0002", "world-0003"] as const;

const asks = (reference: string, does: Kind, amount: number) => ({
  ...{
    reference,
    register: "till-0",
    terminal: "till-0",
    does,
    amount,
    allowPartialApproval: false,
    order: undefined,
    queue: false,
  },
  ...(reference !== FIRST && { of: FIRST }),
});
const told = (id: string, approvedAmount: number, more: Partial<Told> = {}): Told => ({
  ...{
    id,
    state: "FINAL",
    decision: "approved",
    outcome: "APPROVED",
    reason: undefined,
    approvedAmount,
    capture: undefined,
    lateBooking: false,
  },
  ...{ entryMode: undefined, cryptogram: undefined, attempts: ["m1", "m2", "m3"], ...more },
});
const row = (type: string, amount: number, of?: string): Row => ({
  id: type,
  type,
  amount,
  code: "000.100.110",
  of,
  request: "m1",
  at: 10,
  visibleAt: 10,
});

/** A payment of 10.00 that is approved, and what it booked. */
const stands = (witness: Witness, does: Kind, more: Partial<Told>, ...rows: readonly Row[]): void => {
  witness.asked(asks(FIRST, does, 1_000));
  for (const one of rows) witness.booked(FIRST, one);
  witness.told(FIRST, told("pay_1", 1_000, more));
};
const reserved = (witness: Witness): void => stands(witness, "PREAUTHORIZATION", {}, row("PA", 1_000));
const sale = (witness: Witness): void =>
  stands(witness, "SALE", { capture: "captured" }, row("PA", 1_000), row("CP", 1_000, "PA"));

const follows = (witness: Witness, does: Kind, type: string, amount: number, of: string, isLast = false): void => {
  witness.asked(asks(NEXT, does, amount));
  witness.posted(NEXT, {
    type,
    request: "m1",
    of,
    sentAt: 5,
    isLast,
    answer: { is: "code", code: "000.100.110", acquirer: undefined },
  });
  witness.booked(NEXT, { ...row(type, amount, of), id: `${type} 2` });
  witness.told(NEXT, told("pay_2", amount));
};
const refuses = (witness: Witness, does: Kind, amount: number, code = "not-allowed"): void => {
  witness.asked(asks(LAST, does, amount));
  witness.refused(LAST, code);
};

type Story = (witness: Witness) => unknown;

function rulesBroken(story: Story, oneCapture = false): readonly string[] {
  const witness = createWitness({ now: () => 100, judgesOf, found: () => undefined, oneCapture });
  story(witness);
  return witness.violations().map(({ rule }) => rule);
}

const WRONGLY_REFUSED: readonly (readonly [what: string, story: Story])[] = [
  [
    "a capture of what is left",
    (witness) => [reserved(witness), follows(witness, "CAPTURE", "CP", 400, "PA"), refuses(witness, "CAPTURE", 600)],
  ],
  [
    "a refund of the rest",
    (witness) => [
      sale(witness),
      follows(witness, "LINKED_REFUND", "RF", 400, "CP"),
      refuses(witness, "LINKED_REFUND", 600),
    ],
  ],
  ["an amount that fits", (witness) => [sale(witness), refuses(witness, "LINKED_REFUND", 1_000, "invalid-amount")]],
  ["more on a reservation", (witness) => [reserved(witness), refuses(witness, "INCREMENT", 200)]],
  ["a void of a sale", (witness) => [sale(witness), refuses(witness, "VOID", 1_000)]],
  ["a void of a reservation", (witness) => [reserved(witness), refuses(witness, "VOID", 1_000)]],
  [
    "a refund of a sale of which the register allowed a part",
    (witness) => [part(witness), refuses(witness, "LINKED_REFUND", 500)],
  ],
];
const part = (witness: Witness): void => {
  const amounts = { outcome: "PARTIALLY_APPROVED", approvedAmount: 500, capture: "captured" };
  stands(witness, "SALE", amounts, row("PA", 500), row("CP", 500, "PA"));
};

const RIGHTLY_REFUSED: readonly (readonly [what: string, story: Story])[] = [
  [
    "more than is left",
    (witness) => [reserved(witness), follows(witness, "CAPTURE", "CP", 400, "PA"), refuses(witness, "CAPTURE", 601)],
  ],
  [
    "more than was taken",
    (witness) => [
      sale(witness),
      follows(witness, "LINKED_REFUND", "RF", 400, "CP"),
      refuses(witness, "LINKED_REFUND", 601),
    ],
  ],
  [
    "what follows the last capture",
    (witness) => [
      reserved(witness),
      follows(witness, "CAPTURE", "CP", 400, "PA", true),
      refuses(witness, "INCREMENT", 1),
    ],
  ],
  [
    "a void of what is refunded",
    (witness) => [sale(witness), follows(witness, "LINKED_REFUND", "RF", 400, "CP"), refuses(witness, "VOID", 1_000)],
  ],
  [
    "a void of what is captured",
    (witness) => [reserved(witness), follows(witness, "CAPTURE", "CP", 400, "PA"), refuses(witness, "VOID", 1_000)],
  ],
  [
    "a void of what is voided",
    (witness) => [sale(witness), follows(witness, "VOID", "RV", 1_000, "CP"), refuses(witness, "VOID", 1_000)],
  ],
  [
    "what follows a void",
    (witness) => [sale(witness), follows(witness, "VOID", "RV", 1_000, "CP"), refuses(witness, "LINKED_REFUND", 1)],
  ],
  ["what has to wait", (witness) => [sale(witness), refuses(witness, "LINKED_REFUND", 1, "undecided-payment")]],
  [
    "what follows a decline",
    (witness) => [
      stands(witness, "SALE", { decision: "not-approved", outcome: "DECLINED" }),
      refuses(witness, "VOID", 1),
    ],
  ],
  [
    "what follows a booking made by hand",
    (witness) => [sale(witness), byHand(witness), refuses(witness, "LINKED_REFUND", 1)],
  ],
];
const byHand = (witness: Witness): void => witness.booked(FIRST, { ...row("RF", 100, "CP"), request: undefined });

const LAST_CAPTURES: readonly (readonly [
  what: string,
  amount: number,
  isLast: boolean,
  oneCapture: boolean,
  isWrong: boolean,
])[] = [
  ["all of it, and no word", 1_000, false, false, true],
  ["all of it, and the word", 1_000, true, false, false],
  ["a part of it, and the word", 400, true, false, true],
  ["a part of it, and no word", 400, false, false, false],
  ["a part of it where there may be one capture, and no word", 400, false, true, true],
];

describe("what may follow a payment", () => {
  test.each(WRONGLY_REFUSED)("is let in: %s", (_, story) => {
    expect(rulesBroken(story)).toEqual(["follow-up-is-let-in"]);
  });

  test.each(RIGHTLY_REFUSED)("is refused without a word of the witness: %s", (_, story) => {
    expect(rulesBroken(story)).not.toContain("follow-up-is-let-in");
  });

  test.each(LAST_CAPTURES)(
    "and whether a capture is the last one is said: %s",
    (_, amount, isLast, oneCapture, isWrong) => {
      const captures: Story = (witness) => [reserved(witness), follows(witness, "CAPTURE", "CP", amount, "PA", isLast)];
      expect(rulesBroken(captures, oneCapture)).toEqual(isWrong ? ["last-capture-is-said"] : []);
    },
  );
});
