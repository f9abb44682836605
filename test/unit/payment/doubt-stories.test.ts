import { describe, expect, test } from "vitest";
import type { Answer, Found, SearchResult } from "../../../src/payment/fact/answer.ts";
import { owed } from "../../../src/payment/machine/owed.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import {
  approval,
  approved,
  authorizing,
  completing,
  followUp,
  refusal,
  Story,
  sale,
  silence,
} from "../../support/sale.ts";
import { does, look, own, posted } from "../../support/shown.ts";

const said = { resultCode: "900.100.300", description: "" };
const view = (story: Story) => viewOf(story.payment);
const absent: SearchResult = { is: "absent" };
const reversal = (answer: Answer): Found => ({ id: "rv-1", referencedId: "booking-1", paymentType: "RV", answer });
/** The card was told that nobody answered; the booking is still to be found. */
const resolving = (): Story =>
  authorizing()
    .answer(silence, 45_000)
    .meets({ on: "woken" }, 11_000)
    .meets({ on: "finished", verdict: "declined", chip: {} });

describe("a booking that the gateway took back itself (900.100.301)", () => {
  test("closes the payment once a linked query shows the reversal, without one of ours", () => {
    const story = authorizing().answer({ is: "auto-reversed", id: "booking-1", ...said });
    look(story, [own(story, { is: "auto-reversed", id: "booking-1", ...said }), reversal(approval(1234, "rv-1"))]);
    expect(story.payment.terminal).toMatchObject({ at: "completing", issuer: { verdict: "unable-to-go-online" } });
    story.meets({ on: "finished", verdict: "declined", chip: {} });
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
    expect(posted(story)).toEqual(["PA"]);
    expect(does(story)).toEqual(["release"]);
  });
});

describe("a booking that the gateway says it took back itself, and that a query shows as if it stood", () => {
  const itself: Answer = { is: "auto-reversed", id: "booking-1", ...said };

  test("approves nothing as long as the reversal may not be shown yet", () => {
    const story = authorizing().answer(itself);
    look(story, [own(story, approval())]);
    expect([story.payment.terminal.at, view(story).decision]).toEqual(["holding", undefined]);
    story.meets({ on: "woken" }, 56_000).meets({ on: "finished", verdict: "declined", chip: {} });
    expect([view(story).decision, view(story).state, posted(story)]).toEqual(["not-approved", "RESOLVING", ["PA"]]);
    look(story, [own(story, approval()), reversal(approval(1234, "rv-1"))]);
    expect([view(story).state, posted(story)]).toEqual(["FINAL", ["PA"]]);
  });

  test("stands after all where it is shown so for the whole window, and is taken back by us", () => {
    const story = authorizing().answer(itself);
    look(story, [own(story, approval())])
      .meets({ on: "woken" }, 56_000)
      .meets({ on: "finished", verdict: "declined", chip: {} });
    look(story, [own(story, approval())], sale.rules.unknownWindowMs);
    expect(posted(story)).toEqual(["PA", "RV"]);
  });

  test("is left to people where the gateway refuses our reversal: a refund might pay back twice", () => {
    const single = { ...sale, channel: { ...sale.channel, settlement: "single" as const } };
    const story = authorizing(single).answer(itself);
    const shown = () => [{ ...own(story, approval()), paymentType: "DB" }];
    look(story, shown()).meets({ on: "woken" }, 56_000).meets({ on: "finished", verdict: "declined", chip: {} });
    look(story, shown(), sale.rules.unknownWindowMs);
    expect(posted(story)).toEqual(["DB", "RV"]);
    story.answer({ is: "not-reversible", ...said });
    look(story, shown(), 20_000, story.booking()).meets({ on: "woken" }, 60_000);
    expect([posted(story).includes("RF"), view(story).state]).toEqual([false, "REVERSING"]);
    look(story, [...shown(), reversal(approval(1234, "rv-9"))], 3_600_000, story.booking());
    expect([posted(story).includes("RF"), view(story).state, view(story).outcome]).toEqual([false, "FINAL", "FAILED"]);
  });

  const aboutOriginal = (type: "CAPTURE" | "LINKED_REFUND", afterMs: number): Story => {
    const story = new Story(followUp(type)).meets({ on: "woken" }).answer({ ...itself, id: "follow-1" });
    const [original] = story.payment.accepted.of?.targets ?? [];
    const rows = [
      { id: "original-1", paymentType: original?.paymentType ?? "", answer: approval(1234, "original-1") },
      {
        ...own(story, approval(1234, "follow-1")),
        id: "follow-1",
        referencedId: "original-1",
        paymentType: type === "CAPTURE" ? "CP" : "RF",
      },
    ];
    return look(look(story, rows), rows, afterMs);
  };

  test("as a capture is not approved: it is taken back once more, in case the gateway was wrong", () => {
    const story = aboutOriginal("CAPTURE", sale.rules.unknownWindowMs);
    expect([view(story).decision, posted(story)]).toEqual(["not-approved", ["CP", "RV"]]);
    expect(story.payment.attempts[1]?.operation.referencedId).toBe("follow-1");
  });

  test("as a refund, which nothing takes back, is approved only when its reversal would have shown for a day", () => {
    const day = 86_400_000;
    expect([
      view(aboutOriginal("LINKED_REFUND", day)).state,
      view(aboutOriginal("LINKED_REFUND", day + day / 24)).outcome,
    ]).toEqual(["RESOLVING", "APPROVED"]);
  });

  test("that shows as taken back while the card has its last word is not approved, whatever the card says", () => {
    const story = completing();
    look(story, [own(story, approval()), reversal(approval(1234, "rv-1"))], 100).meets({
      on: "finished",
      verdict: "approved",
      chip: {},
    });
    expect(view(story)).toMatchObject({ outcome: "FAILED", reason: { code: "outcome-unknown" } });
    expect(posted(story)).toEqual(["PA"]);
  });
});

describe("a reversal that half failed at the gateway (000.400.030)", () => {
  test("of a booking without an id is searched for, then reversed by us", () => {
    const story = authorizing().answer({ is: "half-reversed", ...said });
    expect(does(story)).toContain("search");
    look(story, [own(story, { is: "half-reversed", ...said })]);
    expect(view(story).reason?.code).toBe("outcome-unknown");
    expect(posted(story)).toEqual(["PA", "RV"]);
  });
});

describe("a reversal of less than was booked (000.400.040)", () => {
  const refusedByCard = (): Story => completing().meets({ on: "finished", verdict: "declined", chip: {} });
  const part = (id: string, amount: number): Found => ({ ...reversal(approval(amount, id)), id });

  test("leaves the rest standing: it is made once more, and both together close the payment", () => {
    const story = refusedByCard();
    expect(story.payment.attempts.at(-1)?.operation).toMatchObject({ paymentType: "RV", reverses: 1234 });
    story.answer(approval(600, "rv-1"));
    expect(view(story).state).toBe("REVERSING");
    look(story, [own(story, approval(1234)), part("rv-1", 600)]);
    expect(view(story).state).toBe("REVERSING");
    story.meets({ on: "woken" }, 5_000);
    expect(posted(story)).toEqual(["PA", "RV", "RV"]);
    expect(view(story.answer(approval(633, "rv-2"))).state).toBe("REVERSING");
    story.meets({ on: "woken" }, 15_000).answer(approval(1, "rv-3"));
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED" });
  });

  test("told so wrongly is a whole one as soon as a query shows all of it", () => {
    const story = refusedByCard().answer(approval(1, "rv-1"));
    look(story, [own(story, approval(1234)), part("rv-1", 1234)]);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED" });
  });

  test("of the whole, or that names no amount, closes the payment at once", () => {
    const { amount: _, ...silent } = { ...approval(), amount: 0 };
    for (const answer of [approval(1234, "rv-1"), approval(1235, "rv-1"), { ...silent, id: "rv-1" }])
      expect(view(refusedByCard().answer(answer))).toMatchObject({ state: "FINAL", outcome: "DECLINED" });
  });

  test("of a debit that is then reversed no more leaves a refund of the rest, once queries have shown for the whole window that it stands", () => {
    const story = completing({ ...sale, channel: { ...sale.channel, settlement: "single" } }).meets({
      on: "finished",
      verdict: "declined",
      chip: {},
    });
    story.answer(approval(600, "rv-1")).meets({ on: "woken" }, 5_000);
    story.answer({ is: "not-reversible", resultCode: "700.300.700", description: "" });
    const debit = own(story, approval(1234), { paymentType: "DB" });
    look(story, [debit, part("rv-1", 600)]);
    expect(posted(story)).toEqual(["DB", "RV", "RV"]);
    look(story, [debit, part("rv-1", 600)], sale.rules.unknownWindowMs);
    story.meets({ on: "woken" }, 60_000);
    expect(story.payment.attempts.at(-1)?.operation).toMatchObject({ paymentType: "RF", amount: 634 });
    story.answer(approval(634, "rf-1"));
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED" });
  });

  test("is told by what was asked for where the gateway does not say what it booked; that nothing is left to reverse, it says itself", () => {
    const unsure = { is: "half-reversed", id: "booking-1", ...said } as const;
    const story = authorizing()
      .answer(unsure)
      .meets({ on: "finished", verdict: "declined", chip: {} })
      .answer(approval(600, "rv-1"));
    expect(story.payment.attempts.at(-1)?.operation).toMatchObject({ paymentType: "RV", reverses: 1234 });
    expect(view(story).state).toBe("REVERSING");
    look(story, [own(story, unsure), part("rv-1", 600)]);
    expect(view(story).state).toBe("REVERSING");
    story.meets({ on: "woken" }, 5_000).answer({ is: "already-reversed", resultCode: "700.300.300", description: "" });
    expect(view(story).state).toBe("REVERSING");
    look(story, [own(story, unsure), part("rv-1", 600)]);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
  });

  test("and then 'already reversed' is left to people, who are told", () => {
    const story = refusedByCard().answer(approval(600, "rv-1")).meets({ on: "woken" }, 5_000);
    story.answer({ is: "already-reversed", resultCode: "700.400.300", description: "" });
    look(story, [own(story, approval(1234)), part("rv-1", 600)]);
    expect(view(story).state).toBe("REVERSING");
    expect(story.payment.concluded).toBeUndefined();
  });
});

describe("'not there'", () => {
  test("begins to count with the first empty answer, and anything else in between begins it anew", () => {
    const story = resolving();
    look(story, [own(story, { is: "pending", id: "booking-1", ...said })], 3_600_000);
    look(story, absent, 300_000);
    expect(view(story).state).toBe("RESOLVING");
    look(story, { is: "no-answer", description: "" }, 1_700_000);
    look(story, absent, 200_000);
    expect(view(story).state).toBe("RESOLVING");
    look(story, absent, 1_800_000);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
  });

  test("is counted anew after a restart", () => {
    const story = look(resolving(), absent).meets({ on: "restarted" });
    look(story, absent, 1_900_000);
    expect(view(story).state).toBe("RESOLVING");
  });

  test("of a system that said it is not available needs one empty answer only", () => {
    const story = authorizing().answer({ is: "not-booked", why: "gateway-down", ...said });
    expect(does(story)).toContain("search");
    look(story, absent, 200);
    expect(view(story)).toMatchObject({ state: "COMPLETING", reason: { code: "gateway-unreached" } });
  });

  test("of a capture that met a system not available is posted again only once queries have not shown it for the whole window", () => {
    const story = approved().answer({ is: "not-booked", why: "gateway-down", ...said });
    expect(does(story.meets({ on: "woken" }, 60_000))).toContain("search");
    look(story, [own(story, approval())], 100, story.newest()).meets({ on: "woken" }, 10_000);
    expect(posted(story)).toEqual(["PA", "CP"]);
    look(story, [own(story, approval())], sale.rules.unknownWindowMs, story.newest()).meets({ on: "woken" }, 10_000);
    expect(posted(story)).toEqual(["PA", "CP", "CP"]);
  });
});

describe("a sale's own capture", () => {
  const capture = (story: Story, answer: Answer): Found =>
    own(story, answer, {
      id: "cp-1",
      paymentType: "CP",
      referencedId: "booking-1",
      merchantTransactionId: story.newest(),
    });

  test("that a person has reversed is not made once more, whatever name the reversal has", () => {
    const story = approved().answer(silence);
    const byPerson: Found = { id: "rv-1", referencedId: "cp-1", paymentType: "RV", answer: approval(1234, "rv-1") };
    look(story, [own(story, approval()), capture(story, approval(1234, "cp-1")), byPerson], 100, story.newest()).meets(
      { on: "woken" },
      3_600_000,
    );
    expect(posted(story)).toEqual(["PA", "CP"]);
  });

  test("in another currency than it was asked for is not called captured", () => {
    const story = approved().answer(silence);
    const dollars: Answer = {
      is: "approved",
      id: "cp-1",
      amount: 1234,
      currency: "USD",
      review: false,
      issuer: {},
      ...said,
    };
    look(story, [own(story, approval()), capture(story, dollars)], 100, story.newest());
    expect(view(story).capture).toBe("pending");
  });

  test("that was hidden past the window is found once the second one meets that nothing is left to capture", () => {
    const story = approved().answer(silence);
    const first = capture(story, approval(1234, "cp-1"));
    look(story, [own(story, approval())], 100, story.newest());
    look(story, [own(story, approval())], sale.rules.unknownWindowMs, story.newest()).meets({ on: "woken" }, 10_000);
    expect(posted(story)).toEqual(["PA", "CP", "CP"]);
    story.answer({ is: "already-reversed", resultCode: "700.400.100", description: "" });
    expect(view(story).capture).toBe("pending");
    look(story, [own(story, approval()), first], 100, story.newest());
    expect(view(story).capture).toBe("captured");
  });
});

describe("what a query shows under our merchantTransactionId", () => {
  test("is not ours where the payment type is another", () => {
    const story = authorizing().answer(silence, 1_000);
    look(story, [own(story, approval(), { paymentType: "CD" })]);
    expect(story.payment.terminal.at).toBe("holding");
  });

  test("is taken back where the currency is another", () => {
    const story = authorizing().answer(silence, 1_000);
    look(story, [
      own(story, {
        ...approval(),
        is: "approved",
        id: "booking-1",
        review: false,
        issuer: { iccDataResponse: "8A023030" },
        ...said,
        currency: "JPY",
        amount: 1234,
      }),
    ]);
    expect(view(story).reason?.code).toBe("amount-mismatch");
    expect(posted(story)).toEqual(["PA", "RV"]);
  });

  test("counts by the booking that moves money, whatever else is there", () => {
    const story = resolving();
    look(story, [own(story, refusal(), { id: "booking-0" }), own(story, approval())]);
    expect(posted(story)).toEqual(["PA", "RV"]);
  });

  test("and stays uncertain is reversed once the payment cannot be approved any more", () => {
    const story = resolving();
    const uncertain: Answer = { is: "unknown", id: "booking-1", resultCode: "900.100.300", description: "uncertain" };
    look(story, [own(story, uncertain)]);
    expect(posted(story)).toEqual(["PA"]);
    look(story, [own(story, uncertain)], 60_000);
    expect(posted(story)).toEqual(["PA", "RV"]);
    story.answer(approval(1234, "rv"));
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
    expect(does(story)).toEqual(["release"]);
  });

  test("late and pending first is still told as a late booking", () => {
    const story = look(look(resolving(), absent), absent, 1_900_000);
    expect(view(story).state).toBe("FINAL");
    look(story, [own(story, { is: "pending", id: "booking-1", ...said })], 3_600_000);
    look(story, [own(story, approval())], 600_000);
    expect(view(story)).toMatchObject({ lateBooking: true });
  });
});

describe("a booking that must not stand", () => {
  test("is looked at after every reversal without an answer: the reversal may have gone through", () => {
    const story = completing().meets({ on: "finished", verdict: "declined", chip: {} }).answer(silence);
    expect(does(story)).toContain("search");
    look(story, [own(story, approval()), reversal(approval(1234, "rv-1"))]);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED" });
  });

  test("is not hurried after a throttle", () => {
    const story = completing()
      .meets({ on: "finished", verdict: "declined", chip: {} })
      .answer({ is: "throttled", ...said });
    expect(posted(story.meets({ on: "woken" }, 20_000))).toEqual(["PA", "RV"]);
    expect(posted(story.meets({ on: "woken" }, 10_001))).toEqual(["PA", "RV", "RV"]);
  });
});

test("a capture whose reservation is gone has failed, and is not tried for ever", () => {
  const story = approved().answer({ is: "already-reversed", ...said });
  look(story, [own(story, approval()), reversal(approval(1234, "rv-1"))], 1_000, story.newest());
  expect(view(story).capture).toBe("failed");
  expect(does(story)).toEqual(["release"]);
});

test("a lost reply leaves time for the queries that the clock of a waiting card allows", () => {
  const story = authorizing();
  const post = owed(story.payment).find((effect) => effect.do === "post");
  expect(post).toMatchObject({ deadlineMs: 45_000 });
  story.answer(silence, 45_000);
  expect(story.payment.terminal.at).toBe("holding");
  look(story, [own(story, approval())], 5_000);
  expect(story.payment.terminal).toMatchObject({ at: "completing", issuer: { verdict: "approved" } });
});

describe("a capture", () => {
  test("that the gateway took back itself is owed again", () => {
    const story = approved().answer({ is: "auto-reversed", id: "capture-1", ...said });
    const capture = story.newest();
    const took = { id: "rv-2", referencedId: "capture-1", paymentType: "RV", answer: approval(1234, "rv-2") } as const;
    const shown = {
      id: "capture-1",
      merchantTransactionId: capture,
      referencedId: "booking-1",
      paymentType: "CP",
      answer: { is: "auto-reversed", id: "capture-1", ...said },
    } as const;
    look(story, [own(story, approval()), shown, took], 1_000, capture).meets({ on: "woken" }, 10_000);
    expect(posted(story)).toEqual(["PA", "CP", "CP"]);
    expect(view(story).capture).toBe("pending");
  });

  test("is not called missing by a query that does not even show its reservation", () => {
    const story = approved().answer(silence);
    const stranger: Found = { id: "other", merchantTransactionId: "other", paymentType: "PA", answer: approval() };
    for (let looks = 0; looks < 5; looks += 1) look(story, [stranger], 1_900_000, story.newest());
    expect(posted(story.meets({ on: "woken" }, 10_000))).toEqual(["PA", "CP"]);
  });
});
