import { describe, expect, test } from "vitest";
import { alarmsOf } from "../../../src/engine/shell/alarms.ts";
import type { Answer } from "../../../src/payment/fact/answer.ts";
import { cancellation } from "../../../src/payment/machine/decide.ts";
import { owed } from "../../../src/payment/machine/owed.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import {
  approval,
  approved,
  authorizing,
  chipCard,
  completing,
  notSent,
  refusal,
  Story,
  sale,
  silence,
} from "../../support/sale.ts";

const does = (story: Story): readonly string[] =>
  owed(story.payment).map((effect) => (effect.do === "post" ? `post ${effect.operation.paymentType}` : effect.do));
const view = (story: Story) => viewOf(story.payment);
const searched = (story: Story, afterMs: number) =>
  story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } }, afterMs);
const found = (story: Story, answer = approval(), afterMs = 100) =>
  story.meets(
    {
      on: "searched",
      merchantTransactionId: story.booking(),
      result: {
        is: "found",
        bookings: [{ id: "booking-1", merchantTransactionId: story.booking(), paymentType: "PA", answer }],
      },
    },
    afterMs,
  );

describe("a card that waits for its issuer", () => {
  const script = { tag: "72", value: "9F180400000001" };
  /** The same answer, whose issuer sends the card a code, a cryptogram and a script. */
  const withScript = (answer: Answer, arc: string): Answer => {
    const issuer = { iccDataResponse: `8A02${arc}910A11223344556677883030${script.tag}07${script.value}` };
    return answer.is === "approved" || answer.is === "declined" ? { ...answer, issuer } : answer;
  };
  const told = ({ payment }: Story) => owed(payment).flatMap((one) => (one.do === "complete" ? [one.issuer] : []));

  test.each([
    ["approved", "3030", approval()],
    ["declined", "3531", refusal()],
  ] as const)("%s is told its code, its cryptogram and its scripts", (verdict, arc, answer) => {
    const whole = { verdict, arc, authentication: "11223344556677883030", scripts: [script] };
    expect(told(authorizing().answer(withScript(answer, arc)))).toEqual([whole]);
    expect(told(found(authorizing().answer(silence), withScript(answer, arc)))).toEqual([whole]);
  });

  test("is told nothing that an issuer said of an approval that must not stand, or once the register has cancelled", () => {
    const part = withScript(approval(1000), "3030");
    expect(told(authorizing({ ...sale, allowPartialApproval: false }).answer(part))).toEqual([
      { verdict: "declined", arc: "3035", scripts: [] },
    ]);
    expect(told(authorizing().meets({ on: "cancel" }))).toEqual([
      { verdict: "unable-to-go-online", arc: "5A33", scripts: [] },
    ]);
  });
});

describe("an approved chip sale", () => {
  test("goes from lease to capture, one durable step after another", () => {
    const story = new Story();
    expect(does(story)).toEqual(["lease"]);
    expect(does(story.meets({ on: "leased" }))).toEqual(["collect", "wake"]);
    expect(view(story).state).toBe("AWAITING_CARD");
    expect(does(story.meets({ on: "card", card: chipCard }))).toEqual(["post PA", "wake", "wake"]);
    expect(view(story).state).toBe("AUTHORIZING");
    expect(does(story.answer(approval()))).toEqual(["complete", "wake"]);
    expect(view(story).state).toBe("COMPLETING");
    story.meets({ on: "finished", verdict: "approved", chip: { cryptogramType: "TC" } });
    expect(does(story)).toEqual(["release", "post CP"]);
    expect(view(story)).toMatchObject({
      state: "FINAL",
      outcome: "APPROVED",
      decision: "approved",
      approvedAmount: "12.34",
      capture: "pending",
    });
    story.answer(approval(1234, "capture-1")).meets({ on: "released" });
    expect(view(story)).toMatchObject({ capture: "captured", capturedAmount: "12.34" });
    expect(owed(story.payment)).toEqual([]);
  });

  test("has its capture on disk in the same append as its conclusion", () => {
    const names = approved().names();
    expect(names.slice(-2)).toEqual(["concluded", "attempt-intended"]);
  });

  test("needs no capture on a single-message channel", () => {
    const story = approved({ ...sale, channel: { ...sale.channel, settlement: "single" } });
    expect(story.payment.attempts.map(({ operation }) => operation.paymentType)).toEqual(["DB"]);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", capturedAmount: "12.34" });
    expect(view(story).capture).toBeUndefined();
  });

  test("goes the way of its card's brand, where the channel names that", () => {
    const booked = (
      settlementByBrand: Record<string, "dual" | "single">,
      settlement: "dual" | "single",
    ): readonly string[] =>
      approved({ ...sale, channel: { ...sale.channel, settlement, settlementByBrand } }).payment.attempts.map(
        ({ operation }) => operation.paymentType,
      );
    expect(booked({ VISA: "single" }, "dual")).toEqual(["DB"]);
    expect(booked({ MASTER: "single" }, "dual")).toEqual(["PA", "CP"]);
    expect(booked({ VISA: "dual", MASTER: "single" }, "single")).toEqual(["PA", "CP"]);
  });

  test("of a part is told as such, and only where the register allowed it", () => {
    const part = authorizing().answer(approval(1000)).meets({ on: "finished", verdict: "approved", chip: {} });
    expect(view(part)).toMatchObject({ outcome: "PARTIALLY_APPROVED", approvedAmount: "10.00" });
    const unwanted = authorizing({ ...sale, allowPartialApproval: false }).answer(approval(1000));
    expect(view(unwanted)).toMatchObject({ decision: "not-approved", reason: { code: "partial-refused" } });
    expect(does(unwanted)).toContain("post RV");
  });
});

describe("a sale that the host declines", () => {
  test("is declined at once, and the card is told with the issuer's own data", () => {
    const story = authorizing().answer(refusal("host-declined"));
    expect(view(story)).toMatchObject({
      state: "COMPLETING",
      decision: "not-approved",
      reason: { code: "host-declined" },
    });
    expect(story.payment.terminal).toMatchObject({ at: "completing", issuer: { verdict: "declined", arc: "3035" } });
    story.meets({ on: "finished", verdict: "declined", chip: {} });
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED" });
  });

  test("never books anything again", () => {
    const story = authorizing().answer(refusal()).meets({ on: "finished", verdict: "declined", chip: {} });
    expect(story.payment.attempts).toHaveLength(1);
  });
});

describe("a card that refuses after the host approved", () => {
  test("has the booking reversed before the payment is final", () => {
    const story = completing().meets({ on: "finished", verdict: "declined", chip: { cryptogramType: "AAC" } });
    expect(view(story)).toMatchObject({
      state: "REVERSING",
      decision: "not-approved",
      reason: { code: "card-declined" },
    });
    expect(does(story)).toContain("post RV");
    story.answer(approval(1234, "reversal-1"));
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED" });
  });

  test("because its holder took it out too early has not declined: he may try again", () => {
    const story = completing().meets({ on: "finished", verdict: "declined", chip: {}, removed: true });
    expect(view(story)).toMatchObject({
      state: "REVERSING",
      decision: "not-approved",
      reason: { code: "card-removed" },
    });
    story.answer(approval(1234, "reversal-1"));
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "CANCELLED", reason: { advice: "retry" } });
    const refused = authorizing()
      .answer(refusal())
      .meets({ on: "finished", verdict: "declined", chip: {}, removed: true });
    expect(view(refused)).toMatchObject({ outcome: "DECLINED", reason: { code: "host-declined" } });
  });

  test("has the reversal repeated until it is answered", () => {
    const story = completing().meets({ on: "finished", verdict: "declined", chip: {} }).answer(silence);
    expect(view(story).state).toBe("REVERSING");
    story.meets({ on: "woken" }, 6_000);
    expect(story.payment.attempts.map(({ operation }) => operation.paymentType)).toEqual(["PA", "RV", "RV"]);
    story.answer(approval(1234, "reversal-2"));
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED" });
  });

  test("believes 'already reversed' only when a linked query shows the reversal", () => {
    const story = completing().meets({ on: "finished", verdict: "declined", chip: {} });
    story.answer({ is: "already-reversed", resultCode: "700.300.300", description: "" });
    expect(view(story).state).toBe("REVERSING");
    expect(owed(story.payment).some((effect) => effect.do === "search")).toBe(true);
    const own = { id: "booking-1", merchantTransactionId: story.booking(), paymentType: "PA", answer: approval() };
    const reversal = { id: "r", referencedId: "booking-1", paymentType: "RV", answer: approval(1234, "r") };
    story.meets({
      on: "searched",
      merchantTransactionId: story.booking(),
      result: { is: "found", bookings: [own, reversal] },
    });
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "DECLINED" });
  });
});

describe("a lost reply", () => {
  test("is searched for at once and after 30 s while the card waits, and adopted with the issuer's data", () => {
    const story = authorizing().answer(silence, 45_000);
    const search = owed(story.payment).find((effect) => effect.do === "search");
    expect(search).toMatchObject({ urgency: "card", at: story.now });
    found(story);
    expect(story.payment.terminal).toMatchObject({ at: "completing", issuer: { verdict: "approved" } });
  });

  test("found without the issuer's data is not adopted but reversed", () => {
    const bare = { ...approval(), issuer: {} } as const;
    const story = found(authorizing().answer(silence, 45_000), bare);
    expect(story.payment.terminal).toMatchObject({ at: "completing", issuer: { verdict: "declined" } });
    expect(view(story).reason?.code).toBe("outcome-unknown");
    expect(does(story)).toContain("post RV");
  });

  test("not found in time ends the card's wait with 'unable to go online', and goes on being looked for", () => {
    const story = authorizing().answer(silence, 45_000);
    searched(searched(story, 100), 29_000).meets({ on: "woken" }, 1_000);
    expect(story.payment.terminal).toMatchObject({
      at: "completing",
      issuer: { verdict: "unable-to-go-online", arc: "5A33" },
    });
    story.meets({ on: "finished", verdict: "declined", chip: {} });
    expect(view(story)).toMatchObject({
      state: "RESOLVING",
      decision: "not-approved",
      reason: { code: "outcome-unknown" },
    });
    found(story, approval(), 60_000);
    expect(view(story).state).toBe("REVERSING");
    story.answer(approval(1234, "rv"));
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
  });

  test("is called 'not there' only after the whole unknown window of empty answers, and a late booking is still reversed and told", () => {
    const story = authorizing()
      .answer(silence, 45_000)
      .meets({ on: "woken" }, 40_000)
      .meets({ on: "finished", verdict: "declined", chip: {} });
    searched(story, 10_000);
    searched(story, 1_700_000);
    expect(view(story).state).toBe("RESOLVING");
    searched(story, 200_000);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
    expect(owed(story.payment).find((effect) => effect.do === "search")).toMatchObject({ at: story.now + 3_600_000 });
    found(story, approval(), 3_600_000);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED", lateBooking: true });
    expect(does(story)).toContain("post RV");
  });
});

describe("a gateway that was not reached", () => {
  test("ends the payment with nothing booked and nothing to look for", () => {
    const story = authorizing().answer(notSent);
    expect(story.payment.terminal).toMatchObject({ at: "completing", issuer: { verdict: "unable-to-go-online" } });
    story.meets({ on: "finished", verdict: "declined", chip: {} });
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED", reason: { code: "gateway-unreached" } });
    expect(does(story)).toEqual(["release"]);
  });
});

describe("a request that the gateway refuses", () => {
  const refused = { is: "not-booked", why: "refused", resultCode: "600.200.202", description: "" } as const;

  test.each([
    [{ ...refused, lacks: "setup" } as const, "channel-not-set-up"],
    [refused, "gateway-refused"],
  ])("%j ends the payment as %s, with nothing booked and the card told that there was no answer", (answer, code) => {
    const story = authorizing().answer(answer);
    expect(story.payment.terminal).toMatchObject({ at: "completing", issuer: { verdict: "unable-to-go-online" } });
    story.meets({ on: "finished", verdict: "declined", chip: {} });
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED", reason: { code, advice: "call-support" } });
    expect(does(story)).toEqual(["release"]);
  });

  test("because its channel is not set up is told to people, each time", () => {
    const story = authorizing();
    const before = story.payment;
    expect(alarmsOf(before, story.answer({ ...refused, lacks: "setup" }).payment)).toMatchObject([
      { mend: expect.stringContaining("`settlement`") },
    ]);
  });
});

describe("a cancel by the register", () => {
  test("before a card came calls the terminal off", () => {
    const story = new Story().meets({ on: "leased" }).meets({ on: "cancel" });
    expect(does(story)).toEqual(["collect", "call-off", "wake"]);
    expect(view(story).decision).toBe("not-approved");
    story.meets({ on: "cancelled", by: "register" });
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "CANCELLED", reason: { code: "register-cancelled" } });
  });

  test("while queued ends it without a terminal", () => {
    const story = new Story().meets({ on: "queued" }).meets({ on: "cancel" });
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "CANCELLED" });
    expect(does(story)).toEqual([]);
    expect(story.meets({ on: "leased" }).payment.leased).toBe(false);
  });

  test("while the host is asked is accepted, and an approval that arrives is reversed and the card told no", () => {
    const story = authorizing().meets({ on: "cancel" });
    expect(cancellation(story.payment)).toBe("accepted");
    expect(story.payment.terminal).toMatchObject({ at: "completing", issuer: { verdict: "unable-to-go-online" } });
    story.answer(approval());
    expect(does(story)).toEqual(["complete", "post RV", "wake"]);
    story.answer(approval(1234, "rv")).meets({ on: "finished", verdict: "declined", chip: {} });
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "CANCELLED" });
  });

  test("after the issuer's answer went to the card is too late, and changes nothing", () => {
    const story = completing();
    expect(cancellation(story.payment)).toBe("too-late");
    story.meets({ on: "cancel" });
    expect(story.payment.cancelAskedAt).toBeUndefined();
    expect(cancellation(approved().payment)).toBe("already-final");
  });
});

describe("a terminal that ends it", () => {
  test.each([
    [{ on: "no-card", why: "timeout" }, "CANCELLED", "card-timeout"],
    [{ on: "no-card", why: "pin-timeout" }, "CANCELLED", "pin-timeout"],
    [{ on: "no-card", why: "removed" }, "CANCELLED", "card-removed"],
    [{ on: "no-card", why: "chip-unreadable" }, "FAILED", "chip-unreadable"],
    [{ on: "no-card", why: "blocked" }, "DECLINED", "blocked-card"],
    [{ on: "cancelled", by: "customer" }, "CANCELLED", "customer-cancelled"],
    [{ on: "terminal-failed", code: "no-answer", detail: "" }, "FAILED", "terminal-lost"],
    [{ on: "terminal-failed", code: "keys-missing", detail: "" }, "FAILED", "keys-missing"],
    [{ on: "terminal-failed", code: "tampered", detail: "" }, "FAILED", "terminal-tampered"],
    [{ on: "terminal-failed", code: "misconfigured", detail: "" }, "FAILED", "terminal-misconfigured"],
    [{ on: "terminal-failed", code: "refused", detail: "" }, "FAILED", "terminal-refused"],
    [{ on: "card", card: { ...chipCard, decision: "approved-offline" } }, "FAILED", "offline-approved"],
    [{ on: "card", card: { ...chipCard, decision: "declined-offline" } }, "DECLINED", "card-declined"],
  ] as const)("while a card is awaited: %j is %s, %s, without a request to the gateway", (what, outcome, reason) => {
    const story = new Story().meets({ on: "leased" }).meets(what);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome, reason: { code: reason } });
    expect(story.payment.attempts).toEqual([]);
  });

  test("unplugged while the host is asked: the answer is awaited and an approval reversed", () => {
    const story = authorizing().meets({ on: "terminal-failed", code: "no-answer", detail: "unplugged" });
    expect(view(story)).toMatchObject({ state: "RESOLVING", reason: { code: "terminal-lost" } });
    story.answer(approval());
    expect(view(story).state).toBe("REVERSING");
    story.answer(approval(1234, "rv"));
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
  });

  test("unplugged after the host's approval went to the card: the card's word is lost, the booking reversed", () => {
    const story = completing().meets({ on: "terminal-failed", code: "no-answer", detail: "unplugged" });
    expect(view(story)).toMatchObject({ state: "REVERSING", reason: { code: "completion-lost" } });
  });

  test("hung is given up after its limits", () => {
    const story = new Story().meets({ on: "leased" }).meets({ on: "woken" }, 180_001);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED", reason: { code: "terminal-lost" } });
    const hungLater = completing().meets({ on: "woken" }, 30_001);
    expect(view(hungLater).reason?.code).toBe("completion-lost");
  });
});

describe("a restart of the bridge", () => {
  test.each([
    ["created", new Story()],
    ["queued", new Story().meets({ on: "queued" })],
    ["awaiting a card", new Story().meets({ on: "leased" })],
  ])("while %s cancels the payment", (_name, story) => {
    story.meets({ on: "restarted" });
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "CANCELLED", reason: { code: "bridge-restarted" } });
  });

  test("while authorizing searches, reverses what it finds, and never adopts", () => {
    const story = authorizing().meets({ on: "restarted" });
    expect(view(story)).toMatchObject({ state: "RESOLVING", decision: "not-approved" });
    found(story);
    expect(view(story).state).toBe("REVERSING");
    story.answer(approval(1234, "rv"));
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
  });

  test("while completing reverses: the card's word is lost", () => {
    expect(view(completing().meets({ on: "restarted" }))).toMatchObject({
      state: "REVERSING",
      reason: { code: "completion-lost" },
    });
  });

  test("with a capture on the wire asks before it captures again", () => {
    const story = approved().meets({ on: "restarted" });
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "APPROVED", capture: "pending" });
    const capture = story.newest();
    expect(does(story)).toEqual(["search"]);
    const own = { id: "booking-1", merchantTransactionId: story.booking(), paymentType: "PA", answer: approval() };
    const without = { is: "found", bookings: [own] } as const;
    story.meets({ on: "searched", merchantTransactionId: capture, result: without });
    expect(does(story)).toEqual(["search"]);
    story
      .meets({ on: "searched", merchantTransactionId: capture, result: without }, 1_801_000)
      .meets({ on: "woken" }, 6_000);
    expect(does(story)).toEqual(["post CP"]);
    expect(story.newest()).not.toBe(capture);
  });

  test("with a capture that was booked adopts it", () => {
    const story = approved().meets({ on: "restarted" });
    const capture = {
      id: "c",
      merchantTransactionId: story.newest(),
      referencedId: "booking-1",
      paymentType: "CP",
      answer: approval(1234, "c"),
    };
    story.meets({
      on: "searched",
      merchantTransactionId: story.newest(),
      result: { is: "found", bookings: [capture] },
    });
    expect(view(story).capture).toBe("captured");
  });
});

describe("a queued request", () => {
  test.each(["woken", "leased"] as const)(
    "that is too old when the terminal becomes free is refused, also where that is the first it hears of the time (%s)",
    (on) => {
      const story = new Story({ ...sale, expiresAt: sale.at + 5_000 }).meets({ on: "queued" }).meets({ on }, 5_001);
      expect(story.names()).not.toContain("collecting");
      expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED", reason: { code: "request-expired" } });
    },
  );
});
