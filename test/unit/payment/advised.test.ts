import { describe, expect, test } from "vitest";
import type { Answer, SchemeAdvice } from "../../../src/payment/fact/answer.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { approval, authorizing, refusal, Story, storedCardSale } from "../../support/sale.ts";

/* What a till is to do after a decline, by the advice of the card's scheme. */

function declined(
  schemeAdvice: SchemeAdvice | undefined,
  why: "host-declined" | "wrong-pin" | "retry-blocked" = "host-declined",
): Answer {
  const plain = refusal();
  if (plain.is !== "declined") throw new TypeError("no decline");
  return { ...plain, why, ...(schemeAdvice !== undefined && { schemeAdvice }) };
}

const storedCard = (answer: Answer) =>
  viewOf(new Story(storedCardSale).meets({ on: "woken" }).answer(answer).payment).reason;
const AAC = { on: "finished", verdict: "declined", chip: {} } as const;
const presentedCard = (answer: Answer) => viewOf(authorizing().answer(answer).meets(AAC).payment).reason;

describe("a stored card that is declined", () => {
  test.each<[SchemeAdvice | undefined, string, string]>([
    [undefined, "other-card", "declined the payment."],
    [{ is: "never-again" }, "do-not-retry", "forbids to try it again"],
    [{ is: "agreement-ended" }, "do-not-retry", "has ended the agreement"],
    [{ is: "new-card-data" }, "other-card", "store it anew"],
    [{ is: "later" }, "retry-later", "may be tried again later"],
    [{ is: "later", hours: 1 }, "retry-later", "after an hour"],
    [{ is: "later", hours: 24 }, "retry-later", "after 24 hours"],
    [{ is: "later", hours: 96 }, "retry-later", "after 4 days"],
  ])("with the advice %j: %s", (advice, wanted, words) => {
    expect(storedCard(declined(advice))).toEqual({
      code: "host-declined",
      advice: wanted,
      message: expect.stringContaining(words),
    });
  });

  test("by the scheme itself is not to be tried again, whatever it advises besides", () => {
    expect(storedCard(declined({ is: "later" }, "retry-blocked"))).toMatchObject({
      code: "retry-blocked",
      advice: "do-not-retry",
    });
  });
});

describe("a card that was presented and is declined", () => {
  test("is not to be tried again where its scheme says so, and else as its code says: another card is at hand", () => {
    expect(presentedCard(declined({ is: "never-again" }))).toMatchObject({
      code: "host-declined",
      advice: "do-not-retry",
    });
    for (const advice of [{ is: "later" }, { is: "new-card-data" }, { is: "agreement-ended" }] as const) {
      expect(presentedCard(declined(advice))).toEqual(presentedCard(declined(undefined)));
    }
  });

  test("is not asked for another PIN where its scheme forbids to try it again", () => {
    const asked = authorizing()
      .answer(declined({ is: "later" }, "wrong-pin"))
      .meets(AAC);
    expect(asked.payment.terminal.at).toBe("collecting");
    const refused = authorizing()
      .answer(declined({ is: "never-again" }, "wrong-pin"))
      .meets(AAC);
    expect(viewOf(refused.payment)).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "wrong-pin", advice: "do-not-retry" },
    });
  });

  test("has no say in what ended the payment for another reason", () => {
    const cancelled = authorizing()
      .meets({ on: "cancel" })
      .answer(declined({ is: "never-again" }))
      .meets(AAC);
    expect(viewOf(cancelled.payment).reason).toMatchObject({ code: "register-cancelled", advice: "retry" });
    expect(viewOf(authorizing().answer(approval()).meets(AAC).payment).reason).toMatchObject({ code: "card-declined" });
  });
});
