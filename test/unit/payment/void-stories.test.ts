import { describe, expect, test } from "vitest";
import { alarmsOf } from "../../../src/engine/shell/alarms.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { isCaptured } from "../../../src/payment/follow-up/capture.ts";
import { standingOf } from "../../../src/payment/follow-up/remaining.ts";
import { followUpOf, voidTargetsOf } from "../../../src/payment/follow-up/totals.ts";
import { isSettled, owed } from "../../../src/payment/machine/owed.ts";
import { resolutionProblem } from "../../../src/payment/operator/allowed-decisions.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { approval, chipCard, followUp, KINDS, notSent, Story, sale, silence } from "../../support/sale.ts";
import { found, neverShown, original, posted, standing } from "../../support/shown.ts";

const said = { resultCode: "1.1", description: "" };
const TC = { on: "finished", verdict: "approved", chip: {} } as const;
const view = (story: Story) => viewOf(story.payment);
const begun = (kind: string): Story => new Story(KINDS[kind]).meets({ on: "woken" });

describe("a void", () => {
  const rv = (id: string): Answer => approval(1234, id);

  test("takes the reservation back first, then what raised it, and is approved when all is", () => {
    const story = begun("VOID");
    expect(story.payment.attempts.at(-1)?.operation).toMatchObject({ paymentType: "RV", referencedId: "original-1" });
    story.answer(rv("rv-1"));
    expect(story.payment.attempts.at(-1)?.operation).toMatchObject({ referencedId: "increment-1" });
    expect(view(story).decision).toBeUndefined();
    expect(view(story.answer(rv("rv-2")))).toMatchObject({ outcome: "APPROVED" });
  });

  test("is not through as long as what raised the reservation is called reversed already, and shown captured", () => {
    const story = begun("VOID")
      .answer(rv("rv-1"))
      .answer({ is: "already-reversed", ...said });
    const raised = standing("increment-1", "PA");
    found(story, raised, { ...standing("cp-9"), referencedId: "increment-1" });
    expect(view(story).decision).toBeUndefined();
    const other = begun("VOID")
      .answer(rv("rv-1"))
      .answer({ is: "already-reversed", ...said });
    expect(view(found(other, raised))).toMatchObject({ outcome: "APPROVED" });
  });

  test("is not asked about at once where the very query that told what came of it has shown what it is of", () => {
    const story = begun("VOID").answer(silence);
    const row = { ...standing("rv-1", "RV"), referencedId: "original-1", merchantTransactionId: story.newest() };
    found(story, original, { ...row, answer: { is: "half-reversed", id: "rv-1", ...said } });
    expect(owed(story.payment).map((effect) => effect.do)).not.toContain("search");
  });

  test.each<[string, Answer]>([
    ["was never sent", notSent],
    ["the gateway put off", { is: "throttled", ...said }],
  ])("that %s is tried again, and no query is asked about it", (_what, answer) => {
    const story = begun("VOID").answer(answer);
    expect(owed(story.payment).map((effect) => effect.do)).toEqual(["wake"]);
  });

  test("refused for good has failed, with the advice to refund where money was captured", () => {
    const captured = new Story(followUp("VOID", { targets: [{ id: "cp-1", paymentType: "CP", amount: 1234 }] })).meets({
      on: "woken",
    });
    captured.answer({ is: "not-reversible", ...said });
    expect(view(captured)).toMatchObject({ outcome: "FAILED", reason: { code: "void-refused", advice: "refund" } });
    expect(posted(captured)).toEqual(["RV"]);
  });

  test("of a reservation that is refused for good has failed, and advises no refund: no money was taken", () => {
    const story = new Story(followUp("VOID", { targets: [{ id: "pa-1", paymentType: "PA", amount: 1234 }] })).meets({
      on: "woken",
    });
    found(story.answer({ is: "not-reversible", ...said }), standing("pa-1", "PA"));
    expect(view(story)).toMatchObject({
      outcome: "FAILED",
      reason: { code: "reversal-refused", advice: "call-support" },
    });
  });

  test.each([
    ["REVERSING", [silence, { is: "not-reversible", ...said }]],
    ["REVERSING", [silence, { is: "already-reversed", ...said }]],
  ] as const)(
    "that stays %s past the unknown window is closed as approved or declined by a person, never as reversed",
    (state, answers) => {
      const story = new Story(followUp("VOID", { targets: [{ id: "cp-1", paymentType: "CP", amount: 1234 }] })).meets({
        on: "woken",
      });
      for (const answer of answers) story.answer(answer).meets({ on: "woken" }, 15_000);
      const later = story.now + 3_600_000;
      expect(view(story).state).toBe(state);
      expect(resolutionProblem(story.payment, later, "reversed")).toBe(
        "of a void say approved (it was carried out) or declined (it was not)",
      );
      expect((["approved", "declined"] as const).map((as) => resolutionProblem(story.payment, later, as))).toEqual([
        undefined,
        undefined,
      ]);
    },
  );

  test.each([
    ["gateway-refused", {}],
    ["channel-not-set-up", { lacks: "setup" }],
  ] as const)(
    "whose request is refused as such has failed with %s, which tells nothing about the booking: no refund is advised",
    (code, lacks) => {
      const captured = new Story(
        followUp("VOID", { targets: [{ id: "cp-1", paymentType: "CP", amount: 1234 }] }),
      ).meets({ on: "woken" });
      captured.answer({ is: "not-booked", why: "refused", ...lacks, ...said });
      expect(view(found(captured, standing("cp-1")))).toMatchObject({
        outcome: "FAILED",
        reason: { code, advice: "call-support" },
      });
    },
  );

  test("of two captures is not approved while a query shows the second one standing", () => {
    const targets = ["cp-1", "cp-2"].map((id) => ({ id, paymentType: "CP" as const, amount: 617 }));
    const story = new Story(followUp("VOID", { targets })).meets({ on: "woken" }).answer(approval(617, "rv-1"));
    story.answer({ is: "already-reversed", ...said });
    found(
      story,
      ...targets.map(({ id }) => ({ id, referencedId: "original-1", paymentType: "CP", answer: approval(617, id) })),
    );
    expect(view(story).decision).toBeUndefined();
  });

  test("refused after a try without an answer has failed only once queries past the unknown window have shown the booking standing", () => {
    const story = new Story(followUp("VOID")).meets({ on: "woken" }).answer(silence).meets({ on: "woken" }, 5_000);
    story.answer({ is: "not-reversible", ...said });
    expect(view(found(story, original)).decision).toBeUndefined();
    expect(view(neverShown(story))).toMatchObject({ outcome: "FAILED" });
    expect(owed(story.meets({ on: "original-told" }).payment)).toMatchObject([{ do: "search" }]);
    const first = {
      id: "rv-1",
      merchantTransactionId: story.booking(),
      referencedId: "original-1",
      paymentType: "RV",
      answer: rv("rv-1"),
    };
    story.meets(
      { on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings: [original, first] } },
      3_600_000,
    );
    expect(view(story)).toMatchObject({ outcome: "FAILED", lateBooking: true });
    expect(followUpOf(story.payment).outcome).toBe("APPROVED");
  });

  test("refused after a try without an answer is approved where that one shows up after all", () => {
    const story = new Story(followUp("VOID"))
      .meets({ on: "woken" })
      .answer(silence)
      .meets({ on: "woken" }, 5_000)
      .answer({ is: "already-reversed", ...said });
    found(story, original).answer({ is: "already-reversed", ...said });
    const first = {
      id: "rv-1",
      merchantTransactionId: story.booking(),
      referencedId: "original-1",
      paymentType: "RV",
      answer: rv("rv-1"),
    };
    expect(view(found(story, original, first))).toMatchObject({ outcome: "APPROVED" });
  });

  describe("of which a part was carried out and the rest is refused", () => {
    const inPart = (answer: Answer): Story => {
      const story = new Story(
        followUp("VOID", { targets: [{ id: "original-1", paymentType: "CP", amount: 1234 }] }),
      ).meets({ on: "woken" });
      found(story.answer(approval(600, "rv-1")), original, part);
      return story.meets({ on: "woken" }, 5_000).answer(answer);
    };
    const part: Found = { id: "rv-1", referencedId: "original-1", paymentType: "RV", answer: approval(600, "rv-1") };
    const refused: Answer = { is: "not-reversible", ...said };
    const resolved = {
      on: "resolved",
      as: "approved",
      by: "alice",
      reason: "the rest was refunded by hand",
      gatewayId: "rf-1",
    } as const;

    test.each([
      refused,
      { is: "declined", why: "host-declined", held: false, issuer: {}, ...said },
      { is: "already-reversed", ...said },
    ] as const)("has neither failed nor succeeded, and is tried again: $is", (answer) => {
      const story = inPart(answer);
      for (let look = 0; look < 70; look += 1)
        found(story, original, part, { ...part, id: "rf-9", paymentType: "RF", answer: approval(100, "rf-9") });
      expect(view(story).decision).toBeUndefined();
      expect(posted(story.meets({ on: "woken" }, 3_600_000)).length).toBeGreaterThan(2);
    });

    test("is approved once queries show that what is left was reversed as well", () => {
      expect(
        view(found(inPart(refused), original, part, { ...part, id: "rv-9", answer: approval(634, "rv-9") })),
      ).toMatchObject({ outcome: "APPROVED" });
    });

    test("is told to people, who give the rest back and close it", () => {
      const story = inPart(silence);
      const before = story.payment;
      const told = alarmsOf(before, story.meets({ on: "woken" }, 15_000).answer(refused).payment);
      expect(told.map(({ what }) => what)).toContainEqual(
        expect.stringContaining("took back a part of what was to be voided, and refuses the rest"),
      );
      expect(view(story.meets(resolved, 1_800_000))).toMatchObject({ outcome: "APPROVED" });
    });
  });

  test("whose reply was lost is approved when a query shows the reversal", () => {
    const story = new Story(followUp("VOID")).meets({ on: "woken" }).answer(silence);
    const shown = {
      id: "rv-1",
      merchantTransactionId: story.newest(),
      referencedId: "original-1",
      paymentType: "RV",
      answer: rv("rv-1"),
    };
    expect(view(found(story, original, shown))).toMatchObject({ outcome: "APPROVED" });
  });

  test("told that it is reversed already believes what a query shows, and nothing else", () => {
    const told = (): Story =>
      new Story(followUp("VOID")).meets({ on: "woken" }).answer({ is: "already-reversed", ...said });
    expect(view(told()).decision).toBeUndefined();
    const other = { id: "rv-9", referencedId: "original-1", paymentType: "RV", answer: rv("rv-9") };
    expect(view(found(told(), original, other))).toMatchObject({ outcome: "APPROVED" });
    const capture: Found = {
      id: "cp-9",
      referencedId: "original-1",
      paymentType: "CP",
      answer: approval(1234, "cp-9"),
    };
    expect(view(found(told(), original, capture))).toMatchObject({
      outcome: "FAILED",
      reason: { code: "reversal-refused" },
    });
    expect(view(neverShown(told())).decision).toBeUndefined();
  });

  test("of a sale that is being captured waits until that is through or stopped", () => {
    const story = begun("VOID of a pending capture");
    expect(story.payment.attempts).toEqual([]);
    expect(owed(story.payment)).toEqual([expect.objectContaining({ do: "await-original", original: "pay_0" })]);
    story.meets({ on: "original-known", targets: [{ id: "cp-1", paymentType: "CP", amount: 1234 }] });
    expect(story.payment.attempts.map(({ operation }) => operation.referencedId)).toEqual(["cp-1"]);
  });
});

describe("a void that was refused", () => {
  const debit = standing("cp-1");
  const carriedOut = (story: Story): Found => ({
    ...{
      id: "rv-1",
      merchantTransactionId: story.newest(),
      referencedId: "cp-1",
      paymentType: "RV",
      answer: approval(1234, "rv-1"),
    },
  });

  test("because of its age or type has failed at once and for good: no booking that was reversed would get that answer", () => {
    const story = new Story(followUp("VOID", { targets: [{ id: "cp-1", paymentType: "CP", amount: 1234 }] })).meets({
      on: "woken",
    });
    story.answer({ is: "not-reversible", ...said });
    expect(view(story)).toMatchObject({ outcome: "FAILED", reason: { code: "void-refused", advice: "refund" } });
    expect(isSettled(story.meets({ on: "original-told" }).payment)).toBe(true);
  });

  test("has not failed as long as the gateway shows another try of which it is unsure (000.400.030): a person says what became of it", () => {
    const story = new Story(followUp("VOID", { targets: [{ id: "cp-1", paymentType: "CP", amount: 1234 }] })).meets({
      on: "woken",
    });
    const unsure: Answer = { is: "half-reversed", id: "rv-1", ...said };
    const row = { ...carriedOut(story.answer(unsure)), answer: unsure };
    found(story, debit, row)
      .meets({ on: "woken" }, 5_000)
      .answer({ is: "not-reversible", ...said });
    for (let hours = 0; hours < 30; hours += 1) {
      story.meets(
        { on: "searched", merchantTransactionId: story.newest(), result: { is: "found", bookings: [debit, row] } },
        3_600_000,
      );
    }
    expect([view(story).state, view(story).decision, posted(story)]).toEqual(["REVERSING", undefined, ["RV", "RV"]]);
    story.meets({ on: "resolved", as: "declined", by: "alice", reason: "asked the acquirer" });
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED" });
  });
});

describe("a sale whose capture is still pending", () => {
  const selling = (): Story =>
    new Story(sale).meets({ on: "leased" }).meets({ on: "card", card: chipCard }).answer(approval()).meets(TC);

  test("captures no more once a void has stopped that, and goes on where the void failed", () => {
    const story = selling().answer(notSent).meets({ on: "withdraw-capture", by: "pay_9" });
    expect(story.payment.captureWithdrawnBy).toBe("pay_9");
    expect(owed(story.payment).filter((effect) => effect.do !== "release")).toEqual([]);
    expect(posted(story.meets({ on: "woken" }, 900_000))).toEqual(["PA", "CP"]);
    story.meets({
      on: "followed",
      by: { payment: "pay_9", type: "VOID", outcome: "FAILED", amount: 0, target: "booking-1" },
    });
    expect(posted(story.meets({ on: "woken" }, 10))).toEqual(["PA", "CP", "CP"]);
  });

  test("tells a void what there is to void only once no other try of its capture is on the wire: that would be booked beside it", () => {
    const story = selling()
      .answer({ is: "not-booked", why: "not-sent", ...said })
      .meets({ on: "woken" }, 60_000);
    expect(posted(story)).toEqual(["PA", "CP", "CP"]);
    const [reservation, first] = story.payment.attempts.map(({ operation }) => operation.merchantTransactionId);
    const bookings: readonly Found[] = [
      { id: "booking-1", merchantTransactionId: reservation ?? "", paymentType: "PA", answer: approval() },
      {
        id: "cp-1",
        merchantTransactionId: first ?? "",
        referencedId: "booking-1",
        paymentType: "CP",
        answer: approval(1234, "cp-1"),
      },
    ];
    story.meets({ on: "searched", merchantTransactionId: first ?? "", result: { is: "found", bookings } });
    expect([
      isCaptured(story.payment),
      voidTargetsOf(story.payment, "pay_9"),
      standingOf(story.payment, undefined, false),
    ]).toMatchObject([true, undefined, { capturing: true }]);
    story.answer({ is: "already-reversed", ...said });
    expect(voidTargetsOf(story.payment, "pay_9")).toMatchObject([{ id: "cp-1" }]);
  });

  test("does not let go of a capture that may have been booked", () => {
    expect(selling().meets({ on: "withdraw-capture", by: "pay_9" }).payment.captureWithdrawnBy).toBeUndefined();
    expect(
      selling().answer(silence).meets({ on: "withdraw-capture", by: "pay_9" }).payment.captureWithdrawnBy,
    ).toBeUndefined();
  });
});
