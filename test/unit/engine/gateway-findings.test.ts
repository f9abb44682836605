import { describe, expect, test } from "vitest";
import { type GatewaySays, gatewaySays } from "../../../src/engine/operator/gateway-findings.ts";
import type { Answer, Found, SearchResult } from "../../../src/payment/fact/answer.ts";
import { isOrphanRefused } from "../../../src/payment/stored-card/registration.ts";
import { approval, approved, authorizing, refusal, type Story, sale, silence } from "../../support/sale.ts";

const said = { resultCode: "1.1", description: "" };
const pending: Answer = { is: "pending", ...said };
const noAnswer: SearchResult = { is: "no-answer", description: "" };

/** What goes by the name of the payment's newest request. */
const row = (story: Story, paymentType: string, answer: Answer, id = "row-1"): Found => ({
  ...{ id, paymentType, answer, merchantTransactionId: story.newest() },
});
const about = (referencedId: string, paymentType: string, amount = 1234): Found => ({
  ...{ id: `${paymentType}-of-${referencedId}`, referencedId, paymentType, answer: approval(amount, "x") },
});
const shows = (...bookings: readonly Found[]): SearchResult => ({ is: "found", bookings });

describe("of a sale that nobody knows anything about, the gateway says", () => {
  const story = authorizing(sale).answer(silence);
  const standing = row(story, "PA", approval());
  const cases: readonly (readonly [string, readonly SearchResult[], GatewaySays])[] = [
    ["that it stands", [shows(standing)], "booked"],
    ["that it stands, whatever another query came to", [noAnswer, shows(standing)], "booked"],
    ["that it stands of another amount", [shows(row(story, "PA", approval(617)))], "booked-otherwise"],
    [
      "that it stands, where it failed to take it back",
      [shows(row(story, "PA", { is: "half-reversed", ...said }))],
      "booked",
    ],
    ["that it took it back", [shows(standing, about("row-1", "RV"))], "taken-back"],
    ["that somebody refunded it", [shows(standing, about("row-1", "RF"))], "taken-back"],
    ["that it stands, where a part was refunded", [shows(standing, about("row-1", "RF", 1))], "booked"],
    ["that it has not decided it", [shows(row(story, "PA", pending))], "undecided"],
    ["that it was refused", [shows(row(story, "PA", refusal()))], "refused"],
    ["that another one is there", [shows({ ...standing, merchantTransactionId: "other" })], "nothing"],
    ["that it knows nothing", [{ is: "absent" }], "nothing"],
    ["nothing", [noAnswer], "no-answer"],
    ["nothing, being asked too much", [{ is: "throttled" }], "no-answer"],
    ["nothing to one of the queries", [{ is: "absent" }, noAnswer], "no-answer"],
    ["nothing, not having been asked", [], "not-asked"],
  ];
  test.each(cases)("%s", (_, answers, expected) => {
    expect(gatewaySays(story.payment, answers, undefined)).toBe(expected);
  });

  test("what it shows of the booking that is named, and of no other", () => {
    const other = row(story, "PA", approval(), "row-2");
    expect(gatewaySays(story.payment, [shows(standing, other)], "row-2")).toBe("booked");
    expect(gatewaySays(story.payment, [shows(standing), { is: "absent" }], "row-2")).toBe("nothing");
    expect(gatewaySays(story.payment, [shows(standing), noAnswer], "row-2")).toBe("no-answer");
  });
});

describe("of an approved sale it is the capture that it says it of", () => {
  test("as long as that is not through, and never the reservation", () => {
    const story = approved().answer(pending);
    const reserved: Found = {
      id: "booking-1",
      paymentType: "PA",
      merchantTransactionId: story.booking(),
      answer: approval(),
    };
    expect(gatewaySays(story.payment, [shows(reserved)], undefined)).toBe("nothing");
    expect(gatewaySays(story.payment, [shows(reserved, row(story, "CP", pending))], undefined)).toBe("undecided");
  });

  test("and a second booking beside it", () => {
    const story = approved().answer(approval(1234, "cp-1"));
    expect(gatewaySays(story.payment, [{ is: "absent" }], undefined)).toBe("not-asked");
    const own = { merchantTransactionId: story.booking(), paymentType: "PA" } as const;
    const bookings = ["booking-1", "booking-2"].map((id): Found => ({ ...own, id, answer: approval(1234, id) }));
    story.meets({ on: "searched", merchantTransactionId: story.booking(), result: shows(...bookings) });
    expect(gatewaySays(story.payment, [shows(...bookings)], undefined)).toBe("booked");
  });
});

test("of a payment that was taken back and has left a stored card, no query tells anything", () => {
  const story = authorizing({ ...sale, createRegistration: true }).answer(silence);
  story.meets({ on: "terminal-failed", code: "no-answer", detail: "" });
  const approvedWithCard = { ...approval(1234, "pa-1"), registrationId: "card-1" };
  const standing: Found = {
    id: "pa-1",
    merchantTransactionId: story.booking(),
    paymentType: "PA",
    answer: approvedWithCard,
  };
  story.meets({ on: "searched", merchantTransactionId: story.booking(), result: shows(standing) }, 60_000);
  expect(gatewaySays(story.payment, [shows(standing)], undefined)).toBe("booked");
  story
    .answer(approval(1234, "rv-1"))
    .meets({ on: "released" })
    .answer({ is: "not-booked", why: "refused", ...said });
  expect(isOrphanRefused(story.payment)).toBe(true);
  expect(gatewaySays(story.payment, [shows(standing, about("pa-1", "RV"))], undefined)).toBe("not-asked");
});
