import { describe, expect, test } from "vitest";
import { judgesOf } from "../kinds.ts";
import { UNKNOWN_WINDOW_MS } from "./books.ts";
import type { Asked, Post, Row, Told, Word } from "./evidence.ts";
import { createWitness, type Witness } from "./witness.ts";

const asked: Asked = {
  ...{ reference: "world-0001", register: "till-0", terminal: "till-0", does: "SALE", amount: 1_234 },
  ...{ allowPartialApproval: false, order: "order 1", queue: false },
};
const open: Told = {
  ...{
    id: "pay_1",
    state: "AUTHORIZING",
    decision: undefined,
    outcome: undefined,
    reason: undefined,
    approvedAmount: undefined,
    capture: undefined,
  },
  ...{ lateBooking: false, entryMode: "ICC", cryptogram: undefined, attempts: ["m1", "m2", "m3"] },
};
const approved: Told = {
  ...open,
  state: "FINAL",
  decision: "approved",
  outcome: "APPROVED",
  approvedAmount: 1_234,
  capture: "captured",
  cryptogram: "11",
};
const declined: Told = {
  ...open,
  state: "FINAL",
  decision: "not-approved",
  outcome: "DECLINED",
  reason: "host-declined",
};
const reversing: Told = { ...declined, state: "REVERSING", outcome: undefined };

const pa: Row = {
  id: "b1",
  type: "PA",
  amount: 1_234,
  code: "000.100.110",
  of: undefined,
  request: "m1",
  at: 10,
  visibleAt: 10,
};
const cp: Row = { ...pa, id: "b2", type: "CP", of: "b1", request: "m2" };
const rv: Row = { ...pa, id: "b3", type: "RV", of: "b1", request: "m3" };
const tc: Word = { terminal: "till-0", type: "TC", amount: 1_234, cryptogram: "11" };
const post = (type: string, more: Partial<Post> = {}): Post => ({
  type,
  request: "m1",
  of: type === "PA" ? undefined : "b1",
  sentAt: 5,
  answer: undefined,
  ...more,
});

/** What a witness says of a story, at its end and after each of its steps. */
function judged(story: (witness: Witness, at: (now: number) => void) => void): readonly string[] {
  let now = 0;
  const witness = createWitness({ now: () => now, judgesOf, found: () => undefined });
  witness.asked(asked);
  witness.follows(true);
  story(witness, (time) => {
    witness.step();
    now = time;
  });
  witness.step();
  witness.end();
  return [...new Set(witness.violations().map(({ rule }) => rule))];
}

const book = (witness: Witness, ...rows: readonly Row[]): void => {
  for (const row of rows) witness.booked(asked.reference, row);
};
const tell = (witness: Witness, ...told: readonly Told[]): void => {
  for (const one of told) witness.told(asked.reference, one);
};

describe("the witness finds nothing wrong with", () => {
  test("a captured sale with a card's TC", () => {
    expect(
      judged((witness) => {
        witness.posted(asked.reference, post("PA"));
        book(witness, pa, cp);
        witness.said({ ...tc, type: "ARQC", cryptogram: "00" });
        witness.said(tc);
        tell(witness, open, approved);
      }),
    ).toEqual([]);
  });

  test("a decline without a booking, and one that was reversed before it was FINAL", () => {
    expect(judged((witness) => tell(witness, open, declined))).toEqual([]);
    expect(
      judged((witness, at) => {
        book(witness, pa);
        tell(witness, open, reversing);
        at(20);
        book(witness, rv);
        tell(witness, declined);
      }),
    ).toEqual([]);
  });

  test("a booking that nobody could see for the whole window, told as late and reversed", () => {
    expect(
      judged((witness, at) => {
        witness.posted(asked.reference, post("PA", { answer: { is: "lost" } }));
        book(witness, { ...pa, visibleAt: 2 * UNKNOWN_WINDOW_MS });
        at(UNKNOWN_WINDOW_MS + 60_000);
        tell(witness, open, { ...declined, outcome: "FAILED", reason: "gateway-unreached" });
        at(3 * UNKNOWN_WINDOW_MS);
        book(witness, { ...rv, at: 3 * UNKNOWN_WINDOW_MS });
        tell(witness, { ...declined, outcome: "FAILED", reason: "gateway-unreached", lateBooking: true });
      }),
    ).toEqual([]);
  });

  test("a refund of the rest, after one of which the gateway did a part", () => {
    const rest = (witness: Witness): void => {
      refundAfterRefund(witness, 600);
      book(witness, { ...rv, id: "b4", type: "RF", amount: 634, request: "m2" });
      tell(witness, { ...declined, reason: "partial-refused" });
    };
    expect(judged(rest)).toEqual([]);
  });

  test("a second reservation after a wrong PIN", () => {
    expect(
      judged((witness) => {
        witness.posted(asked.reference, post("PA", { answer: { is: "code", code: "800.100.166", acquirer: "55" } }));
        witness.posted(asked.reference, post("PA", { request: "m2" }));
        tell(witness, open, declined);
      }),
    ).toEqual([]);
  });
});

/** Planted lies: a forged ledger, a forged card, a forged word to the register. */
const LIES: readonly (readonly [what: string, rule: string, story: Parameters<typeof judged>[0]])[] = [
  [
    "two net bookings",
    "one-booking",
    (witness) => {
      book(witness, pa, { ...pa, id: "b9", request: "m3" });
      tell(witness, open);
    },
  ],
  ["a booking above the amount", "never-above-amount", (witness) => book(witness, { ...pa, amount: 1_235 })],
  ["two captures", "never-above-amount", (witness) => book(witness, pa, cp, { ...cp, id: "b9", request: "m3" })],
  ["more given back than was taken", "never-above-amount", (witness) => book(witness, pa, rv, { ...rv, id: "b9" })],
  [
    "an approval without a booking",
    "approved-is-booked",
    (witness) => {
      witness.said(tc);
      tell(witness, approved);
    },
  ],
  [
    "an approval that was reversed",
    "approved-is-booked",
    (witness) => {
      book(witness, pa, rv);
      witness.said(tc);
      tell(witness, approved);
    },
  ],
  [
    "an approval on a half failed booking",
    "approved-is-booked",
    (witness) => {
      book(witness, { ...pa, code: "000.400.030" }, cp);
      witness.said(tc);
      tell(witness, approved);
    },
  ],
  [
    "half of the amount told as all of it",
    "approved-is-booked",
    (witness) => {
      book(witness, { ...pa, amount: 617 });
      witness.said(tc);
      tell(witness, approved);
    },
  ],
  ["a partial approval that was not allowed", "approved-is-booked", partial],
  [
    "an approval with a card's AAC",
    "approved-by-the-card",
    (witness) => {
      book(witness, pa, cp);
      witness.said({ ...tc, type: "AAC" });
      tell(witness, approved);
    },
  ],
  [
    "an approval with a silent card",
    "approved-by-the-card",
    (witness) => {
      book(witness, pa, cp);
      tell(witness, approved);
    },
  ],
  [
    "an approval with another cryptogram",
    "approved-by-the-card",
    (witness) => {
      book(witness, pa, cp);
      witness.said({ ...tc, cryptogram: "22" });
      tell(witness, approved);
    },
  ],
  [
    "a capture that was told and not made",
    "captured-is-captured",
    (witness) => {
      book(witness, pa);
      witness.said(tc);
      tell(witness, approved);
    },
  ],
  [
    "a capture after a decline",
    "captured-is-captured",
    (witness) => {
      tell(witness, reversing);
      book(witness, pa, cp);
    },
  ],
  [
    "a decline with money held",
    "not-approved-is-clear",
    (witness) => {
      book(witness, pa);
      tell(witness, declined);
    },
  ],
  ["a hidden booking called absent at once", "not-approved-is-clear", absentAtOnce],
  ["FINAL without an outcome", "final-is-whole", (witness) => tell(witness, { ...declined, outcome: undefined })],
  [
    "a decision that changed",
    "decision-stands",
    (witness) => tell(witness, reversing, { ...open, decision: "approved" }),
  ],
  [
    "another reason after FINAL",
    "final-stands",
    (witness) => tell(witness, declined, { ...declined, reason: "wrong-pin" }),
  ],
  [
    "an event after FINAL that is not",
    "final-stands",
    (witness) => {
      witness.told(asked.reference, declined, 5);
      witness.told(asked.reference, open, 6);
    },
  ],
  ["events out of order", "events-in-order", eventsTurned],
  [
    "two payments for a reference",
    "one-payment-for-a-reference",
    (witness) => tell(witness, open, { ...open, id: "pay_2" }),
  ],
  [
    "a second creation",
    "one-payment-for-a-reference",
    (witness) => {
      witness.started(asked.reference, open, true, 0);
      witness.started(asked.reference, open, true, 0);
    },
  ],
  [
    "an accepted payment that is gone",
    "accepted-stays",
    (witness) => {
      tell(witness, open);
      witness.refused(asked.reference, "not-found");
    },
  ],
  ["a second start on the same terminal", "one-at-a-time", secondOnTerminal],
  [
    "PA posted twice",
    "never-twice",
    (witness) => {
      witness.posted(asked.reference, post("PA", { answer: { is: "lost" } }));
      witness.posted(asked.reference, post("PA", { request: "m2" }));
    },
  ],
  [
    "CP posted again at once",
    "never-twice",
    (witness) => {
      witness.posted(asked.reference, post("CP", { answer: { is: "lost" } }));
      witness.posted(asked.reference, post("CP", { request: "m2", sentAt: 6_000 }));
    },
  ],
  ["RF after an RV that went through", "never-twice", refundAfterReversal],
  [
    "RF after another one that gave everything back, whatever it said",
    "never-twice",
    (witness) => refundAfterRefund(witness, 1_234),
  ],
  ["a booking nobody asked for", "posts-are-asked-for", (witness) => witness.booked(undefined, pa)],
  [
    "a booking the payment does not know",
    "ledger-is-explained",
    (witness) => {
      book(witness, { ...pa, request: "m9", code: "800.100.152" });
      tell(witness, declined);
    },
  ],
  ["a payment that never ends", "everything-ends", (witness) => tell(witness, open)],
  [
    "a capture that is never made",
    "approved-is-captured",
    (witness) => {
      book(witness, pa);
      witness.said(tc);
      tell(witness, { ...approved, capture: "pending" });
    },
  ],
  ["a late booking nobody was told of", "late-booking-is-told", lateAndSilent],
];

function partial(witness: Witness): void {
  book(witness, { ...pa, amount: 617 });
  witness.said(tc);
  tell(witness, { ...approved, outcome: "PARTIALLY_APPROVED", approvedAmount: 617, capture: "pending" });
}

function absentAtOnce(witness: Witness): void {
  witness.posted(asked.reference, post("PA", { answer: { is: "lost" } }));
  book(witness, { ...pa, visibleAt: 2 * UNKNOWN_WINDOW_MS });
  tell(witness, declined);
}

function eventsTurned(witness: Witness): void {
  witness.told(asked.reference, open, 7);
  witness.told(asked.reference, reversing, 6);
}

function secondOnTerminal(witness: Witness, at: (now: number) => void): void {
  witness.started(asked.reference, open, true, 0);
  at(5);
  witness.asked({ ...asked, reference: "world-0002", amount: 99, order: "order 2" });
  witness.started("world-0002", { ...open, id: "pay_2" }, true, 5);
}

function refundAfterReversal(witness: Witness): void {
  witness.posted(asked.reference, post("RV", { request: "m3", answer: { is: "lost" } }));
  book(witness, { ...pa, type: "DB" }, rv);
  witness.posted(asked.reference, post("RF", { request: "m2", sentAt: 60_000 }));
}

function refundAfterRefund(witness: Witness, first: number): void {
  const part: Row = { ...rv, type: "RF", amount: first, code: "000.400.040" };
  book(witness, { ...pa, type: "DB" });
  witness.posted(
    asked.reference,
    post("RF", { request: "m3", answer: { is: "code", code: "000.400.040", acquirer: undefined } }),
  );
  book(witness, part);
  witness.posted(asked.reference, post("RF", { request: "m2", sentAt: 60_000 }));
}

function lateAndSilent(witness: Witness, at: (now: number) => void): void {
  witness.posted(asked.reference, post("PA", { answer: { is: "lost" } }));
  at(UNKNOWN_WINDOW_MS + 60_000);
  tell(witness, { ...declined, outcome: "FAILED" });
  at(2 * UNKNOWN_WINDOW_MS);
  book(
    witness,
    { ...pa, at: 2 * UNKNOWN_WINDOW_MS - 10, visibleAt: 2 * UNKNOWN_WINDOW_MS },
    { ...rv, at: 2 * UNKNOWN_WINDOW_MS },
  );
}

describe("the witness catches", () => {
  test.each(LIES)("%s", (_, rule, story) => {
    expect(judged(story)).toContain(rule);
  });
});
