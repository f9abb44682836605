import { describe, expect, test } from "vitest";
import { openOf } from "../../../src/agent/open.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { isOverExceptLateQueries, isSettled, owed } from "../../../src/payment/machine/owed.ts";
import { resolutionProblem } from "../../../src/payment/operator/allowed-decisions.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { DAY_SEEN_MS as LATEST_SIGHT_MS } from "../../../src/payment/recovery/schedule.ts";
import {
  approval,
  approved,
  authorizing,
  type Story,
  sale,
  silence,
  storedCardSale,
  stripe,
  Story as Told,
} from "../../support/sale.ts";

/* Cards that were stored with what must not stand, and second bookings beside a capture. */

const WINDOW = sale.rules.unknownWindowMs;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const done = (id: string): Answer => ({
  is: "approved",
  id,
  resultCode: "000.100.110",
  description: "",
  review: false,
  issuer: {},
});
const stored = (id: string): Answer => {
  const booked = approval(1234, id);
  return booked.is === "approved" ? { ...booked, registrationId: `${id}-card` } : booked;
};
const view = (story: Story) => viewOf(story.payment);
const requests = (story: Story): readonly string[] =>
  story.payment.attempts
    .slice(1)
    .map(({ operation: { paymentType, referencedId } }) => `${paymentType} ${referencedId}`);

function shows(
  story: Story,
  bookings: readonly (readonly [id: string, type: string, answer: Answer])[],
  afterMs = MINUTE,
): Story {
  const merchantTransactionId = story.booking();
  const found = bookings.map(
    ([id, paymentType, answer]): Found => ({ id, merchantTransactionId, paymentType, answer }),
  );
  return story.meets({ on: "searched", merchantTransactionId, result: { is: "found", bookings: found } }, afterMs);
}

/** Both arrivals of one reservation, each with a card stored by it. */
function showsBoth(story: Story, afterMs = MINUTE): Story {
  const both = ["pa-1", "pa-2"].map((id) => [id, "PA", stored(id)] as const);
  return shows(story, both, afterMs);
}

const unplugged = (story: Story): Story => story.meets({ on: "terminal-failed", code: "no-answer", detail: "" });
const says = (story: Story, as: "reversed" | "approved", gatewayId?: string): Story =>
  story.meets({
    on: "resolved",
    as,
    by: "op",
    reason: "seen in the back office",
    ...(gatewayId !== undefined && { gatewayId }),
  });

describe("a request that stores a card and was booked twice", () => {
  test("as a REGISTRATION leaves no card where it failed, and one where it was approved", () => {
    const failed = unplugged(authorizing({ ...sale, type: "REGISTRATION", amount: 0 }).answer(silence));
    shows(failed, [
      ["reg-1", "RG", done("reg-1")],
      ["reg-2", "RG", done("reg-2")],
    ]);
    failed.answer(done("dr-1")).answer(done("dr-2"));
    expect(requests(failed)).toEqual(["DR reg-1", "DR reg-2"]);
    const approved = authorizing({ ...sale, type: "REGISTRATION", amount: 0 }).answer(silence);
    shows(
      approved,
      [
        ["reg-1", "RG", { ...done("reg-1"), ...approval(0, "reg-1") }],
        ["reg-2", "RG", done("reg-2")],
      ],
      1_000,
    );
    approved.meets({ on: "finished", verdict: "approved", chip: {} });
    expect([view(approved).outcome, requests(approved)]).toEqual(["APPROVED", ["DR reg-2"]]);
  });

  test("besides a sale that failed leaves neither card", () => {
    const story = unplugged(authorizing({ ...sale, createRegistration: true }).answer(silence));
    showsBoth(story);
    for (const id of ["rv-1", "dr-1", "rv-2", "dr-2"]) story.answer(done(id));
    expect([...requests(story)].sort()).toEqual(["DR pa-1-card", "DR pa-2-card", "RV pa-1", "RV pa-2"]);
    expect(view(story)).toMatchObject({ state: "FINAL", outcome: "FAILED" });
  });

  test("has the one card deleted as well while the gateway refuses to delete the other", () => {
    const story = unplugged(authorizing({ ...sale, createRegistration: true }).answer(silence));
    showsBoth(story);
    for (const [request, answer] of [
      ["RV pa-1", done("rv-1")],
      ["DR pa-1-card", { is: "not-booked", why: "refused", resultCode: "200.300.404", description: "" }],
      ["RV pa-2", done("rv-2")],
      ["DR pa-2-card", done("dr-2")],
    ] as const) {
      expect(requests(story).at(-1)).toBe(request);
      story.answer(answer);
    }
    expect(view(story).state).not.toBe("FINAL");
    story.meets({ on: "woken" }, HOUR).answer(done("dr-1"));
    expect([requests(story).at(-1), view(story).state]).toEqual(["DR pa-1-card", "FINAL"]);
  });

  test("has the second card deleted and the sale captured by requests of their own, also where both fall due at once", () => {
    const notSent: Answer = { is: "not-booked", why: "not-sent", resultCode: "", description: "" };
    const story = new Told({ ...sale, createRegistration: true })
      .meets({ on: "leased" })
      .meets({ on: "card", card: stripe });
    story.answer(stored("pa-1")).meets({ on: "finished", verdict: "approved", chip: {} }).meets({ on: "released" });
    story.answer(notSent);
    showsBoth(story, WINDOW);
    const answers = { CP: notSent, DR: notSent, RV: done("rv-2") };
    const answerAll = (by: Partial<Record<string, Answer>>): void => {
      for (const { operation, standing } of story.payment.attempts) {
        if (standing !== "intended") continue;
        story.meets({
          on: "answer",
          merchantTransactionId: operation.merchantTransactionId,
          answer: by[operation.paymentType] ?? notSent,
        });
      }
    };
    for (let round = 0; round < 8; round += 1) {
      answerAll(answers);
      story.meets({ on: "woken" }, HOUR);
    }
    answerAll(answers);
    story.meets({ on: "restarted" }, 2 * HOUR);
    for (let round = 0; round < 3; round += 1) answerAll({ CP: done("cp-1"), DR: done("dr-2") });
    const names = story.payment.attempts.map(({ operation }) => operation.merchantTransactionId);
    expect(new Set(names).size).toBe(names.length);
    const through = story.payment.attempts
      .filter(({ answer }) => answer?.is === "approved")
      .map(({ operation }) => operation.paymentType);
    expect([through.sort(), view(story).capture]).toEqual([["CP", "DR", "PA", "RV"], "captured"]);
  });

  test("besides a sale that is approved leaves the card of the one that counts", () => {
    const story = authorizing({ ...sale, createRegistration: true }).answer(silence);
    showsBoth(story, 1_000);
    story.answer(done("rv-2")).meets({ on: "finished", verdict: "approved", chip: {} });
    for (const id of ["cp-1", "dr-2"]) story.answer(done(id));
    expect([view(story).outcome, requests(story)]).toEqual(["APPROVED", ["RV pa-2", "CP pa-1", "DR pa-2-card"]]);
    expect(view(story).gateway?.registrationId).toBe("pa-1-card");
  });
});

test("a second stored card that the gateway refuses to delete is told to people, who delete it and close the payment", () => {
  const story = authorizing({ ...sale, createRegistration: true }).answer(silence);
  showsBoth(story, 1_000);
  story
    .answer(done("rv-2"))
    .meets({ on: "finished", verdict: "approved", chip: {} })
    .answer(done("cp-1"))
    .meets({ on: "released" });
  expect([requests(story).at(-1), openOf(story.payment)?.owed]).toEqual([
    "DR pa-2-card",
    "the deletion of a stored card",
  ]);
  expect(resolutionProblem(story.payment, story.now, "reversed")).toContain("it is final");
  story.answer({ is: "not-booked", why: "refused", resultCode: "200.300.404", description: "" });
  expect(resolutionProblem(story.payment, story.now, "approved")).toContain("what is left of it is a stored card");
  expect(resolutionProblem(story.payment, story.now, "reversed")).toBeUndefined();
  says(story, "reversed");
  expect(view(story)).toMatchObject({
    state: "FINAL",
    outcome: "APPROVED",
    capture: "captured",
    gateway: { registrationId: "pa-1-card" },
  });
  expect([openOf(story.payment), isOverExceptLateQueries(story.payment)]).toEqual([undefined, true]);
});

test("such a card is closed by no word as long as the sale's capture is still being asked for: that would end the capture", () => {
  const refused: Answer = { is: "not-booked", why: "refused", resultCode: "200.300.404", description: "" };
  const selling = (capture: Answer): Story => {
    const story = authorizing({ ...sale, createRegistration: true }).answer(silence);
    showsBoth(story, 1_000);
    return story
      .answer(done("rv-2"))
      .meets({ on: "finished", verdict: "approved", chip: {} })
      .answer(capture)
      .meets({ on: "released" })
      .answer(refused);
  };
  const asked = selling({ is: "not-booked", why: "not-sent", resultCode: "", description: "" });
  expect(requests(asked)).toEqual(["RV pa-2", "CP pa-1", "DR pa-2-card"]);
  const stillAsked = "its capture is still being asked for: wait until that is through, or refused";
  expect(resolutionProblem(asked.payment, asked.now + 2 * WINDOW, "reversed")).toBe(stillAsked);
  const failed = selling(refused);
  expect(view(failed).capture).toBe("failed");
  expect(resolutionProblem(failed.payment, failed.now, "approved")).toContain(
    "delete that one in the gateway's back office first",
  );
  expect(resolutionProblem(failed.payment, failed.now, "reversed")).toBeUndefined();
});

describe("a card that was stored with a sale which an operator has closed as reversed", () => {
  const closed = (): Story => {
    const story = authorizing({ ...sale, createRegistration: true })
      .answer(stored("pa-1"))
      .meets({ on: "finished", verdict: "declined", chip: {} });
    story.answer({ is: "not-booked", why: "refused", resultCode: "200.300.404", description: "" });
    return says(story.meets({ on: "woken" }, 2 * WINDOW), "reversed");
  };

  test("is deleted: his word was about money", () => {
    const story = closed();
    expect([view(story).state, requests(story).at(-1), isSettled(story.payment)]).toEqual([
      "FINAL",
      "DR pa-1-card",
      false,
    ]);
    story.answer(done("dr-1")).meets({ on: "released" });
    expect(owed(story.payment)).toEqual([]);
  });

  test("is deleted although the first try was on its way when he said it, and its answer is not waited for", () => {
    const story = authorizing({ ...sale, createRegistration: true })
      .answer(stored("pa-1"))
      .meets({ on: "finished", verdict: "declined", chip: {} })
      .answer(done("rv-1"));
    expect([view(story).state, requests(story).at(-1)]).toEqual(["REVERSING", "DR pa-1-card"]);
    const before = requests(story).length;
    says(story.meets({ on: "woken" }, 2 * WINDOW), "reversed");
    story.meets({ on: "released" }).meets({ on: "woken" }, HOUR);
    expect(requests(story).slice(before)).toEqual(["DR pa-1-card"]);
  });

  test("and cannot be deleted is his too once he says so again", () => {
    const story = closed().answer({ is: "not-booked", why: "refused", resultCode: "200.300.404", description: "" });
    says(story.meets({ on: "released" }), "reversed");
    expect(owed(story.payment)).toEqual([]);
  });
});

describe("a second booking beside a sale's capture", () => {
  const notSent: Answer = { is: "not-booked", why: "not-sent", resultCode: "", description: "" };
  const twice = (capture: Answer): Story => {
    const story = new Told(storedCardSale).meets({ on: "woken" }).answer(silence);
    shows(story, [
      ["pa-1", "PA", approval(1234, "pa-1")],
      ["pa-2", "PA", approval(1234, "pa-2")],
    ]);
    story.answer(capture);
    return story
      .answer({ is: "not-reversible", resultCode: "700.400.530", description: "" })
      .meets({ on: "woken" }, WINDOW);
  };

  test("is closed by no word as long as the capture is still being asked for: that would end the capture", () => {
    const story = twice(notSent);
    expect(view(story)).toMatchObject({ outcome: "APPROVED", capture: "pending" });
    // Past the window a capture alone might be closed so: it is the second booking that keeps it.
    expect(resolutionProblem(story.answer(notSent).payment, story.now + 2 * WINDOW, "reversed")).toBe(
      "its capture is still being asked for: wait until that is through, or refused",
    );
  });

  test("that may be the only one there is does not keep anybody from naming its capture", () => {
    const story = new Told(storedCardSale).meets({ on: "woken" }).answer(approval(1234, "told"));
    story.answer({ is: "not-booked", why: "refused", resultCode: "700.100.100", description: "" });
    shows(story, [["other", "PA", approval(1234, "other")]], WINDOW);
    expect([view(story).capture, requests(story)]).toEqual(["failed", ["CP told"]]);
    expect(resolutionProblem(story.payment, story.now, "approved")).toBeUndefined();
    expect(openOf(story.payment)?.mend).toContain("before it has seen both");
  });

  test("is given back before anybody names the capture, and a refund by hand counts", () => {
    const story = twice({ is: "not-booked", why: "refused", resultCode: "200.300.404", description: "" });
    expect(view(story)).toMatchObject({ outcome: "APPROVED", capture: "failed" });
    story.meets({ on: "woken" }, LATEST_SIGHT_MS);
    expect(resolutionProblem(story.payment, story.now, "approved")).toMatch(/second booking/);
    const merchantTransactionId = story.booking();
    const bookings: readonly Found[] = [
      { id: "pa-1", merchantTransactionId, paymentType: "PA", answer: approval(1234, "pa-1") },
      { id: "pa-2", merchantTransactionId, paymentType: "PA", answer: approval(1234, "pa-2") },
      { id: "hand", referencedId: "pa-2", paymentType: "RF", answer: approval(1234, "hand") },
    ];
    story.meets({ on: "searched", merchantTransactionId, result: { is: "found", bookings } }, MINUTE);
    expect(resolutionProblem(story.payment, story.now, "approved")).toBeUndefined();
  });
});

test("a card that was stored with a second booking is deleted also where a person has settled that booking", () => {
  const story = approved({ ...sale, createRegistration: true });
  const both = [
    ["booking-1", "PA", approval()],
    ["booking-2", "PA", stored("booking-2")],
  ] as const;
  shows(story, both).answer(approval(1234, "cp-1"));
  story.answer({ is: "not-reversible", resultCode: "700.300.700", description: "" });
  shows(story, both, 1_000).meets({ on: "resolved", as: "reversed", by: "alice", reason: "given back there" }, HOUR);
  expect(requests(story)).toEqual(["CP booking-1", "RV booking-2", "DR booking-2-card"]);
});
