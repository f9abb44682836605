import { describe, expect, test } from "vitest";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { givenBack } from "../../../src/payment/follow-up/given-back.ts";
import { takenBy } from "../../../src/payment/follow-up/totals.ts";
import { resolutionProblem } from "../../../src/payment/operator/allowed-decisions.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { isGivenBackPerhaps } from "../../../src/payment/recovery/reversal.ts";
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

describe("a debit that is given back another way", () => {
  const single = { ...sale, channel: { ...sale.channel, settlement: "single" } } as const;
  const declinedByCard = (): Story => completing(single).meets({ on: "finished", verdict: "declined", chip: {} });

  test("once, where it cannot be reversed any more", () => {
    const story = completing(single).meets({ on: "finished", verdict: "declined", chip: {} });
    story.answer({ is: "not-reversible", ...said }).meets({ on: "woken" }, 6_000);
    expect(posted(story)).toEqual(["DB", "RV", "RF"]);
    expect(story.payment.attempts.at(-1)?.operation).toMatchObject({
      amount: 1234,
      currency: "EUR",
      referencedId: "booking-1",
    });
    story.answer(silence).meets({ on: "woken" }, 600_000);
    expect(posted(story)).toEqual(["DB", "RV", "RF"]);
    look(
      story,
      [
        {
          id: "rf",
          merchantTransactionId: story.newest(),
          referencedId: "booking-1",
          paymentType: "RF",
          answer: approval(1234, "rf"),
        },
      ],
      1_000,
      story.newest(),
    );
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED" });
  });

  test("in the currency in which it was booked, which need not be the one that was asked for", () => {
    const yen = { ...approval(), ...({ currency: "JPY" } as const) };
    const story = authorizing(single).answer(silence);
    look(story, [own(story, yen, { paymentType: "DB" })]).answer({ is: "not-reversible", ...said });
    look(story, [own(story, yen, { paymentType: "DB" })], 6_000);
    expect(story.payment.attempts.at(-1)?.operation).toMatchObject({
      paymentType: "RF",
      amount: 1234,
      currency: "JPY",
    });
    expect(view(story).gateway?.attempts.at(-1)).toMatchObject({ paymentType: "RF", amount: "1234" });
  });

  test("waits for queries past the unknown window where a reversal before had no answer: that one may have gone through", () => {
    const story = declinedByCard()
      .answer(silence)
      .meets({ on: "woken" }, 6_000)
      .answer({ is: "not-reversible", ...said })
      .meets({ on: "woken" }, 60_000);
    expect(posted(story)).toEqual(["DB", "RV", "RV"]);
    look(story, { is: "no-answer", description: "" }).meets({ on: "woken" }, 60_000);
    expect(posted(story)).toEqual(["DB", "RV", "RV"]);
    look(story, [own(story, approval(), { paymentType: "DB" })]).meets({ on: "woken" }, 60_000);
    expect(posted(story)).toEqual(["DB", "RV", "RV"]);
    look(story, [own(story, approval(), { paymentType: "DB" })], 1_800_000).meets({ on: "woken" }, 60_000);
    expect(posted(story)).toEqual(["DB", "RV", "RV", "RF"]);
  });

  test("not a third time where the gateway is unsure of the first refund, which no query shows any more", () => {
    const story = declinedByCard().answer({ is: "not-reversible", ...said });
    const debit = own(story, approval(), { paymentType: "DB" });
    look(story, [debit], 6_000).answer(silence);
    const first = story.newest();
    look(story, [debit], 60_000, first);
    look(story, [debit], 1_800_000, first);
    look(story, [debit], 20_000);
    expect(posted(story)).toEqual(["DB", "RV", "RF", "RF"]);
    const unsure: Found = {
      id: "rf",
      merchantTransactionId: first,
      referencedId: "booking-1",
      paymentType: "RF",
      answer: { is: "half-reversed", id: "rf", ...said },
    };
    look(story, [debit, unsure]).answer({ is: "not-booked", why: "refused", ...said });
    look(story, [debit], 60_000);
    look(story, [debit], 1_800_000).meets({ on: "woken" }, 3_600_000);
    expect([posted(story).length, isGivenBackPerhaps(story.payment)]).toEqual([4, true]);
  });

  test("may be closed by a person as soon as the gateway calls it reversed already and shows that it stands", () => {
    const story = declinedByCard().answer({ is: "already-reversed", ...said });
    look(story, [own(story, approval(), { paymentType: "DB" })], 2_000_000);
    expect(resolutionProblem(story.payment, story.now, "reversed")).toBeUndefined();
  });

  test.each([
    { is: "declined", ...said, why: "host-declined", held: false, issuer: {} },
    { is: "not-booked", why: "refused", ...said },
    { is: "not-reversible", ...said },
    { is: "half-reversed", id: "rf", ...said },
  ] as const)("is kept in sight where the refund is answered $is", (answer) => {
    const story = declinedByCard().answer({ is: "not-reversible", ...said });
    look(story, [own(story, approval(), { paymentType: "DB" })], 6_000)
      .answer(answer)
      .meets({ on: "released" });
    expect(view(story).state).toBe("REVERSING");
    expect(does(story)).toContain("search");
    look(story, [own(story, approval(), { paymentType: "DB" })], 60_000).meets({ on: "woken" }, 60_000);
    expect(does(story)).toContain(answer.is === "half-reversed" || answer.is === "not-reversible" ? "search" : "post");
  });
});

test("a refund or void of a sale in one step aims at its DB, of one in two steps at its CP", () => {
  const inOneStep = { ...sale, channel: { ...sale.channel, settlement: "single" } } as const;
  expect(takenBy(approved(inOneStep).payment)).toEqual([{ id: "booking-1", paymentType: "DB", amount: 1234 }]);
  expect(takenBy(approved().payment)).toEqual([]);
  expect(takenBy(approved().answer(approval(1234, "cp-1")).payment)).toEqual([
    { id: "cp-1", paymentType: "CP", amount: 1234 },
  ]);
});

describe("what counts towards a limit of money given back", () => {
  const refund = (): Story => new Story({ ...followUp("LINKED_REFUND"), amount: 500 }).meets({ on: "woken" });
  const half: Answer = { is: "half-reversed", id: "rf-1", ...said };
  const byOperator = { on: "resolved", as: "approved", by: "op", reason: "shown in the back office" } as const;

  test("goes by an operator's word where there is one", () => {
    expect(refund().answer(silence).meets(byOperator, 2_000_000).payment.concluded).toMatchObject({
      outcome: "APPROVED",
    });
  });

  test.each([
    ["nothing of a sale", (): Story => authorizing(), 0],
    ["all of a refund that is not decided", (): Story => refund().answer(silence), 500],
    ["what the gateway says that it gave", (): Story => refund().answer(approval(400, "rf-1")), 400],
    [
      "all of a refund that an operator says was given",
      (): Story => refund().answer(silence).meets(byOperator, 2_000_000),
      500,
    ],
    ["all of a refund that the gateway is not sure of", (): Story => refund().answer(half), 500],
    ["nothing of a refund that was declined", (): Story => refund().answer(refusal()), 0],
  ])("is %s", (_, story, amount) => {
    expect(givenBack(story().payment)).toBe(amount);
  });
});
