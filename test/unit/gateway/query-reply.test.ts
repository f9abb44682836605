import { describe, expect, test } from "vitest";
import type { HttpOutcome } from "../../../src/gateway/http-exchange.ts";
import { searchResultOf } from "../../../src/gateway/query-reply.ts";
import { MAX_REPLY_CHARACTERS } from "../../../src/gateway/reply.ts";
import { MAX_FACT_CHARACTERS } from "../../../src/journal/group-commit.ts";
import { searchResultSchema } from "../../../src/payment/fact/answer.ts";
import { SHOWN_AT_MOST } from "../../../src/payment/recovery/evidence.ts";

const PA = {
  id: "1".repeat(32),
  paymentType: "PA",
  amount: "12.34",
  currency: "EUR",
  merchantTransactionId: "0123456789abcdef",
  result: { code: "000.000.000" },
};
const RV = {
  id: "2".repeat(32),
  paymentType: "RV",
  referencedId: PA.id,
  merchantTransactionId: "fedcba9876543210",
  result: { code: "000.000.000" },
};
const DONE = { code: "000.000.100", description: "done" };

const answered = (body: unknown, status = 200): HttpOutcome => ({
  is: "answered",
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const SEARCHED = { environment: "test" } as const;
const search = (body: unknown, status = 200) => searchResultOf(answered(body, status), SEARCHED);

test("a query shows every booking with the answer it would have given", () => {
  const found = search({ result: DONE, payments: [PA, RV] });
  expect(searchResultSchema.parse(found)).toEqual(found);
  expect(found).toMatchObject({
    is: "found",
    bookings: [
      {
        id: PA.id,
        paymentType: "PA",
        merchantTransactionId: "0123456789abcdef",
        answer: { is: "approved", amount: 1234, currency: "EUR" },
      },
      { id: RV.id, paymentType: "RV", referencedId: PA.id, answer: { is: "approved" } },
    ],
  });
});

test.each([
  [
    { ...PA, result: { code: "800.100.155" }, amount: undefined },
    { is: "declined", why: "insufficient-funds" },
  ],
  [{ ...PA, result: { code: "000.200.000" } }, { is: "pending" }],
  [{ ...PA, result: { code: "000.400.030" } }, { is: "half-reversed" }],
  [{ ...PA, amount: undefined }, { is: "unknown" }],
  [{ ...PA, currency: "XXX" }, { is: "unknown" }],
  [{ ...RV, result: { code: "700.300.700" } }, { is: "not-reversible" }],
])("a booking found as %j", (payment, answer) => {
  expect(search({ result: DONE, payments: [payment] })).toMatchObject({ is: "found", bookings: [{ answer }] });
});

test("a test approval found in a live environment is unknown", () => {
  const outcome = answered({ result: DONE, payments: [{ ...PA, result: { code: "000.100.110" } }] });
  expect(searchResultOf(outcome, { environment: "live" })).toMatchObject({ bookings: [{ answer: { is: "unknown" } }] });
});

test.each([200, 400, 404])("700.400.580 under HTTP %i is absent, as is an empty list", (status) => {
  expect(search({ result: { code: "700.400.580" } }, status)).toEqual({ is: "absent" });
  expect(search({ result: DONE, payments: [] }, status)).toEqual({ is: "absent" });
});

test("800.120.100 and a bare 429 are throttles", () => {
  expect(search({ result: { code: "800.120.100" } })).toEqual({ is: "throttled" });
  expect(search("", 429)).toEqual({ is: "throttled" });
});

test.each([
  ["a list without an id in it", { result: DONE, payments: [PA, { ...PA, id: undefined }] }],
  ["a list with something else in it", { result: DONE, payments: [PA, "x"] }],
  ["a list without a result code in it", { result: DONE, payments: [{ ...PA, result: {} }] }],
  ["payments that are no list", { result: DONE, payments: { 0: PA } }],
  ["no list", { result: DONE }],
  ["a list under another code", { result: { code: "900.100.300" }, payments: [PA] }],
  ["a payment instead of an envelope", PA],
  ["a refusal that carries an id and a type", { id: PA.id, paymentType: "PA", result: { code: "800.900.300" } }],
  ["a refusal", { result: { code: "800.121.200" } }],
  ["an HTML page", "<html></html>"],
  ["half of the JSON", JSON.stringify({ result: DONE, payments: [PA] }).slice(0, 80)],
  ["nothing", ""],
])("%s is no answer", (_, body) => {
  expect(search(body)).toMatchObject({ is: "no-answer", description: expect.stringMatching(/./) });
});

test("what never left and what broke off are no answers", () => {
  expect(searchResultOf({ is: "not-sent", detail: "refused" }, SEARCHED)).toEqual({
    is: "no-answer",
    description: "refused",
  });
  expect(searchResultOf({ is: "broken", detail: "reset" }, SEARCHED)).toEqual({
    is: "no-answer",
    description: "reset",
  });
});

describe("a search by the gateway's id", () => {
  const ask = (id: string, body: unknown, status = 200) =>
    searchResultOf(answered(body, status), { environment: "test", id });

  test("shows the whole tree of what is linked to it, and only if it is in there", () => {
    expect(ask(PA.id, { result: DONE, payments: [PA, RV] })).toMatchObject({
      is: "found",
      bookings: [{ id: PA.id }, { id: RV.id }],
    });
    expect(ask("3".repeat(32), { result: DONE, payments: [PA, RV] })).toMatchObject({ is: "no-answer" });
    expect(ask(PA.id, PA)).toMatchObject({ is: "no-answer" });
  });

  test("finds nothing with HTTP 404 and 700.400.580", () => {
    expect(ask(PA.id, { id: "9".repeat(32), result: { code: "700.400.580" } }, 404)).toEqual({ is: "absent" });
  });
});

test("a stored card, its deletion and an increment are read like any other row", () => {
  const card = {
    id: "4".repeat(32),
    paymentType: "RG",
    merchantTransactionId: "keep-my-card",
    result: { code: "000.000.000" },
  };
  const deletion = { id: "5".repeat(32), paymentType: "DR", referencedId: card.id, result: { code: "000.000.000" } };
  const increment = {
    ...PA,
    id: "6".repeat(32),
    amount: "5.00",
    referencedId: PA.id,
    merchantTransactionId: "minibar-1",
  };
  const refused = { ...deletion, id: "7".repeat(32), result: { code: "100.150.202" } };
  const declined = { ...card, id: "8".repeat(32), result: { code: "800.100.166" } };
  const sale = { ...PA, registrationId: "a".repeat(32) };
  const payments = [card, deletion, increment, refused, declined, sale];
  const found = search({ result: DONE, payments });
  expect(searchResultSchema.parse(found)).toEqual(found);
  expect(found).toMatchObject({
    bookings: [
      {
        id: card.id,
        paymentType: "RG",
        merchantTransactionId: "keep-my-card",
        answer: { is: "approved", registrationId: card.id },
      },
      { paymentType: "DR", referencedId: card.id, answer: { is: "approved", id: deletion.id } },
      { paymentType: "PA", referencedId: PA.id, answer: { is: "approved", amount: 500, currency: "EUR" } },
      { paymentType: "DR", answer: { is: "already-reversed" } },
      { paymentType: "RG", answer: { is: "declined", why: "wrong-pin" } },
      { paymentType: "PA", answer: { is: "approved", registrationId: "a".repeat(32) } },
    ],
  });
});

test.each([
  ["a name that is none", { ...PA, merchantTransactionId: 4711 }],
  ["a name that is too long", { ...PA, merchantTransactionId: "x".repeat(2049) }],
  ["a reference that is none", { ...RV, referencedId: "11-11" }],
  ["no reference though it is a reversal", { ...RV, referencedId: undefined }],
  ["no reference though it is a refund", { ...RV, paymentType: "RF", referencedId: null }],
  ["no reference though it is a capture", { ...PA, paymentType: "CP", referencedId: "" }],
])("a query with a payment that has %s is no answer: whose it is must not be guessed", (_, payment) => {
  expect(search({ result: DONE, payments: [PA, payment] })).toEqual({
    is: "no-answer",
    description: "1 of 2 payments in the query's reply cannot be read",
  });
});

describe("a search by our own name of a request", () => {
  const ask = (merchantTransactionId: string, payments: readonly unknown[]) =>
    searchResultOf(answered({ result: DONE, payments }), { environment: "test", merchantTransactionId });

  test("shows what goes by it, with all that is linked to it", () => {
    expect(ask(PA.merchantTransactionId, [RV, PA])).toMatchObject({
      is: "found",
      bookings: [{ id: RV.id }, { id: PA.id }],
    });
  });

  test("is not answered by a list of others: it does not say that nothing goes by that name", () => {
    expect(ask("another-request", [PA, RV])).toEqual({
      is: "no-answer",
      description: "the query's reply does not show the payment that was asked for",
    });
  });

  test("may be answered by one that has no name", () => {
    expect(ask("another-request", [{ ...PA, merchantTransactionId: undefined }, RV])).toMatchObject({ is: "found" });
  });
});

test("a payment that is listed twice is one, and one that is told of in two ways is both", () => {
  const half = { ...RV, amount: "6.17", currency: "EUR" };
  expect(search({ result: DONE, payments: [PA, half, half] })).toMatchObject({
    bookings: [{ id: PA.id }, { id: RV.id, answer: { amount: 617 } }],
  });
  const told = search({ result: DONE, payments: [PA, { ...PA, result: { code: "000.200.000" } }] });
  expect(told).toMatchObject({ bookings: [{ answer: { is: "approved" } }, { answer: { is: "pending" } }] });
});

test("a list as long as a query's may be is not made shorter by what is in it twice: what it leaves out need not be missing", () => {
  const list = (count: number) => [PA, ...Array.from({ length: count - 2 }, (_, at) => ({ ...RV, id: `a${at}` })), PA];
  const countIn = (payments: readonly unknown[]): number => {
    const told = search({ result: DONE, payments });
    return told.is === "found" ? told.bookings.length : 0;
  };
  expect([countIn(list(SHOWN_AT_MOST - 1)), countIn(list(SHOWN_AT_MOST))]).toEqual([SHOWN_AT_MOST - 2, SHOWN_AT_MOST]);
});

test.each([undefined, null, ""])("a payment that has no name or reference at all (%j) is shown without", (nothing) => {
  const found = search({ result: DONE, payments: [{ ...PA, merchantTransactionId: nothing, referencedId: nothing }] });
  expect(found.is === "found" && Object.keys(found.bookings[0] ?? {})).toEqual(["id", "paymentType", "answer"]);
});

test("the longest answer that is read, with as many bookings as are, becomes a fact that the journal takes", () => {
  const most = 1_000;
  const padded = (length: number) =>
    Array.from({ length: most }, (_, at) => ({
      id: `a${at}`,
      paymentType: "DB",
      merchantTransactionId: "x".repeat(length),
      result: { code: "800.100.155" },
    }));
  const bare = JSON.stringify({ result: DONE, payments: padded(1) }).length;
  const longest = JSON.stringify({
    result: DONE,
    payments: padded(1 + Math.floor((MAX_REPLY_CHARACTERS - bare) / most)),
  });
  expect(longest.length).toBeGreaterThan(MAX_REPLY_CHARACTERS - most);
  const found = search(longest);
  expect(found.is === "found" && found.bookings.length).toBe(most);
  expect(JSON.stringify({ fact: "searched", result: found }).length).toBeGreaterThan(MAX_REPLY_CHARACTERS);
  expect(JSON.stringify({ fact: "searched", result: found }).length).toBeLessThan(MAX_FACT_CHARACTERS);
});
