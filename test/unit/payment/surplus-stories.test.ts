import { describe, expect, test } from "vitest";
import { openOf } from "../../../src/agent/open.ts";
import { alarmsOf } from "../../../src/engine/shell/alarms.ts";
import type { Answer, Found } from "../../../src/payment/fact/answer.ts";
import { followUpOf } from "../../../src/payment/follow-up/totals.ts";
import { owed } from "../../../src/payment/machine/owed.ts";
import { resolutionProblem } from "../../../src/payment/operator/allowed-decisions.ts";
import { viewOf } from "../../../src/payment/outcome/view.ts";
import { approval, authorizing, followUp, refusal, Story, sale, silence, storedCardSale } from "../../support/sale.ts";

/*
 * A query that was made for another reason shows a booking under our name that is not the payment's: it is reversed, or
 * told to an operator.
 */

const HOUR = 3_600_000;
const WINDOW = sale.rules.unknownWindowMs;
const view = (story: Story) => viewOf(story.payment);
const second: Answer = { ...refusal(), ...{ id: "booking-2" } };
const later = (story: Story): readonly string[] =>
  story.payment.attempts.slice(1).map(({ operation }) => `${operation.paymentType} ${operation.referencedId}`);
const alarms = (story: Story, before: Story["payment"]) => alarmsOf(before, story.payment).map(({ what }) => what);

function shows(
  story: Story,
  rows: readonly (readonly [id: string, type: string, answer: Answer])[],
  afterMs: number,
): Story {
  const merchantTransactionId = story.booking();
  const bookings = rows.map(([id, paymentType, answer]): Found => ({ id, merchantTransactionId, paymentType, answer }));
  return story.meets({ on: "searched", merchantTransactionId, result: { is: "found", bookings } }, afterMs);
}

/** The terminal was told of the end, and is back. */
const declined = (story: Story, answer: Answer): Story =>
  story.answer(answer).meets({ on: "finished", verdict: "declined", chip: {} }).meets({ on: "released" });

describe("a decline", () => {
  test("of a refund that stands after all is for people, and no register asks for it again", () => {
    const story = new Story({ ...followUp("LINKED_REFUND"), amount: 500 })
      .meets({ on: "woken" })
      .answer(second)
      .meets({ on: "original-told" });
    expect(view(story).outcome).toBe("DECLINED");
    const before = story.payment;
    shows(story, [["booking-1", "RF", approval(500, "booking-1")]], WINDOW);
    expect([later(story), view(story).lateBooking, view(story).reason?.advice]).toEqual([[], true, "call-support"]);
    expect(openOf(story.payment)?.owed).toBe("a word on money that a customer got late");
    expect(alarms(story, before)).toEqual(["a customer was given money after all by a refund that is not approved"]);
    expect(resolutionProblem(story.payment, story.now, "reversed")).toBeUndefined();
  });

  test.each([
    ["a decline", refusal()],
    [
      "the system is not available",
      { is: "not-booked", why: "gateway-down", id: "booking-1", resultCode: "900.100.600", description: "" } as const,
    ],
  ])("of which the very row shows booked later is taken back too: %s", (_, answer) => {
    const story = new Story(storedCardSale).meets({ on: "woken" }).answer(answer);
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: { is: "absent" } });
    expect(["DECLINED", "FAILED"]).toContain(view(story).outcome);
    shows(story, [["booking-1", "PA", approval(1234, "booking-1")]], WINDOW);
    story.answer(approval(1234, "reversal-1"));
    expect([later(story), view(story).lateBooking]).toEqual([["RV booking-1"], true]);
  });

  test("of a REGISTRATION whose card is stored all the same has it deleted, and tells so", () => {
    const story = declined(authorizing({ ...sale, type: "REGISTRATION", amount: 0 }), second);
    shows(
      story,
      [
        [
          "reg-1",
          "RG",
          { is: "approved", id: "reg-1", resultCode: "000.100.110", description: "", review: false, issuer: {} },
        ],
      ],
      WINDOW,
    );
    expect([later(story), view(story).lateBooking]).toEqual([["DR reg-1"], true]);
  });
});

describe("a refund", () => {
  const begun = (): Story => new Story({ ...followUp("LINKED_REFUND"), amount: 500 }).meets({ on: "woken" });
  const original: Found = { id: "original-1", paymentType: "CP", answer: approval(1234, "original-1") };
  const refund = (merchantTransactionId: string, id: string, answer: Answer = approval(500, id)): Found => ({
    ...{ id, merchantTransactionId, paymentType: "RF", referencedId: "original-1", answer },
  });
  const look = (story: Story, rows: readonly Found[], afterMs: number): Story =>
    story.meets(
      { on: "searched", merchantTransactionId: story.newest(), result: { is: "found", bookings: [original, ...rows] } },
      afterMs,
    );
  const posted = (story: Story): number => story.payment.attempts.length;

  test("whose earlier try shows after all was given twice: people are told, and what may still be refunded is less", () => {
    const story = begun().answer({
      is: "not-booked",
      why: "gateway-down",
      id: "rf-1",
      resultCode: "900.100.600",
      description: "",
    });
    look(story, [], 60_000);
    look(story, [], WINDOW);
    story.meets({ on: "woken" }, 60_000).answer(approval(500, "rf-2")).meets({ on: "original-told" });
    expect([posted(story), view(story).outcome, followUpOf(story.payment).amount]).toEqual([2, "APPROVED", 500]);
    const before = story.payment;
    look(story, [refund(story.booking(), "rf-1"), refund(story.newest(), "rf-2")], WINDOW);
    expect(alarms(story, before)).toEqual(["a customer was given the money of one refund twice"]);
    expect([posted(story), openOf(story.payment)?.owed, followUpOf(story.payment).amount]).toEqual([
      2,
      "a word on money that a customer got twice",
      1000,
    ]);
    expect(owed(story.payment).map((one) => one.do)).toContain("tell-originals");
    expect(owed(story.payment).flatMap((one) => (one.do === "search" ? [one.merchantTransactionId] : []))).toEqual([
      story.newest(),
    ]);
  });

  test("whose earlier try shows after all, and whose next one was refused, was given once: it is told as late, and not asked for again", () => {
    const story = begun().answer({
      is: "not-booked",
      why: "gateway-down",
      id: "rf-1",
      resultCode: "900.100.600",
      description: "",
    });
    look(story, [], 60_000);
    look(story, [], WINDOW);
    story.meets({ on: "woken" }, 60_000).answer(second).meets({ on: "original-told" });
    const before = story.payment;
    look(story, [refund(story.booking(), "rf-1")], WINDOW);
    expect(alarms(story, before)).toEqual(["a customer was given money after all by a refund that is not approved"]);
    expect(view(story)).toMatchObject({
      outcome: "DECLINED",
      lateBooking: true,
      reason: { advice: "call-support", message: expect.stringContaining("do not ask for it again") },
    });
  });

  test.each([
    ["declined", second],
    ["approved", approval(500, "booking-2")],
  ])("that was %s, and beside which the gateway decides another one yet, is not said to be given", (_, answer) => {
    const story = begun().answer(answer).meets({ on: "original-told" });
    const before = story.payment;
    look(
      story,
      [refund(story.booking(), "rf-1", { is: "pending", id: "rf-1", resultCode: "000.200.000", description: "" })],
      WINDOW,
    );
    expect(alarms(story, before)).toEqual([
      "the gateway has not decided whether a customer gets the money of one refund twice, or after all",
    ]);
    expect([openOf(story.payment)?.owed, view(story).lateBooking]).toEqual([
      "word of whether a customer got money twice, or late",
      undefined,
    ]);
    if (answer === second) expect(view(story).reason?.advice).toBe("call-support");
    expect(resolutionProblem(story.payment, story.now, "reversed")).toBeDefined();
    expect(resolutionProblem(story.payment, story.now + WINDOW, "reversed")).toBeUndefined();
    const pending = story.payment;
    look(story, [refund(story.booking(), "rf-1")], HOUR);
    expect(alarms(story, pending)).toEqual([expect.stringContaining("was given")]);
  });

  test("that was declined and stands counts for what may be refunded and voided of its original", () => {
    const story = begun().answer(second).meets({ on: "original-told" });
    expect(followUpOf(story.payment)).toMatchObject({ outcome: "DECLINED", amount: 0 });
    look(story, [refund(story.booking(), "rf-1")], WINDOW);
    expect([followUpOf(story.payment), owed(story.payment)[0]?.do]).toMatchObject([
      { outcome: "APPROVED", amount: 500 },
      "tell-originals",
    ]);
  });
});

describe("what was done by hand under the payment's own name", () => {
  const captured = (story: Story): Found => ({
    id: "hand",
    merchantTransactionId: story.booking(),
    referencedId: "booking-1",
    paymentType: "CP",
    answer: approval(1234, "hand"),
  });
  const looked = (story: Story, rows: readonly Found[], afterMs: number): Story =>
    story.meets(
      { on: "searched", merchantTransactionId: story.booking(), result: { is: "found", bookings: rows } },
      afterMs,
    );

  test("is not taken back as a second booking, whether or not a person has named it", () => {
    const reserved = new Story({ ...storedCardSale, type: "PREAUTHORIZATION" })
      .meets({ on: "woken" })
      .answer(approval());
    looked(
      reserved,
      [{ ...captured(reserved), id: "booking-1", paymentType: "PA", answer: approval() }, captured(reserved)].map(
        unreferenced,
      ),
      WINDOW,
    );
    expect(later(reserved)).toEqual([]);
    const sold = new Story(storedCardSale)
      .meets({ on: "woken" })
      .answer(approval())
      .answer({ is: "not-booked", why: "refused", resultCode: "700.300.100", description: "" });
    sold.meets({ on: "resolved", as: "approved", by: "op", reason: "captured by hand", gatewayId: "hand" }, 60_000);
    looked(sold, [{ ...captured(sold), referencedId: undefined }], WINDOW);
    expect([later(sold), view(sold).capture]).toEqual([["CP booking-1"], "captured"]);
  });

  const unreferenced = ({ referencedId, ...row }: Found): Found =>
    row.paymentType === "PA" ? row : { ...row, ...(referencedId !== undefined && { referencedId }) };
});

test("no word ends the reversal of a second booking that has only just begun", () => {
  const story = new Story(storedCardSale).meets({ on: "woken" }).answer(silence);
  story.meets({ on: "woken" }, WINDOW);
  shows(story, [["db-1", "DB", approval(1234, "db-1")]], 60_000);
  expect([later(story), view(story).state]).toEqual([["RV db-1"], "RESOLVING"]);
  for (const as of ["declined", "reversed"] as const)
    expect(resolutionProblem(story.payment, story.now, as)).toContain("taking that back");
});
