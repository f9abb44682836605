import { describe, expect, test } from "vitest";
import { alarmsOf } from "../../../src/engine/shell/alarms.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { isOverExceptLateQueries, owed } from "../../../src/payment/machine/owed.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import {
  approval,
  approved,
  chipCard,
  followUp,
  KINDS,
  notSent,
  refusal,
  Story,
  sale,
  silence,
} from "../../support/sale.ts";
import { found, neverShown, original, posted } from "../../support/shown.ts";

const said = { resultCode: "1.1", description: "" };
const TC = { on: "finished", verdict: "approved", chip: {} } as const;
const view = (story: Story) => viewOf(story.payment);
const begun = (kind: string): Story => new Story(KINDS[kind]).meets({ on: "woken" });
const presented = (kind: string): Story =>
  begun(kind)
    .meets({ on: "leased" })
    .meets({ on: "card", card: { ...chipCard, decision: "declined-offline" } });

describe("a preauthorization", () => {
  test("reserves, and captures nothing by itself", () => {
    const story = begun("PREAUTHORIZATION")
      .meets({ on: "leased" })
      .meets({ on: "card", card: chipCard })
      .answer(approval())
      .meets(TC);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", approvedAmount: "12.34" });
    expect(posted(story)).toEqual(["PA"]);
    expect(view(story).capture).toBeUndefined();
  });

  test("knows what was captured, added and refunded of it, and who voided it", () => {
    const story = begun("PREAUTHORIZATION")
      .meets({ on: "leased" })
      .meets({ on: "card", card: chipCard })
      .answer(approval())
      .meets(TC);
    const by = {
      payment: "pay_5",
      type: "CAPTURE",
      outcome: "APPROVED",
      amount: 1000,
      id: "cp-1",
      target: "booking-1",
    } as const;
    story.meets({ on: "followed", by }).meets({ on: "followed", by });
    expect(view(story)).toMatchObject({ capturedAmount: "10.00" });
    story.meets({
      on: "followed",
      by: { payment: "pay_6", type: "VOID", outcome: "APPROVED", amount: 0, target: "cp-1" },
    });
    expect(view(story).capturedAmount).toBeUndefined();
    expect(view(story).voidedBy).toBeUndefined();
    story.meets({
      on: "followed",
      by: { payment: "pay_7", type: "VOID", outcome: "APPROVED", amount: 0, target: "booking-1" },
    });
    expect(view(story).voidedBy).toBe("pay_7");
  });
});

describe("a refund to a presented card", () => {
  test("asks the host whatever the card said first, and gives it no second answer", () => {
    const story = presented("REFUND");
    expect(posted(story)).toEqual(["CD"]);
    expect(view(story).state).toBe("AUTHORIZING");
    story.answer(approval());
    expect(view(story)).toMatchObject({ outcome: "APPROVED", approvedAmount: "12.34" });
    expect(story.names()).not.toContain("issuer-told");
  });

  test("is adopted after silence and never reversed", () => {
    const story = presented("REFUND").answer(silence);
    expect(view(story).state).toBe("RESOLVING");
    const own = {
      id: "cd-1",
      merchantTransactionId: story.newest(),
      paymentType: "CD",
      answer: approval(1234, "cd-1"),
    };
    expect(view(found(story, own))).toMatchObject({ outcome: "APPROVED" });
    expect(posted(story)).toEqual(["CD"]);
  });

  test("goes on after a restart as if nothing had been", () => {
    const story = presented("REFUND").meets({ on: "restarted" });
    expect(owed(story.payment)).toContainEqual(expect.objectContaining({ do: "search" }));
    const own = {
      id: "cd-1",
      merchantTransactionId: story.newest(),
      paymentType: "CD",
      answer: approval(1234, "cd-1"),
    };
    expect(view(found(story, own))).toMatchObject({ outcome: "APPROVED" });
  });
});

describe("a registration", () => {
  test("stores the card, takes no money, and names the registration", () => {
    const story = begun("REGISTRATION").meets({ on: "leased" }).meets({ on: "card", card: chipCard });
    expect(story.payment.attempts[0]?.operation).not.toHaveProperty("amount");
    story
      .answer({
        ...approval(),
        is: "approved",
        id: "reg-1",
        resultCode: "000.100.110",
        description: "",
        review: false,
        issuer: {},
      })
      .meets(TC);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", gateway: { registrationId: "reg-1" } });
    expect(view(story).amount).toBeUndefined();
  });

  test("that the card refuses is deleted, and until then not final", () => {
    const story = begun("REGISTRATION")
      .meets({ on: "leased" })
      .meets({ on: "card", card: chipCard })
      .answer(approval(0, "reg-1"));
    story.meets({ on: "finished", verdict: "declined", chip: {} });
    expect(posted(story)).toEqual(["RG", "DR"]);
    expect(view(story).state).not.toBe("FINAL");
    expect(view(story.answer({ is: "already-reversed", ...said }))).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "card-declined" },
    });
  });

  test("made by a sale that then fails is deleted after the money was taken back", () => {
    const story = begun("SALE that stores the card").meets({ on: "leased" }).meets({ on: "card", card: chipCard });
    expect(story.payment.attempts[0]?.operation.createRegistration).toBe(true);
    const stored: Answer = {
      is: "approved",
      id: "booking-1",
      resultCode: "",
      description: "",
      amount: 1234,
      currency: "EUR",
      review: false,
      registrationId: "reg-1",
      issuer: {},
    };
    expect(view(story.answer(stored)).gateway?.registrationId).toBeUndefined();
    story.meets({ on: "finished", verdict: "declined", chip: {} });
    expect(posted(story)).toEqual(["PA", "RV"]);
    story.answer(approval(1234, "rv-1"));
    expect(posted(story)).toEqual(["PA", "RV", "DR"]);
    expect(story.payment.attempts.at(-1)?.operation.referencedId).toBe("reg-1");
    expect(view(story.answer(approval(0, "dr-1")))).toMatchObject({ outcome: "DECLINED" });
  });
});

describe("a card that was stored with a booking that was reversed before its approval was told", () => {
  const uncertain: Answer = { is: "unknown", id: "booking-1", description: "900.100.300" };
  const booking = (story: Story, answer: Answer): Found => ({
    id: "booking-1",
    merchantTransactionId: story.booking(),
    paymentType: "PA",
    answer,
  });
  const look = (story: Story, answer: Answer): Story =>
    story.meets(
      {
        on: "searched",
        merchantTransactionId: story.booking(),
        result: { is: "found", bookings: [booking(story, answer)] },
      },
      61_000,
    );
  const reversed = (): Story => {
    const story = begun("SALE that stores the card")
      .meets({ on: "leased" })
      .meets({ on: "card", card: chipCard })
      .answer(uncertain);
    look(look(story.meets({ on: "terminal-failed", code: "no-answer", detail: "" }), uncertain), uncertain);
    return story.answer(approval(1234, "rv-1"));
  };

  test("is asked for once the money is back, and deleted", () => {
    const story = reversed();
    expect(posted(story)).toEqual(["PA", "RV"]);
    expect(view(story).state).not.toBe("FINAL");
    look(story, {
      ...approval(),
      is: "approved",
      id: "booking-1",
      resultCode: "",
      description: "",
      review: false,
      issuer: {},
      registrationId: "reg-1",
    });
    expect(story.payment.attempts.at(-1)?.operation).toMatchObject({ paymentType: "DR", referencedId: "reg-1" });
    expect(view(story.answer(approval(0, "dr-1")))).toMatchObject({ state: "FINAL", outcome: "FAILED" });
  });

  test("is given up where no query tells of it for the whole unknown window", () => {
    const story = reversed();
    for (let looks = 0; looks < 40; looks += 1) look(story, uncertain);
    expect(view(story)).toMatchObject({ state: "FINAL" });
    expect(posted(story)).toEqual(["PA", "RV"]);
  });
});

describe("a capture, refund or increment", () => {
  test.each([
    ["CAPTURE", "CP"],
    ["LINKED_REFUND", "RF"],
    ["INCREMENT", "PA"],
  ] as const)("%s asks for one %s on its original, and tells it the end", (kind, paymentType) => {
    const story = begun(kind);
    expect(story.payment.attempts.map(({ operation }) => operation)).toMatchObject([
      { paymentType, referencedId: "original-1", amount: 1234 },
    ]);
    story.answer(approval(1234, "own-1"));
    expect(view(story)).toMatchObject({ outcome: "APPROVED", approvedAmount: "12.34", of: "pay_0" });
    expect(owed(story.payment)[0]).toMatchObject({ do: "tell-originals", originals: ["pay_0"] });
    expect(isOverExceptLateQueries(story.meets({ on: "original-told" }).payment)).toBe(true);
  });

  test.each([["CAPTURE"], ["LINKED_REFUND"]] as const)(
    "%s is asked for again where certainly nothing was booked, and can be called off until then",
    (kind) => {
      const story = begun(kind).answer(notSent);
      expect(view(story)).toMatchObject({ state: "RESOLVING" });
      expect(posted(story.meets({ on: "woken" }, 5_000))).toHaveLength(2);
      const calledOff = begun(kind).answer(notSent).meets({ on: "cancel" });
      expect(view(calledOff)).toMatchObject({ outcome: "CANCELLED" });
    },
  );

  test("of which nothing is heard and nothing found within the window has failed, and is never asked for a second time", () => {
    for (const kind of ["CAPTURE", "LINKED_REFUND", "INCREMENT"]) {
      const story = neverShown(begun(kind).answer(silence));
      expect(view(story), kind).toMatchObject({ outcome: "FAILED", reason: { code: "gateway-unreached" } });
      expect(story.payment.attempts, kind).toHaveLength(1);
    }
  });

  test("that shows up late after all is reversed where that can be, else given back where it was captured, and told either way", () => {
    const late = (kind: string): Story => {
      const story = neverShown(begun(kind).answer(silence));
      const { paymentType } = story.payment.attempts[0]?.operation ?? { paymentType: "CP" };
      return found(story, original, {
        id: "own-1",
        merchantTransactionId: story.newest(),
        referencedId: "original-1",
        paymentType,
        answer: approval(1234, "own-1"),
      });
    };
    expect(view(late("CAPTURE"))).toMatchObject({ outcome: "FAILED", lateBooking: true });
    expect(posted(late("CAPTURE"))).toEqual(["CP", "RV"]);
    const kept = late("CAPTURE").answer({ is: "not-reversible", ...said });
    expect(posted(kept.meets({ on: "woken" }, 60_000))).toEqual(["CP", "RV", "RF"]);
    expect(kept.payment.attempts.at(-1)?.operation).toMatchObject({
      referencedId: "own-1",
      amount: 1234,
      currency: "EUR",
    });
    expect(posted(late("INCREMENT"))).toEqual(["PA", "RV"]);
    expect(view(late("LINKED_REFUND"))).toMatchObject({ outcome: "FAILED", lateBooking: true });
    expect(posted(late("LINKED_REFUND"))).toEqual(["RF"]);
  });

  const nothingLeft: Answer = { is: "not-booked", why: "refused", lacks: "original", ...said };

  test("that the gateway declines or refuses books nothing, also because too little is left of its original", () => {
    expect(view(begun("LINKED_REFUND").answer(refusal()))).toMatchObject({
      outcome: "DECLINED",
      reason: { code: "host-declined" },
    });
    const gatewayRefused = { outcome: "FAILED", reason: { code: "gateway-refused" } };
    expect(view(begun("CAPTURE").answer({ is: "not-booked", why: "refused", ...said }))).toMatchObject(gatewayRefused);
    for (const kind of ["CAPTURE", "LINKED_REFUND", "INCREMENT"]) {
      const story = begun(kind).answer(nothingLeft).meets({ on: "original-told" });
      expect([view(story), owed(story.payment)], kind).toMatchObject([gatewayRefused, []]);
    }
  });

  test("the gateway does not let the bridge in to capture is made once it does: that told nothing about the money", () => {
    const story = approved().answer({
      is: "not-booked",
      why: "refused",
      lacks: "access",
      resultCode: "800.900.300",
      description: "",
    });
    expect(view(story).capture).toBe("pending");
    expect(alarmsOf(approved().payment, story.payment).map(({ what }) => what)).toEqual([
      "the gateway does not let the bridge in",
    ]);
    story.meets({ on: "woken" }, 5_000).answer(approval(1234, "capture-2"));
    expect([view(story).capture, story.payment.attempts.length]).toEqual(["captured", 3]);
  });

  test("goes on after a restart: it has nothing to do with a terminal", () => {
    const story = begun("CAPTURE").meets({ on: "restarted" });
    expect(owed(story.payment)).toMatchObject([{ do: "search", original: { id: "original-1" } }]);
    const own = {
      id: "own-1",
      merchantTransactionId: story.newest(),
      referencedId: "original-1",
      paymentType: "CP",
      answer: approval(1234, "own-1"),
    };
    expect(view(found(story, original, own))).toMatchObject({ outcome: "APPROVED" });
  });

  test("the last of its reservation says so", () => {
    expect(
      new Story({ ...followUp("CAPTURE"), last: true }).meets({ on: "woken" }).payment.attempts[0]?.operation.sequence,
    ).toBe("FINAL");
  });
});

describe("an operator's word", () => {
  const resolve = (as: "reversed" | "approved" | "declined") =>
    ({ on: "resolved", as, by: "alice", reason: "the acquirer says so", gatewayId: "g-1" }) as const;

  test("counts only past the unknown window, and closes the payment for good", () => {
    const story = begun("LINKED_REFUND").answer(silence).meets(resolve("approved"));
    expect(story.names()).not.toContain("resolved");
    story.meets(resolve("approved"), 1_800_000);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", gateway: { id: "g-1" } });
    expect(story.facts.find(({ fact }) => fact === "resolved")).toMatchObject({
      by: "alice",
      reason: "the acquirer says so",
    });
    const reversed = begun("LINKED_REFUND").answer(silence).meets(resolve("reversed"), 1_800_000);
    expect(view(reversed)).toMatchObject({ outcome: "FAILED", reason: { code: "operator-reversed" } });
  });

  test("never contradicts what a register was told", () => {
    const story = new Story(sale)
      .meets({ on: "leased" })
      .meets({ on: "card", card: chipCard })
      .answer(silence)
      .meets({ on: "woken" }, 60_000);
    story.meets({ on: "woken" }, 60_000).meets(resolve("approved"), 1_800_000);
    expect(story.names()).not.toContain("resolved");
    expect(view(story.meets(resolve("reversed")))).toMatchObject({ outcome: "FAILED" });
  });
});

test("a refund of what somebody has taken back meanwhile ends, and is not asked for again", () => {
  const reversal: Found = { id: "rv-9", referencedId: "original-1", paymentType: "RV", answer: approval(1234, "rv-9") };
  const after = (...shown: readonly Found[]): readonly unknown[] => {
    const story = begun("LINKED_REFUND").answer({ is: "not-booked", why: "gateway-down", ...said });
    for (let looks = 0; looks < 62 && story.payment.attempts[0]?.standing === "open"; looks += 1)
      found(story, ...shown);
    return [view(story.meets({ on: "woken" }, 60_000)).outcome, ...posted(story)];
  };
  expect([after(original), after(original, reversal)]).toEqual([
    [undefined, "RF", "RF"],
    ["FAILED", "RF"],
  ]);
});
