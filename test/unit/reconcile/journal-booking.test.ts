import { describe, expect, it } from "vitest";
import type { Found } from "../../../src/payment/fact/answer.ts";
import type { Payment } from "../../../src/payment/state/payment.ts";
import type { FileRow } from "../../../src/reconcile/file-row.ts";
import { journalMoney } from "../../../src/reconcile/journal-booking.ts";
import { match } from "../../../src/reconcile/match.ts";
import {
  approval,
  approved,
  authorizing,
  followUp,
  linkMade,
  linkSale,
  refusal,
  Story,
  sale,
  silence,
} from "../../support/sale.ts";
import { look, own as shownAs } from "../../support/shown.ts";

const moneyIn = (...payments: readonly Payment[]) => {
  const { bookings, others } = journalMoney(payments);
  return {
    bookings: bookings.map(
      ({ paymentType, transactionType, cashflow, gatewayId, amount, currency, reverses, reversed }) =>
        [
          paymentType,
          transactionType,
          cashflow,
          gatewayId,
          amount,
          currency,
          ...(reverses === undefined ? [] : [`reverses ${reverses}`]),
          ...(reversed ? ["reversed"] : []),
        ].join(" "),
    ),
    others: others.map(({ gatewayId = "-", says }) => `${gatewayId} ${says}`),
  };
};

const single = { ...sale, channel: { ...sale.channel, settlement: "single" as const } };
/** A sale that was reserved and captured. */
const captured = (): Story => approved().answer(approval(1234, "capture-1"));
const voidOf = (id: string, paymentType: "CP" | "DB"): Story =>
  new Story(followUp("VOID", { targets: [{ id, paymentType, amount: 1234 }] })).meets({ on: "woken" });

const declinedSale = (): Story =>
  authorizing(single).answer(approval()).meets({ on: "finished", verdict: "declined", chip: {} });

describe("what a journal says was moved", () => {
  it("is a sale's capture, not its reservation", () => {
    expect(moneyIn(captured().payment)).toEqual({
      bookings: ["CP DEBIT POS capture-1 1234 EUR"],
      others: ["booking-1 approved (000.100.110)"],
    });
  });

  it("is nothing as long as the capture is not through", () => {
    expect(moneyIn(approved().payment).bookings).toEqual([]);
    expect(moneyIn(approved().answer(silence).payment)).toMatchObject({
      bookings: [],
      others: ["booking-1 approved (000.100.110)", "- not decided yet"],
    });
  });

  it("is a single-message sale as far as it was approved", () => {
    expect(moneyIn(approved(single).payment).bookings).toEqual(["DB DEBIT POS booking-1 1234 EUR"]);
    const half = authorizing(single).answer(approval(617)).meets({ on: "finished", verdict: "approved", chip: {} });
    expect(moneyIn(half.payment).bookings).toEqual(["DB DEBIT POS booking-1 617 EUR"]);
  });

  it("is not what was declined", () => {
    expect(moneyIn(authorizing(single).answer(refusal()).payment)).toEqual({
      bookings: [],
      others: ["booking-1 declined (800.100.152)"],
    });
  });

  it("has the moment between which the gateway booked it", () => {
    const [booking] = journalMoney([approved(single).payment]).bookings;
    expect(booking).toMatchObject({
      register: "till",
      reference: "R-1",
      merchantTransactionId: "mtid-2",
      entityId: sale.channel.entityId,
    });
    expect(booking?.knownAt).toBe((booking?.intendedAt ?? 0) + 10);
  });
});

describe("what was taken back", () => {
  it("is told by the booking, and the reversal is a movement the other way", () => {
    const declinedByCard = authorizing(single)
      .answer(approval())
      .meets({ on: "finished", verdict: "declined", chip: {} });
    const reversed = declinedByCard.answer({ ...approval(1234, "reversal-1") });
    expect(moneyIn(reversed.payment).bookings).toEqual([
      "DB DEBIT POS booking-1 1234 EUR reversed",
      "RV REFUND NEG reversal-1 1234 EUR reverses booking-1",
    ]);
  });

  it("by a void of another payment is found in whichever order they come", () => {
    const undone = voidOf("capture-1", "CP").answer(approval(1234, "reversal-1")).payment;
    const expected = [
      "CP DEBIT POS capture-1 1234 EUR reversed",
      "RV REFUND NEG reversal-1 1234 EUR reverses capture-1",
    ];
    expect(moneyIn(captured().payment, undone).bookings).toEqual(expected);
    expect(moneyIn(undone, captured().payment).bookings).toEqual(expected);
  });

  it("of a booking that this journal does not know is told by what the void was for", () => {
    const undone = voidOf("elsewhere-1", "DB").answer(approval(1234, "reversal-1")).payment;
    expect(moneyIn(undone).bookings).toEqual(["RV REFUND NEG reversal-1 1234 EUR reverses elsewhere-1"]);
  });

  it("that the gateway was unsure of counts once its void is approved, because a query has shown it; and of one in part only that part", () => {
    const said = { resultCode: "000.400.030", description: "" };
    const story = voidOf("capture-1", "CP").answer({ is: "half-reversed", id: "reversal-1", ...said });
    expect(moneyIn(captured().payment, story.payment).bookings).toEqual(["CP DEBIT POS capture-1 1234 EUR"]);
    const [first] = story.payment.attempts.map(({ operation }) => operation.merchantTransactionId);
    story
      .meets({ on: "woken" }, 6_000)
      .answer({ is: "already-reversed", id: "reversal-2", resultCode: "700.300.300", description: "" });
    const half = {
      id: "reversal-1",
      merchantTransactionId: first,
      referencedId: "capture-1",
      paymentType: "RV",
    } as const;
    const bookings: readonly Found[] = [
      { id: "capture-1", paymentType: "CP", answer: approval(1234, "capture-1") },
      { ...half, answer: { is: "half-reversed", id: "reversal-1", ...said } },
    ];
    story.meets({ on: "searched", merchantTransactionId: story.newest(), result: { is: "found", bookings } }, 400_000);
    expect(story.payment.concluded?.outcome).toBe("APPROVED");
    const both = ["CP DEBIT POS capture-1 1234 EUR reversed", "RV REFUND NEG reversal-1 1234 EUR reverses capture-1"];
    expect(moneyIn(captured().payment, story.payment).bookings).toEqual(both);
    const part = voidOf("elsewhere-1", "DB").answer(approval(617, "reversal-3")).payment;
    expect(moneyIn(part).bookings).toEqual(["RV REFUND NEG reversal-3 617 EUR reverses elsewhere-1"]);
  });

  it("by somebody else is known by what queries showed, and no file has to have it", () => {
    const answer = approval(1234, "by-hand-1");
    const seen = { id: "by-hand-1", paymentType: "RV", referencedId: "capture-1", answer };
    const others = [
      { ...seen, id: "x", referencedId: "elsewhere" },
      { ...seen, id: "y", answer: silence },
      { ...seen, id: "z", paymentType: "CP" },
    ];
    const { bookings } = journalMoney([captured().payment], [...others, seen, seen]);
    expect(bookings).toMatchObject([
      { gatewayId: "capture-1", reversed: true },
      {
        gatewayId: "by-hand-1",
        reverses: "capture-1",
        cashflow: "NEG",
        amount: 1234,
        reference: "R-1",
        merchantTransactionId: "",
      },
    ]);
    expect(bookings[1]).not.toHaveProperty("knownAt");
    const own = { ...seen, id: "reversal-1", answer: approval(1234, "reversal-1") };
    const undone = voidOf("capture-1", "CP").answer(approval(1234, "reversal-1")).payment;
    expect(journalMoney([captured().payment, undone], [own]).bookings).toHaveLength(2);
  });

  it("by a refund is in the file together with it, whether a query has shown that or a person called it gone: only what was captured can be refunded", () => {
    const said = { resultCode: "900.100.300", description: "" };
    const debit = (story: Story): Found => shownAs(story, approval(), { paymentType: "DB" });
    const refunding = (): Story => {
      const story = declinedSale().answer({ is: "not-reversible", ...said });
      return look(story, [debit(story)], 6_000).answer({ is: "pending", id: "rf-1", ...said });
    };
    const refunded = (story: Story): Payment => {
      const refund = {
        id: "rf-1",
        merchantTransactionId: story.newest(),
        referencedId: "booking-1",
        paymentType: "RF",
        answer: approval(1234, "rf-1"),
      };
      return look(story, [debit(story), refund], 30_000, story.newest()).payment;
    };
    const both = ["DB DEBIT POS booking-1 1234 EUR", "RF REFUND NEG rf-1 1234 EUR"];
    expect(moneyIn(refunded(refunding())).bookings).toEqual(both);
    const closed = refunding()
      .meets({ on: "released" })
      .meets({ on: "resolved", as: "reversed", by: "Ada", reason: "looked there" }, 7_200_000);
    expect(moneyIn(closed.payment).bookings).toEqual(["DB DEBIT POS booking-1 1234 EUR reversed"]);
    expect(moneyIn(refunded(closed)).bookings).toEqual(both);
  });

  it("of a reservation is in no file", () => {
    const declinedByCard = authorizing().answer(approval()).meets({ on: "finished", verdict: "declined", chip: {} });
    expect(moneyIn(declinedByCard.answer(approval(1234, "reversal-1")).payment).bookings).toEqual([]);
  });
});

describe("what a person has said", () => {
  const word = (as: "reversed" | "declined", at = 9_000_000) => ({
    fact: "resolved" as const,
    at,
    as,
    by: "Ada",
    reason: "looked there",
  });
  const declinedByCard = declinedSale().answer(silence).payment;

  it("of a booking that was to go takes it back, so that no file has to have it; what showed up after his word it does not", () => {
    const standing = "DB DEBIT POS booking-1 1234 EUR";
    expect(moneyIn(declinedByCard).bookings).toEqual([standing]);
    expect(moneyIn({ ...declinedByCard, resolved: word("reversed") }).bookings).toEqual([`${standing} reversed`]);
    expect(moneyIn({ ...declinedByCard, resolved: word("declined") }).bookings).toEqual([`${standing} reversed`]);
    expect(moneyIn({ ...declinedByCard, resolved: word("declined", 5) }).bookings).toEqual([standing]);
  });

  it("of money that a customer got is settled with the customer, and of what stays approved it takes nothing back", () => {
    const refund = new Story({ ...followUp("LINKED_REFUND"), amount: 500 })
      .meets({ on: "woken" })
      .answer(approval(500, "refund-1")).payment;
    const late = {
      ...refund,
      ending: { outcome: "FAILED", reason: "gateway-unreached", at: 5 },
      resolved: word("declined"),
    } as const;
    expect(moneyIn(late).bookings).toEqual(["RF REFUND NEG refund-1 500 EUR"]);
    expect(moneyIn({ ...approved(single).payment, resolved: word("reversed") }).bookings).toEqual([
      "DB DEBIT POS booking-1 1234 EUR",
    ]);
  });

  it("of a void under the id that he named is what took the booking back, and no file has to have that", () => {
    const story = voidOf("capture-1", "CP").answer(silence);
    const said = {
      on: "resolved",
      as: "approved",
      by: "Ada",
      reason: "given back there",
      gatewayId: "by-hand-1",
    } as const;
    const undone = story.meets(said, 4_000_000).payment;
    expect(undone.concluded?.outcome).toBe("APPROVED");
    const { bookings } = journalMoney([captured().payment, undone]);
    expect(bookings).toMatchObject([
      { gatewayId: "capture-1", reversed: true },
      { gatewayId: "by-hand-1", reverses: "capture-1", cashflow: "NEG", amount: 1234, byOperator: true },
    ]);
    expect(bookings[1]).not.toHaveProperty("knownAt");
  });

  it("of a void under the id of what it took back names no reversal, and that id stays the booking's", () => {
    const said = {
      on: "resolved",
      as: "approved",
      by: "Ada",
      reason: "paid back in cash",
      gatewayId: "capture-1",
    } as const;
    const undone = voidOf("capture-1", "CP").answer(silence).meets(said, 4_000_000).payment;
    expect(undone.concluded?.outcome).toBe("APPROVED");
    expect(journalMoney([captured().payment, undone]).bookings).toMatchObject([
      { gatewayId: "capture-1", paymentType: "CP", reversed: true },
    ]);
  });
});

it("a refund is money that goes back, and what an operator closed as approved stands under the id he named", () => {
  const refund = new Story({ ...followUp("LINKED_REFUND"), amount: 500 }).meets({ on: "woken" });
  expect(moneyIn(refund.answer(approval(500, "refund-1")).payment).bookings).toEqual([
    "RF REFUND NEG refund-1 500 EUR",
  ]);
  const lost = authorizing(single).answer(silence).payment;
  const resolved = {
    fact: "resolved" as const,
    at: 5,
    as: "approved" as const,
    by: "Ada",
    reason: "seen in the back office",
    gatewayId: "by-hand-1",
  };
  const { bookings, others } = journalMoney([{ ...lost, resolved }]);
  expect([bookings, others]).toMatchObject([
    [{ gatewayId: "by-hand-1", paymentType: "DB", amount: 1234, byOperator: true }],
    [],
  ]);
});

it("a refund in place of a reversal is what it gave back, where it gave back a part", () => {
  const story = authorizing(single).answer(approval()).meets({ on: "finished", verdict: "declined", chip: {} });
  const standing = { id: "booking-1", merchantTransactionId: story.booking(), paymentType: "DB", answer: approval() };
  story.answer({ is: "not-reversible", resultCode: "700.400.530", description: "" });
  story.meets(
    { on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings: [standing] } },
    5_000,
  );
  const { bookings } = moneyIn(story.answer(approval(600, "refund-1")).payment);
  expect(bookings).toEqual(["DB DEBIT POS booking-1 1234 EUR", "RF REFUND NEG refund-1 600 EUR"]);
});

describe("a second booking under the name of a payment", () => {
  const euros = (id: string) => ({ ...approval(1234, id), currency: "EUR" }) as const;
  const paid = new Story(linkSale)
    .meets({ on: "woken" })
    .answer(linkMade)
    .meets({ on: "link-seen", sight: { is: "paid", transactionId: "booking-1" } }, 10_000);
  const merchantTransactionId = paid.booking();
  const booked = (id: string): Found => ({ id, merchantTransactionId, paymentType: "DB", answer: euros(id) });
  const twice = [booked("booking-1"), booked("booking-2")];
  const shows = (bookings: readonly Found[]) =>
    ({ on: "searched", merchantTransactionId, result: { is: "found", bookings } }) as const;
  const own = "DB DEBIT POS booking-1 1234 EUR";

  it("is in the file with what takes it back; until that went through it is a difference, with its reason", () => {
    const seen = paid.payment.accepted.at + 60_000;
    paid.meets(shows(twice), seen - paid.now);
    expect(moneyIn(paid.payment)).toEqual({
      bookings: [own],
      others: ["- not decided yet", "booking-2 a second DB, not taken back yet"],
    });
    paid.answer(euros("reversal-2"));
    const both = [
      own,
      "DB DEBIT POS booking-2 1234 EUR reversed",
      "RV REFUND NEG reversal-2 1234 EUR reverses booking-2",
    ];
    expect(moneyIn(paid.payment)).toEqual({ bookings: both, others: [] });
    expect(journalMoney([paid.payment]).bookings[1]).toMatchObject({
      reference: "R-1",
      merchantTransactionId: "",
      knownAt: seen,
    });
  });

  it("that was shown as reversed need not be in the file", () => {
    const reversal: Found = {
      id: "by-hand-2",
      paymentType: "RV",
      referencedId: "booking-2",
      answer: euros("by-hand-2"),
    };
    const story = new Story(linkSale).meets({ on: "woken" }).answer(linkMade);
    story
      .meets({ on: "link-seen", sight: { is: "paid", transactionId: "booking-1" } }, 10_000)
      .meets(shows([...twice, reversal]));
    expect(moneyIn(story.payment).bookings).toEqual([own, "DB DEBIT POS booking-2 1234 EUR reversed"]);
    expect(story.payment.attempts).toHaveLength(1);
  });

  it("that was given back by a refund is in the file together with it", () => {
    const story = new Story(linkSale).meets({ on: "woken" }).answer(linkMade);
    story
      .meets({ on: "link-seen", sight: { is: "paid", transactionId: "booking-1" } }, 10_000)
      .meets(shows(twice), 60_000);
    story.answer({ is: "not-reversible", resultCode: "700.300.700", description: "" }).meets(shows(twice), 60_000);
    const refund = {
      id: "rf-2",
      merchantTransactionId: story.newest(),
      referencedId: "booking-2",
      paymentType: "RF",
      answer: euros("rf-2"),
    };
    story.answer(euros("rf-2")).meets(shows([...twice, refund]), 60_000);
    expect(story.payment.seconds).toMatchObject([{ id: "booking-2", isTakenBack: true }]);
    expect(moneyIn(story.payment).bookings).toEqual([
      own,
      "RF REFUND NEG rf-2 1234 EUR",
      "DB DEBIT POS booking-2 1234 EUR",
    ]);
  });
});

it("a capture in part is what the gateway took, and the rest stands under the id by which an operator says that it was captured", () => {
  const part = authorizing()
    .answer(approval())
    .meets({ on: "finished", verdict: "approved", chip: {} })
    .answer(approval(617, "capture-1")).payment;
  const resolved = {
    fact: "resolved" as const,
    at: 5,
    as: "approved" as const,
    by: "Ada",
    reason: "captured there",
    gatewayId: "by-hand-1",
  };
  const own = { gatewayId: "capture-1", paymentType: "CP", amount: 617 };
  expect(journalMoney([part]).bookings).toMatchObject([own]);
  expect(journalMoney([{ ...part, resolved: { ...resolved, as: "reversed" } }]).bookings).toMatchObject([own]);
  const both = [own, { ...own, gatewayId: "by-hand-1", byOperator: true, merchantTransactionId: "" }];
  expect(journalMoney([{ ...part, resolved }]).bookings).toMatchObject(both);
});

describe("a request that something on the way delivered twice", () => {
  const row = (gatewayId: string, name: string): FileRow => ({
    ...{
      line: 2,
      recordType: "SETTLED",
      transactionType: "DEBIT",
      cashflow: "POS",
      gatewayId,
      merchantTransactionId: name,
    },
    amount: { minor: 1234, currency: "EUR" },
    settlement: { amount: { minor: 1234, currency: "EUR" }, fee: 0, date: "1970-01-01", status: "SUCCESS" },
  });
  const told = ({ payment }: Story, ...rows: readonly FileRow[]): readonly string[] =>
    match(rows, journalMoney([payment]), { from: "1970-01-01", to: "1970-01-01" }).missingHere.map(({ note }) => note);

  it("is told where the answer was a decline, and the other one was booked", () => {
    const story = authorizing(single).answer(refusal());
    expect(told(story, row("other", story.booking()))).toEqual([expect.stringMatching(/R-1.* as declined/)]);
  });

  it("is told where both were booked", () => {
    const story = approved(single);
    expect(told(story, row("booking-1", story.booking()), { ...row("other", story.booking()), line: 3 })).toEqual([
      expect.stringContaining("a second row for"),
    ]);
  });
});
