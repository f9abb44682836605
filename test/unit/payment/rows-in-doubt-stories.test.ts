import { describe, expect, test } from "vitest";
import type { Answer, Found, SearchResult } from "../../../src/payment/fact/answer.ts";
import { owed } from "../../../src/payment/machine/owed.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { AS_SHOWN, isTakenBack } from "../../../src/payment/recovery/evidence.ts";
import { approval, authorizing, followUp, Story, sale, silence, storedCardSale } from "../../support/sale.ts";
import { posted } from "../../support/shown.ts";

/*
 * What a query shows and leaves in doubt is neither there nor not there: a booking that may be going, and one that may
 * be the one which was asked for.
 */

const WINDOW = sale.rules.unknownWindowMs;
const MINUTE = 60_000;
const said = { resultCode: "000.200.000", description: "" };
const undecided: readonly Answer[] = [
  { is: "pending", id: "rv-1", ...said },
  { is: "unknown", id: "rv-1", description: "" },
  { is: "half-reversed", id: "rv-1", ...said },
];

const shows = (story: Story, bookings: readonly Found[], afterMs = MINUTE): Story =>
  story.meets({ on: "searched", merchantTransactionId: story.newest(), result: { is: "found", bookings } }, afterMs);
const state = (story: Story) => {
  const { state, outcome, reason, capture } = viewOf(story.payment);
  return [state, outcome ?? reason?.code, capture];
};

describe("a booking beside a reversal that is not decided", () => {
  const own = (story: Story): Found => ({
    id: "pa-1",
    merchantTransactionId: story.newest(),
    paymentType: "PA",
    answer: approval(1234, "pa-1"),
  });
  const reversal = (answer: Answer): Found => ({ id: "rv-1", referencedId: "pa-1", paymentType: "RV", answer });
  const begun = {
    "a card that waits": () => authorizing().answer(silence, 5_000),
    "a stored card": () => new Story(storedCardSale).meets({ on: "woken" }).answer(silence, 5_000),
  };
  const cases = Object.entries(begun).flatMap(([what, begin]) =>
    undecided.map((answer) => [what, answer.is, begin, answer] as const),
  );

  test.each(cases)(
    "(%s, %s) approves nothing, however often it is shown, and fails once that is carried out",
    (_, __, begin, answer) => {
      const story = begin();
      const shown = own(story);
      for (const after of [100, MINUTE, WINDOW, WINDOW]) {
        shows(story, [shown, reversal(answer)], after);
        expect(viewOf(story.payment).decision).not.toBe("approved");
      }
      expect(posted(story)).toEqual(["PA"]);
      shows(story, [
        shown,
        reversal({ is: "approved", id: "rv-1", ...said, resultCode: "000.000.000", review: false, issuer: {} }),
      ]);
      expect(state(story)).toEqual(["FINAL", "FAILED", undefined]);
      expect(posted(story)).toEqual(["PA"]);
    },
  );

  test.each(cases)("(%s, %s) approves once that is refused", (_, __, begin, answer) => {
    const story = begin();
    const shown = own(story);
    shows(story, [shown, reversal(answer)], 100);
    shows(story, [shown, reversal({ is: "not-reversible", id: "rv-1", resultCode: "700.300.700", description: "" })]);
    if (story.payment.terminal.at === "completing") story.meets({ on: "finished", verdict: "approved", chip: {} });
    expect(viewOf(story.payment).decision).toBe("approved");
  });

  test("of a sale that was given up is reversed all the same", () => {
    const story = new Story(storedCardSale).meets({ on: "woken" }).answer(silence, 5_000);
    const name = story.newest();
    for (const after of [10, WINDOW])
      story.meets({ on: "searched", merchantTransactionId: name, result: { is: "absent" } }, after);
    expect(state(story)[1]).toBe("FAILED");
    const shown: Found = { id: "pa-1", merchantTransactionId: name, paymentType: "PA", answer: approval(1234, "pa-1") };
    const pending: Answer = { is: "pending", id: "rv-1", ...said };
    story.meets(
      { on: "searched", merchantTransactionId: name, result: { is: "found", bookings: [shown, reversal(pending)] } },
      WINDOW,
    );
    expect(posted(story)).toEqual(["PA", "RV"]);
  });
});

test("a refund that was given up, and shows beside a reversal that is not decided, is told once that is refused", () => {
  const story = new Story(followUp("LINKED_REFUND")).meets({ on: "woken" }).answer(silence, 45_000);
  const { amount } = story.payment.accepted;
  const original: Found = {
    id: "original-1",
    merchantTransactionId: "another",
    paymentType: "CP",
    answer: approval(1234, "original-1"),
  };
  const given: Found = {
    id: "rf-1",
    merchantTransactionId: story.newest(),
    referencedId: "original-1",
    paymentType: "RF",
    answer: approval(amount, "rf-1"),
  };
  const reversal = (answer: Answer): Found => ({ id: "rv-1", referencedId: "rf-1", paymentType: "RV", answer });
  for (const after of [10, WINDOW]) shows(story, [original], after);
  expect(viewOf(story.payment)).toMatchObject({ outcome: "FAILED", state: "FINAL" });
  shows(story, [original, given, reversal({ is: "pending", id: "rv-1", ...said })], WINDOW);
  expect(viewOf(story.payment).lateBooking).toBeUndefined();
  shows(
    story,
    [original, given, reversal({ is: "not-reversible", id: "rv-1", resultCode: "700.300.700", description: "" })],
    WINDOW,
  );
  expect(viewOf(story.payment)).toMatchObject({ outcome: "FAILED", lateBooking: true });
});

describe("what had been taken back when it was first seen", () => {
  const rv = (referencedId: string): Found => ({
    id: "rv-2",
    referencedId,
    paymentType: "RV",
    answer: approval(1234, "rv-2"),
  });

  test("is no capture: people are told, and none is made besides", () => {
    const story = new Story(storedCardSale)
      .meets({ on: "woken" })
      .answer(approval(1234, "pa-1"))
      .answer(silence, 45_000);
    const sold: Found = {
      id: "pa-1",
      merchantTransactionId: story.booking(),
      paymentType: "PA",
      answer: approval(1234, "pa-1"),
    };
    const captured: Found = {
      id: "cp-1",
      merchantTransactionId: story.newest(),
      referencedId: "pa-1",
      paymentType: "CP",
      answer: approval(1234, "cp-1"),
    };
    for (const after of [10, WINDOW, WINDOW]) shows(story, [sold, captured, rv("cp-1")], after).meets({ on: "woken" });
    expect(state(story)).toEqual(["FINAL", "APPROVED", "failed"]);
    expect(posted(story)).toEqual(["PA", "CP"]);
  });

  test("gave nothing back: it is given once more", () => {
    const story = new Story({ ...storedCardSale, channel: { ...sale.channel, settlement: "single" } })
      .meets({ on: "woken" })
      .meets({ on: "cancel" });
    story
      .answer(approval(1234, "db-1"))
      .answer({ is: "not-reversible", resultCode: "700.300.700", description: "" })
      .meets({ on: "woken" }, MINUTE);
    expect(posted(story)).toEqual(["DB", "RV", "RF"]);
    const given: Found = {
      id: "rf-1",
      merchantTransactionId: story.newest(),
      referencedId: "db-1",
      paymentType: "RF",
      answer: approval(1234, "rf-1"),
    };
    const sold: Found = {
      id: "db-1",
      merchantTransactionId: story.booking(),
      paymentType: "DB",
      answer: approval(1234, "db-1"),
    };
    const rows = [sold, given, rv("rf-1")];
    shows(story.answer(silence, 45_000), rows, 10);
    story
      .meets(
        { on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings: rows } },
        MINUTE,
      )
      .meets({ on: "woken" }, MINUTE);
    expect(posted(story)).toEqual(["DB", "RV", "RF", "RF"]);
  });

  test("is no void: it is asked for again", () => {
    const story = new Story(followUp("VOID", { targets: [{ id: "db-1", paymentType: "DB", amount: 1234 }] }))
      .meets({ on: "woken" })
      .answer(silence, 45_000);
    const original: Found = {
      id: "db-1",
      merchantTransactionId: "another",
      paymentType: "DB",
      answer: approval(1234, "db-1"),
    };
    const voided: Found = {
      id: "rv-1",
      merchantTransactionId: story.newest(),
      referencedId: "db-1",
      paymentType: "RV",
      answer: approval(1234, "rv-1"),
    };
    shows(story, [original, voided, rv("rv-1")], 10).meets({ on: "woken" }, WINDOW);
    expect(posted(story)).toEqual(["RV", "RV"]);
    expect(viewOf(story.payment).outcome).toBeUndefined();
  });
});

describe("a booking that is shown under no name", () => {
  const refund = (): Story => new Story(followUp("LINKED_REFUND")).meets({ on: "woken" }).answer(silence, 45_000);
  const original: Found = {
    id: "original-1",
    merchantTransactionId: "another",
    paymentType: "CP",
    answer: approval(1234, "original-1"),
  };
  const given = (amount: number, referencedId = "original-1"): Found => ({
    id: "rf-1",
    referencedId,
    paymentType: "RF",
    answer: approval(amount, "rf-1"),
  });

  test("is not taken for a sale, nor for nothing", () => {
    const story = new Story(storedCardSale).meets({ on: "woken" }).answer(silence, 45_000);
    for (const after of [10, WINDOW, WINDOW])
      shows(story, [{ id: "pa-1", paymentType: "PA", answer: approval(1234, "pa-1") }], after);
    expect(state(story)[0]).toBe("RESOLVING");
    expect(posted(story)).toEqual(["PA"]);
  });

  test("and may be the refund that was asked for does not let that fail", () => {
    const story = refund();
    for (const after of [10, WINDOW, WINDOW]) shows(story, [original, given(story.payment.accepted.amount)], after);
    expect(state(story)[0]).toBe("RESOLVING");
    expect(posted(story)).toEqual(["RF"]);
  });

  test.each([
    ["of another amount", (amount: number) => given(amount - 1)],
    ["of another original", (amount: number) => given(amount, "another-1")],
    [
      "that came to nothing",
      () =>
        ({
          ...given(1),
          answer: { is: "declined", id: "rf-1", ...said, why: "host-declined", held: false, issuer: {} },
        }) as const,
    ],
  ])("and is one %s is somebody else's", (_, other) => {
    const story = refund();
    for (const after of [10, WINDOW, WINDOW]) shows(story, [original, other(story.payment.accepted.amount)], after);
    expect(state(story)).toEqual(["FINAL", "FAILED", undefined]);
  });

  test.each([
    ["refund", "LINKED_REFUND", "RF"],
    ["capture", "CAPTURE", "CP"],
  ] as const)(
    "and is a %s in part that the gateway has named in its answer does not let that fail: it would be made once more",
    (_, type, paymentType) => {
      const story = new Story(followUp(type))
        .meets({ on: "woken" })
        .answer({ is: "unknown", id: "part-1", ...said, resultCode: "000.400.040" });
      const part: Found = {
        id: "part-1",
        referencedId: "original-1",
        paymentType,
        answer: approval(story.payment.accepted.amount - 1, "part-1"),
      };
      for (const after of [10, WINDOW, WINDOW]) shows(story, [original, part], after);
      expect(state(story)[0]).toBe("RESOLVING");
      expect(posted(story)).toEqual([paymentType]);
    },
  );

  test("and may be a sale's capture does not let a second one be made", () => {
    const story = new Story(storedCardSale)
      .meets({ on: "woken" })
      .answer(approval(1234, "pa-1"))
      .answer(silence, 45_000);
    const sold: Found = {
      id: "pa-1",
      merchantTransactionId: story.booking(),
      paymentType: "PA",
      answer: approval(1234, "pa-1"),
    };
    const captured: Found = { id: "cp-1", referencedId: "pa-1", paymentType: "CP", answer: approval(1234, "cp-1") };
    for (const after of [10, WINDOW, WINDOW]) shows(story, [sold, captured], after).meets({ on: "woken" });
    expect(posted(story)).toEqual(["PA", "CP"]);
    expect(state(story)).toEqual(["FINAL", "APPROVED", "pending"]);
  });
});

describe("a booking under another name than that of the request", () => {
  const original: Found = {
    id: "original-1",
    merchantTransactionId: "another",
    paymentType: "CP",
    answer: approval(1234, "original-1"),
  };
  const given = (id: string): Found => ({
    ...original,
    id,
    referencedId: "original-1",
    paymentType: "RF",
    answer: approval(1234, id),
  });
  const refund = (id: string): Story =>
    new Story(followUp("LINKED_REFUND")).meets({ on: "woken" }).answer({ is: "pending", id, ...said });

  test("that the gateway has named in its answer does not let that fail: the refund would be made once more", () => {
    const story = refund("rf-1");
    for (const after of [10, WINDOW, WINDOW]) shows(story, [original, given("rf-1")], after);
    expect(state(story)[0]).toBe("RESOLVING");
    expect(posted(story)).toEqual(["RF"]);
  });

  test("that it has not named is somebody else's", () => {
    const story = refund("rf-1");
    for (const after of [10, WINDOW, WINDOW]) shows(story, [original, given("rf-2")], after);
    expect(state(story)).toEqual(["FINAL", "FAILED", undefined]);
  });
});

describe("a query that shows as many bookings as it may", () => {
  const original: Found = {
    id: "original-1",
    merchantTransactionId: "another",
    paymentType: "CP",
    answer: approval(1234, "original-1"),
  };
  const others = (count: number): readonly Found[] =>
    Array.from({ length: count }, (_, at) => ({
      ...original,
      id: `rf-${at}`,
      referencedId: "original-1",
      paymentType: "RF",
      answer: approval(1, `rf-${at}`),
    }));
  const lost = (): Story => new Story(followUp("LINKED_REFUND")).meets({ on: "woken" }).answer(silence, 45_000);

  test("does not tell that a refund is not there, and does tell that it is", () => {
    const story = lost();
    for (const after of [10, WINDOW, WINDOW]) shows(story, [original, ...others(99)], after);
    expect(state(story)[0]).toBe("RESOLVING");
    const own: Found = {
      ...original,
      id: "rf",
      merchantTransactionId: story.newest(),
      referencedId: "original-1",
      paymentType: "RF",
      answer: approval(1234, "rf"),
    };
    shows(story, [original, ...others(98), own]);
    expect(state(story)).toEqual(["FINAL", "APPROVED", undefined]);
  });

  test("counts a reversal once that it shows twice: half of one, shown twice, is not the whole", () => {
    const half = (id: string): Found => ({
      id,
      referencedId: "original-1",
      paymentType: "RV",
      answer: approval(617, id),
    });
    const isGone = (...reversals: readonly Found[]) =>
      isTakenBack([original, ...others(97), ...reversals], original, AS_SHOWN);
    expect([isGone(half("rv-1"), half("rv-1")), isGone(half("rv-1"), half("rv-2"))]).toEqual([false, true]);
  });

  test("and one fewer tells both", () => {
    const story = lost();
    for (const after of [10, WINDOW, WINDOW]) shows(story, [original, ...others(98)], after);
    expect(state(story)).toEqual(["FINAL", "FAILED", undefined]);
  });
});

describe("what was given up, and is looked at again,", () => {
  const original: Found = {
    id: "original-1",
    merchantTransactionId: "another",
    paymentType: "CP",
    answer: approval(1234, "original-1"),
  };
  const unnamed: Found = { id: "rf-1", referencedId: "original-1", paymentType: "RF", answer: approval(1234, "rf-1") };
  const DAY = 86_400_000;

  /** How many queries there are in that time, where each is answered so. */
  function looksAt(result: SearchResult, forMs: number): number {
    const story = new Story(followUp("LINKED_REFUND")).meets({ on: "woken" }).answer(silence, 45_000);
    for (const after of [10, WINDOW]) shows(story, [original], after);
    expect(viewOf(story.payment)).toMatchObject({ outcome: "FAILED", state: "FINAL" });
    const until = story.now + forMs;
    for (let looks = 0; ; looks += 1) {
      const next = Math.min(...owed(story.payment).flatMap((one) => (one.do === "search" ? [one.at] : [])));
      if (next > until || looks > 200) return looks;
      story.meets({ on: "searched", merchantTransactionId: story.newest(), result }, Math.max(10, next - story.now));
    }
  }

  test("is looked at three times and no more where something that has no name may be it", () => {
    expect(looksAt({ is: "found", bookings: [original, unnamed] }, 30 * DAY)).toBe(3);
  });

  test.each([
    ["the gateway does not answer", { is: "no-answer", description: "" }],
    ["its original is not shown", { is: "absent" }],
  ] as const)("is asked about every hour in the end, and no more often, as long as %s", (_, result) => {
    const looks = looksAt(result, 4 * DAY);
    expect([looks >= 4 * 24, looks < 4 * 24 + 30]).toEqual([true, true]);
  });
});
