import { describe, expect, test } from "vitest";
import { alarmsOf } from "../../../src/engine/alarms.ts";
import type { Answer, Found } from "../../../src/payment/answer.ts";
import { isOverButForLooks, owed } from "../../../src/payment/owed.ts";
import { followUpOf } from "../../../src/payment/totals.ts";
import { viewOf } from "../../../src/payment/view.ts";
import { approval, approved, chipCard, followUp, KINDS, notSent, refusal, Story, sale, silence } from "../../support/sale.ts";

const said = { resultCode: "1.1", description: "" };
const TC = { on: "finished", verdict: "approved", chip: {} } as const;
const view = (story: Story) => viewOf(story.payment);
const posted = (story: Story): readonly string[] => story.payment.attempts.map(({ operation }) => operation.paymentType);
const begun = (kind: string): Story => new Story(KINDS[kind]).meets({ on: "woken" });
const presented = (kind: string): Story =>
  begun(kind)
    .meets({ on: "leased" })
    .meets({ on: "card", card: { ...chipCard, decision: "declined-offline" } });

function found(story: Story, ...bookings: readonly Found[]): Story {
  return story.meets({ on: "searched", merchantTransactionId: story.newest(), result: { is: "found", bookings } }, 31_000);
}
const original: Found = { id: "original-1", paymentType: "PA", answer: approval(1234, "original-1") };

/** Empty answers that show the original and nothing else, until the unknown window has passed. */
function neverShown(story: Story): Story {
  for (let look = 0; look < 70; look += 1) found(story, original);
  return story;
}

describe("a preauthorization", () => {
  test("reserves, and captures nothing by itself", () => {
    const story = begun("PREAUTHORIZATION").meets({ on: "leased" }).meets({ on: "card", card: chipCard }).answer(approval()).meets(TC);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", approvedAmount: "12.34" });
    expect(posted(story)).toEqual(["PA"]);
    expect(view(story).capture).toBeUndefined();
  });

  test("knows what was captured, added and refunded of it, and who voided it", () => {
    const story = begun("PREAUTHORIZATION").meets({ on: "leased" }).meets({ on: "card", card: chipCard }).answer(approval()).meets(TC);
    const by = { payment: "pay_5", type: "CAPTURE", outcome: "APPROVED", amount: 1000, id: "cp-1", target: "booking-1" } as const;
    story.meets({ on: "followed", by }).meets({ on: "followed", by });
    expect(view(story)).toMatchObject({ capturedAmount: "10.00" });
    story.meets({ on: "followed", by: { payment: "pay_6", type: "VOID", outcome: "APPROVED", amount: 0, target: "cp-1" } });
    expect(view(story).capturedAmount).toBeUndefined();
    expect(view(story).voidedBy).toBeUndefined();
    story.meets({ on: "followed", by: { payment: "pay_7", type: "VOID", outcome: "APPROVED", amount: 0, target: "booking-1" } });
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
    const own = { id: "cd-1", merchantTransactionId: story.newest(), paymentType: "CD", answer: approval(1234, "cd-1") };
    expect(view(found(story, own))).toMatchObject({ outcome: "APPROVED" });
    expect(posted(story)).toEqual(["CD"]);
  });

  test("goes on after a restart as if nothing had been", () => {
    const story = presented("REFUND").meets({ on: "restarted" });
    expect(owed(story.payment)).toContainEqual(expect.objectContaining({ do: "search" }));
    const own = { id: "cd-1", merchantTransactionId: story.newest(), paymentType: "CD", answer: approval(1234, "cd-1") };
    expect(view(found(story, own))).toMatchObject({ outcome: "APPROVED" });
  });
});

describe("a registration", () => {
  test("stores the card, takes no money, and names the registration", () => {
    const story = begun("REGISTRATION").meets({ on: "leased" }).meets({ on: "card", card: chipCard });
    expect(story.payment.attempts[0]?.operation).not.toHaveProperty("amount");
    story.answer({ ...approval(), is: "approved", id: "reg-1", resultCode: "000.100.110", description: "", review: false, issuer: {} }).meets(TC);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", gateway: { registrationId: "reg-1" } });
    expect(view(story).amount).toBeUndefined();
  });

  test("that the card refuses is deleted, and until then not final", () => {
    const story = begun("REGISTRATION").meets({ on: "leased" }).meets({ on: "card", card: chipCard }).answer(approval(0, "reg-1"));
    story.meets({ on: "finished", verdict: "declined", chip: {} });
    expect(posted(story)).toEqual(["RG", "DR"]);
    expect(view(story).state).not.toBe("FINAL");
    expect(view(story.answer({ is: "already-reversed", ...said }))).toMatchObject({ outcome: "DECLINED", reason: { code: "card-declined" } });
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
  const booking = (story: Story, answer: Answer): Found => ({ id: "booking-1", merchantTransactionId: story.booking(), paymentType: "PA", answer });
  const look = (story: Story, answer: Answer): Story =>
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings: [booking(story, answer)] } }, 61_000);
  const reversed = (): Story => {
    const story = begun("SALE that stores the card").meets({ on: "leased" }).meets({ on: "card", card: chipCard }).answer(uncertain);
    look(look(story.meets({ on: "terminal-failed", code: "no-answer", detail: "" }), uncertain), uncertain);
    return story.answer(approval(1234, "rv-1"));
  };

  test("is asked for once the money is back, and deleted", () => {
    const story = reversed();
    expect(posted(story)).toEqual(["PA", "RV"]);
    expect(view(story).state).not.toBe("FINAL");
    look(story, { ...approval(), is: "approved", id: "booking-1", resultCode: "", description: "", review: false, issuer: {}, registrationId: "reg-1" });
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
    expect(story.payment.attempts.map(({ operation }) => operation)).toMatchObject([{ paymentType, referencedId: "original-1", amount: 1234 }]);
    story.answer(approval(1234, "own-1"));
    expect(view(story)).toMatchObject({ outcome: "APPROVED", approvedAmount: "12.34", of: "pay_0" });
    expect(owed(story.payment)[0]).toMatchObject({ do: "tell-originals", originals: ["pay_0"] });
    expect(isOverButForLooks(story.meets({ on: "original-told" }).payment)).toBe(true);
  });

  test.each([["CAPTURE"], ["LINKED_REFUND"]] as const)("%s is asked for again where certainly nothing was booked, and can be called off until then", (kind) => {
    const story = begun(kind).answer(notSent);
    expect(view(story)).toMatchObject({ state: "RESOLVING" });
    expect(posted(story.meets({ on: "woken" }, 5_000))).toHaveLength(2);
    const calledOff = begun(kind).answer(notSent).meets({ on: "cancel" });
    expect(view(calledOff)).toMatchObject({ outcome: "CANCELLED" });
  });

  test("of which nothing is heard and nothing found within the window has failed, and is never asked for a second time", () => {
    for (const kind of ["CAPTURE", "LINKED_REFUND", "INCREMENT"]) {
      const story = neverShown(begun(kind).answer(silence));
      expect(view(story), kind).toMatchObject({ outcome: "FAILED", reason: { code: "gateway-unreached" } });
      expect(story.payment.attempts, kind).toHaveLength(1);
    }
  });

  test("that shows up late after all is reversed where that can be, and told either way", () => {
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
    expect(posted(late("INCREMENT"))).toEqual(["PA", "RV"]);
    expect(view(late("LINKED_REFUND"))).toMatchObject({ outcome: "FAILED", lateBooking: true });
    expect(posted(late("LINKED_REFUND"))).toEqual(["RF"]);
  });

  const nothingLeft: Answer = { is: "not-booked", why: "refused", lacks: "original", ...said };

  test("that the gateway declines or refuses books nothing; because of what is left of its original it is believed past the unknown window", () => {
    expect(view(begun("LINKED_REFUND").answer(refusal()))).toMatchObject({ outcome: "DECLINED", reason: { code: "host-declined" } });
    const gatewayRefused = { outcome: "FAILED", reason: { code: "gateway-refused" } };
    expect(view(begun("CAPTURE").answer({ is: "not-booked", why: "refused", ...said }))).toMatchObject(gatewayRefused);
    const story = begun("CAPTURE").answer(nothingLeft);
    expect([view(story).state, owed(story.payment).map((one) => one.do)]).toEqual(["RESOLVING", ["search"]]);
    expect(view(found(story, original)).state).toBe("RESOLVING");
    expect(view(neverShown(story))).toMatchObject(gatewayRefused);
    const own = { id: "own-1", merchantTransactionId: story.newest(), referencedId: "original-1", paymentType: "CP", answer: approval(1234, "own-1") };
    expect(view(found(story, original, own))).toMatchObject({ outcome: "FAILED", lateBooking: true });
  });

  test.each(["CAPTURE", "LINKED_REFUND"] as const)("that arrived twice, and whose second request met what the first had taken, is approved: %s", (type) => {
    const paymentType = type === "CAPTURE" ? ("CP" as const) : ("RF" as const);
    const story = begun(type).answer({ is: "already-reversed", ...said });
    const own = { id: "own-1", merchantTransactionId: story.newest(), referencedId: "original-1", paymentType, answer: approval(1234, "own-1") };
    const twin = { ...own, id: "own-2", answer: { is: "already-reversed", id: "own-2", ...said } } as const;
    expect(view(found(story, original, twin, own))).toMatchObject({ outcome: "APPROVED", gateway: { id: "own-1" } });
  });

  test("that was refused and whose original no query shows is believed past the unknown window", () => {
    const story = begun("LINKED_REFUND").answer(nothingLeft);
    const look = (afterMs: number) => story.meets({ on: "searched", merchantTransactionId: story.newest(), result: { is: "absent" } }, afterMs);
    look(100);
    expect(view(look(sale.rules.unknownWindowMs - 1_000)).state).toBe("RESOLVING");
    expect(view(look(1_000))).toMatchObject({ outcome: "FAILED", reason: { code: "gateway-refused" } });
  });

  test("the gateway does not let the bridge in to capture is made once it does: that told nothing about the money", () => {
    const story = approved().answer({ is: "not-booked", why: "refused", lacks: "access", resultCode: "800.900.300", description: "" });
    expect(view(story).capture).toBe("pending");
    expect(alarmsOf(approved().payment, story.payment).map(({ what }) => what)).toEqual(["the gateway does not let the bridge in"]);
    story.meets({ on: "woken" }, 5_000).answer(approval(1234, "capture-2"));
    expect([view(story).capture, story.payment.attempts.length]).toEqual(["captured", 3]);
  });

  test("goes on after a restart: it has nothing to do with a terminal", () => {
    const story = begun("CAPTURE").meets({ on: "restarted" });
    expect(owed(story.payment)).toMatchObject([{ do: "search", original: { id: "original-1" } }]);
    const own = { id: "own-1", merchantTransactionId: story.newest(), referencedId: "original-1", paymentType: "CP", answer: approval(1234, "own-1") };
    expect(view(found(story, original, own))).toMatchObject({ outcome: "APPROVED" });
  });

  test("the last of its reservation says so", () => {
    expect(new Story({ ...followUp("CAPTURE"), last: true }).meets({ on: "woken" }).payment.attempts[0]?.operation.sequence).toBe("FINAL");
  });
});

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

  test("refused for good has failed, with the advice to refund where money was captured", () => {
    const captured = new Story(followUp("VOID", { targets: [{ id: "cp-1", paymentType: "CP", amount: 1234 }] })).meets({ on: "woken" });
    captured.answer({ is: "not-reversible", ...said });
    expect(view(captured)).toMatchObject({ outcome: "FAILED", reason: { code: "void-refused", advice: "refund" } });
    expect(posted(captured)).toEqual(["RV"]);
  });

  test.each([
    ["gateway-refused", {}],
    ["channel-not-set-up", { lacks: "setup" }],
  ] as const)("whose request is refused as such has failed with %s, which tells nothing about the booking: no refund is advised", (code, lacks) => {
    const captured = new Story(followUp("VOID", { targets: [{ id: "cp-1", paymentType: "CP", amount: 1234 }] })).meets({ on: "woken" });
    captured.answer({ is: "not-booked", why: "refused", ...lacks, ...said });
    expect(view(captured)).toMatchObject({ outcome: "FAILED", reason: { code, advice: "call-support" } });
  });

  test("of two captures is not approved while a query shows the second one standing", () => {
    const targets = ["cp-1", "cp-2"].map((id) => ({ id, paymentType: "CP" as const, amount: 617 }));
    const story = new Story(followUp("VOID", { targets })).meets({ on: "woken" }).answer(approval(617, "rv-1"));
    story.answer({ is: "already-reversed", ...said });
    found(story, ...targets.map(({ id }) => ({ id, referencedId: "original-1", paymentType: "CP", answer: approval(617, id) })));
    expect(view(story).decision).toBeUndefined();
  });

  test("refused after a try without an answer has failed only once queries past the unknown window have shown the booking standing", () => {
    const story = new Story(followUp("VOID")).meets({ on: "woken" }).answer(silence).meets({ on: "woken" }, 5_000);
    story.answer({ is: "not-reversible", ...said });
    expect(view(found(story, original)).decision).toBeUndefined();
    expect(view(neverShown(story))).toMatchObject({ outcome: "FAILED" });
    expect(owed(story.meets({ on: "original-told" }).payment)).toMatchObject([{ do: "search" }]);
    const first = { id: "rv-1", merchantTransactionId: story.booking(), referencedId: "original-1", paymentType: "RV", answer: rv("rv-1") };
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings: [original, first] } }, 3_600_000);
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
    const first = { id: "rv-1", merchantTransactionId: story.booking(), referencedId: "original-1", paymentType: "RV", answer: rv("rv-1") };
    expect(view(found(story, original, first))).toMatchObject({ outcome: "APPROVED" });
  });

  describe("of which a part was carried out and the rest is refused", () => {
    const inPart = (answer: Answer): Story => {
      const story = new Story(followUp("VOID", { targets: [{ id: "original-1", paymentType: "CP", amount: 1234 }] })).meets({ on: "woken" });
      found(story.answer(approval(600, "rv-1")), original, part);
      return story.meets({ on: "woken" }, 5_000).answer(answer);
    };
    const part: Found = { id: "rv-1", referencedId: "original-1", paymentType: "RV", answer: approval(600, "rv-1") };
    const refused: Answer = { is: "not-reversible", ...said };
    const resolved = { on: "resolved", as: "approved", by: "alice", reason: "the rest was refunded by hand", gatewayId: "rf-1" } as const;

    test.each([refused, { is: "declined", why: "host-declined", held: false, issuer: {}, ...said }, { is: "already-reversed", ...said }] as const)(
      "has neither failed nor succeeded, and is tried again: $is",
      (answer) => {
        const story = inPart(answer);
        for (let look = 0; look < 70; look += 1) found(story, original, part, { ...part, id: "rf-9", paymentType: "RF", answer: approval(100, "rf-9") });
        expect(view(story).decision).toBeUndefined();
        expect(posted(story.meets({ on: "woken" }, 3_600_000)).length).toBeGreaterThan(2);
      },
    );

    test("is approved once queries show that what is left was reversed as well", () => {
      expect(view(found(inPart(refused), original, part, { ...part, id: "rv-9", answer: approval(634, "rv-9") }))).toMatchObject({ outcome: "APPROVED" });
    });

    test("is told to people, who give the rest back and close it", () => {
      const story = inPart(silence);
      const before = story.payment;
      const told = alarmsOf(before, story.meets({ on: "woken" }, 15_000).answer(refused).payment);
      expect(told.map(({ what }) => what)).toContainEqual(expect.stringContaining("took back a part of what was to be voided, and refuses the rest"));
      expect(view(story.meets(resolved, 1_800_000))).toMatchObject({ outcome: "APPROVED" });
    });
  });

  test("whose reply was lost is approved when a query shows the reversal", () => {
    const story = new Story(followUp("VOID")).meets({ on: "woken" }).answer(silence);
    const shown = { id: "rv-1", merchantTransactionId: story.newest(), referencedId: "original-1", paymentType: "RV", answer: rv("rv-1") };
    expect(view(found(story, original, shown))).toMatchObject({ outcome: "APPROVED" });
  });

  test("told that it is reversed already believes what a query shows, and nothing else", () => {
    const told = (): Story => new Story(followUp("VOID")).meets({ on: "woken" }).answer({ is: "already-reversed", ...said });
    expect(view(told()).decision).toBeUndefined();
    const other = { id: "rv-9", referencedId: "original-1", paymentType: "RV", answer: rv("rv-9") };
    expect(view(found(told(), original, other))).toMatchObject({ outcome: "APPROVED" });
    const capture: Found = { id: "cp-9", referencedId: "original-1", paymentType: "CP", answer: approval(1234, "cp-9") };
    expect(view(found(told(), original, capture))).toMatchObject({ outcome: "FAILED", reason: { code: "reversal-refused" } });
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

describe("a sale whose capture is still pending", () => {
  const selling = (): Story => new Story(sale).meets({ on: "leased" }).meets({ on: "card", card: chipCard }).answer(approval()).meets(TC);

  test("captures no more once a void has stopped that, and goes on where the void failed", () => {
    const story = selling().answer(notSent).meets({ on: "withdraw-capture", by: "pay_9" });
    expect(story.payment.captureWithdrawnBy).toBe("pay_9");
    expect(owed(story.payment).filter((effect) => effect.do !== "release")).toEqual([]);
    expect(posted(story.meets({ on: "woken" }, 900_000))).toEqual(["PA", "CP"]);
    story.meets({ on: "followed", by: { payment: "pay_9", type: "VOID", outcome: "FAILED", amount: 0, target: "booking-1" } });
    expect(posted(story.meets({ on: "woken" }, 10))).toEqual(["PA", "CP", "CP"]);
  });

  test("does not let go of a capture that may have been booked", () => {
    expect(selling().meets({ on: "withdraw-capture", by: "pay_9" }).payment.captureWithdrawnBy).toBeUndefined();
    expect(selling().answer(silence).meets({ on: "withdraw-capture", by: "pay_9" }).payment.captureWithdrawnBy).toBeUndefined();
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
    expect(story.facts.find(({ fact }) => fact === "resolved")).toMatchObject({ by: "alice", reason: "the acquirer says so" });
    const reversed = begun("LINKED_REFUND").answer(silence).meets(resolve("reversed"), 1_800_000);
    expect(view(reversed)).toMatchObject({ outcome: "FAILED", reason: { code: "operator-reversed" } });
  });

  test("never contradicts what a register was told", () => {
    const story = new Story(sale).meets({ on: "leased" }).meets({ on: "card", card: chipCard }).answer(silence).meets({ on: "woken" }, 60_000);
    story.meets({ on: "woken" }, 60_000).meets(resolve("approved"), 1_800_000);
    expect(story.names()).not.toContain("resolved");
    expect(view(story.meets(resolve("reversed")))).toMatchObject({ outcome: "FAILED" });
  });
});
