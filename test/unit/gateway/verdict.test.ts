import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HttpOutcome } from "../../../src/gateway/http-exchange.ts";
import { answerOf, type Expected } from "../../../src/gateway/verdict.ts";
import { answerSchema } from "../../../src/payment/fact/answer.ts";

const EXPECTED: Expected = {
  environment: "test",
  paymentType: "PA",
  amount: 1234,
  currency: "EUR",
  merchantTransactionId: "0123456789abcdef",
};
const ID = "8ac7a4a282d522f70182d53e7a873640";
const BODY = {
  id: ID,
  paymentType: "PA",
  amount: "12.34",
  currency: "EUR",
  merchantTransactionId: "0123456789abcdef",
  result: { code: "000.000.000", description: "fine" },
  resultDetails: { AcquirerResponse: "00" },
  pos: {
    iccDataResponse: "8a023030",
    merchantId: "M1",
    clearing: { authorizationIssuerCode: "123456", identifier: "000000000001" },
  },
};

const answered = (body: unknown, status = 200): HttpOutcome => ({
  is: "answered",
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const answer = (changes: object, expected: Partial<Expected> = {}) =>
  answerOf(answered({ ...BODY, ...changes }), { ...EXPECTED, ...expected });
const withCode = (code: string, expected: Partial<Expected> = {}) => answer({ result: { code } }, expected);

describe("an approval", () => {
  test("carries what the issuer said, in upper-case hexadecimal", () => {
    expect(answer({})).toEqual({
      is: "approved",
      id: ID,
      resultCode: "000.000.000",
      description: "fine",
      amount: 1234,
      currency: "EUR",
      review: false,
      issuer: {
        iccDataResponse: "8A023030",
        approvalCode: "123456",
        responseCode: "00",
        rrn: "000000000001",
        merchantId: "M1",
      },
    });
  });

  test.each([
    [{ last4Digits: "0050" }, "0050"],
    [{ last4Digits: "" }, undefined],
    [{ last4Digits: "4761340000000050" }, undefined],
    [{ last4Digits: 50 }, undefined],
  ])("names the card %j by its last digits where they are four", (card, last4) => {
    const read = answer({ card: { holder: "Jo", ...card } });
    expect(read).toMatchObject({ is: "approved", issuer: { rrn: "000000000001" } });
    expect(read.is === "approved" && read.issuer.last4).toBe(last4);
    expect(JSON.stringify(read)).not.toMatch(/Jo|47613400/);
  });

  test.each([
    [{ bin: "476134" }, "476134"],
    [{ bin: "47613400" }, undefined],
    [{ bin: 476134 }, undefined],
    [{}, undefined],
  ])("names the card %j by its first digits where they are six, and by nothing else", (card, bin) => {
    const read = answer({ card: { holder: "Jo", ...card } });
    expect(read.is === "approved" && read.issuer.bin).toBe(bin);
    expect(JSON.stringify(read)).not.toMatch(/Jo|47613400/);
  });

  test("of an increment for less is asked about: no card waits for it", () => {
    expect(answer({ amount: "10.00" }, { paymentType: "PA", industryPractice: "INCREMENTAL_AUTH" })).toMatchObject({
      is: "unknown",
      id: ID,
    });
    expect(answer({}, { paymentType: "PA", industryPractice: "INCREMENTAL_AUTH" })).toMatchObject({
      is: "approved",
      amount: 1234,
    });
  });

  test("for less is for what the reply says", () => {
    expect(answer({ amount: "6.17" })).toMatchObject({ is: "approved", amount: 617 });
    expect(answer({ amount: "6.17", result: { code: "000.400.040" } })).toMatchObject({
      is: "approved",
      amount: 617,
      review: true,
    });
    expect(answer({ amount: "12" })).toMatchObject({ is: "approved", amount: 1200 });
  });

  test("with review is flagged", () => {
    expect(withCode("000.400.000")).toMatchObject({ is: "approved", review: true });
    expect(withCode("000.400.100")).toMatchObject({ is: "approved", review: true });
  });

  test("in a currency without decimals may be written with two of them", () => {
    const yen = { amount: 1200, currency: "JPY" };
    expect(answer({ amount: "1200.00", currency: "JPY" }, yen)).toMatchObject({ is: "approved", amount: 1200 });
    expect(answer({ amount: "1200", currency: "JPY" }, yen)).toMatchObject({ is: "approved", amount: 1200 });
    expect(answer({ amount: "1200.50", currency: "JPY" }, yen)).toMatchObject({ is: "unknown" });
  });

  test("of a reversal needs no amount", () => {
    const reversal = { paymentType: "RV", amount: undefined, currency: undefined };
    expect(answer({ paymentType: "RV", amount: undefined, currency: undefined }, reversal)).toMatchObject({
      is: "approved",
      id: ID,
    });
  });

  test.each(["DB", "CD", "CP", "RF"])(
    "of a %s is compared with the amount and the currency that were asked for",
    (paymentType) => {
      const to = (changes: object) => answer({ paymentType, ...changes }, { paymentType });
      expect(to({})).toMatchObject({ is: "approved", amount: 1234, currency: "EUR" });
      // Only an issuer approves a part; of the others a smaller amount is to be asked about.
      expect(to({ amount: "12.33" })).toMatchObject(
        paymentType === "DB" ? { is: "approved", amount: 1233 } : { is: "unknown" },
      );
      for (const changes of [
        { amount: "12.35" },
        { amount: "0.00" },
        { amount: undefined },
        { currency: "USD" },
        { currency: undefined },
      ])
        expect(to(changes)).toMatchObject({ is: "unknown" });
    },
  );

  test.each([{ registrationId: ID }, { registration: { id: ID } }])(
    "names the stored card of a payment that was to store it: %j",
    (registered) => {
      expect(answer(registered)).toMatchObject({ is: "approved", registrationId: ID });
    },
  );

  test("does not name what is no id", () => {
    expect(answer({ registrationId: "../x", registration: { id: 7 } })).not.toHaveProperty("registrationId");
  });

  test("does not need the merchantTransactionId to be echoed", () => {
    expect(answer({ merchantTransactionId: undefined })).toMatchObject({ is: "approved" });
  });

  test.each([
    ["no id", { id: undefined }, /without an id/],
    ["an id that is none", { id: "../x" }, /without an id/],
    ["no payment type", { paymentType: undefined }, /no payment type instead of PA/],
    ["another payment type", { paymentType: "DB" }, /as DB instead of PA/],
    ["another merchantTransactionId", { merchantTransactionId: "fedcba9876543210" }, /another merchantTransactionId/],
    ["no amount", { amount: undefined }, /without a readable amount/],
    ["an amount that is a number", { amount: 12.34 }, /without a readable amount/],
    ["a larger amount", { amount: "12.35" }, /more than was asked for/],
    ["nothing", { amount: "0.00" }, /for nothing/],
    ["no currency", { currency: undefined }, /another currency/],
    ["another currency", { currency: "USD" }, /another currency/],
  ])("with %s is unknown", (_, changes, description) => {
    expect(answer(changes)).toMatchObject({
      is: "unknown",
      resultCode: "000.000.000",
      description: expect.stringMatching(description),
    });
  });

  test.each(["000.100.110", "000.100.111", "000.100.112"])(
    "%s counts in a test environment alone, and is loud in a live one",
    (code) => {
      expect(withCode(code)).toMatchObject({ is: "approved" });
      expect(withCode(code, { environment: "live" })).toMatchObject({
        is: "unknown",
        description: expect.stringContaining("environment: live"),
      });
    },
  );
});

test("of all 659 codes under a perfect reply, 19 approve in a test environment and 16 in a live one", () => {
  const codes = readFileSync(new URL("../../vectors/result-codes.tsv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1);
  const approving = (environment: "test" | "live") =>
    codes.map((line) => line.slice(0, 11)).filter((code) => withCode(code, { environment }).is === "approved");
  expect(approving("test")).toHaveLength(19);
  expect(approving("live")).toHaveLength(16);
  expect(approving("test")).not.toContain("000.400.030");
  expect(approving("live").every((code) => !code.startsWith("000.100."))).toBe(true);
});

describe("a stored card", () => {
  const asked = { paymentType: "RG", amount: undefined, currency: undefined } as const;
  const bare = { paymentType: undefined, amount: undefined, currency: undefined };

  test.each([undefined, "RG"])("is approved with its id, where the reply's type is %s", (paymentType) => {
    const said = answer({ ...bare, paymentType }, asked);
    expect(said).toMatchObject({ is: "approved", id: ID, registrationId: ID });
    expect(said).not.toHaveProperty("amount");
    expect(said).not.toHaveProperty("currency");
  });

  test.each([
    ["no id", { id: undefined }],
    ["the type of a payment", { paymentType: "PA" }],
    ["an amount", { amount: "1.00", currency: "EUR" }],
    ["another merchantTransactionId", { merchantTransactionId: "fedcba9876543210" }],
  ])("with %s is unknown", (_, changes) => {
    expect(answer({ ...bare, ...changes }, asked)).toMatchObject({ is: "unknown" });
  });

  test("can be declined, pending, and refused as a request", () => {
    const withRegistrationCode = (code: string) => answer({ ...bare, result: { code } }, asked).is;
    expect(["800.100.152", "000.200.000", "100.150.100", "900.100.300"].map(withRegistrationCode)).toEqual([
      "declined",
      "pending",
      "not-booked",
      "unknown",
    ]);
  });
});

describe("a deletion of a stored card", () => {
  const asked = { paymentType: "DR", amount: undefined, currency: undefined, referencedId: "a".repeat(32) } as const;
  const bare = {
    id: undefined,
    paymentType: undefined,
    amount: undefined,
    currency: undefined,
    merchantTransactionId: undefined,
  };

  test("needs no more than the code: its address says what was deleted", () => {
    expect(answer(bare, asked)).toMatchObject({ is: "approved", id: asked.referencedId });
    expect(answer({ ...bare, id: ID, paymentType: "DR", referencedId: asked.referencedId }, asked)).toMatchObject({
      is: "approved",
      id: ID,
    });
    expect(answer(bare, asked)).not.toHaveProperty("registrationId");
  });

  test.each([
    ["another type", { paymentType: "RG" }],
    ["another registration", { referencedId: "b".repeat(32) }],
    ["an amount", { amount: "1.00", currency: "EUR" }],
  ])("with %s is unknown", (_, changes) => {
    expect(answer({ ...bare, ...changes }, asked)).toMatchObject({ is: "unknown" });
  });

  test.each(["100.150.200", "100.150.202", "100.150.203", "100.350.303", "700.100.100"])(
    "of one that is not there (%s) has nothing left to do",
    (code) => {
      expect(answer({ ...bare, result: { code } }, asked)).toMatchObject({ is: "already-reversed", resultCode: code });
      // The same to a payment: no stored card, no payment.
      expect(withCode(code)).toMatchObject(
        code.startsWith("100.150.") ? { is: "declined", why: "card-not-stored" } : { is: "not-booked", why: "refused" },
      );
    },
  );

  test.each([
    ["100.150.201", "not-booked"],
    ["800.900.300", "not-booked"],
    ["800.120.100", "throttled"],
    ["900.100.300", "unknown"],
    ["000.400.030", "half-reversed"],
  ])("%s is %s", (code, is) => {
    expect(answer({ ...bare, result: { code } }, asked)).toMatchObject({ is });
  });
});

describe("a decline by which the issuer would have the cardholder identify", () => {
  const declined = (response: string | undefined, code = "800.100.152") =>
    answer({ result: { code }, resultDetails: response === undefined ? {} : { AcquirerResponse: response } }, {});

  test.each(["1A", "1a", "65", "70"])("says so beside its reason: AcquirerResponse %s", (response) => {
    expect(declined(response)).toMatchObject({
      is: "declined",
      why: "host-declined",
      held: false,
      wantsCardholder: true,
      issuer: { responseCode: response },
    });
  });

  test.each(["05", "51", "650", undefined])("is another one where the acquirer says %s", (response) => {
    expect(declined(response)).not.toHaveProperty("wantsCardholder");
  });

  test.each(["800.100.100", "800.100.155", "800.100.162", "800.100.163", "800.100.179", "800.100.203"])(
    "is one by %s too, which says no more",
    (code) => {
      expect(declined("65", code)).toMatchObject({ is: "declined", wantsCardholder: true, resultCode: code });
    },
  );

  test.each([
    ["700.600.002", "retry-blocked"],
    ["700.601.001", "retry-blocked"],
    ["700.601.003", "blocked-card"],
    ["800.100.159", "blocked-card"],
    ["800.100.165", "blocked-card"],
    ["800.100.171", "blocked-card"],
    ["800.100.178", "pin-tries-exceeded"],
    ["800.100.157", "expired-card"],
    ["800.100.158", "host-declined"],
    ["100.400.148", "host-declined"],
    ["800.200.165", "blocked-card"],
  ])("is none by %s (%s), whatever the acquirer says beside it: no second try follows", (code, why) => {
    for (const response of ["1A", "65", "70"]) {
      expect(declined(response, code)).toMatchObject({ is: "declined", why });
      expect(declined(response, code)).not.toHaveProperty("wantsCardholder");
    }
  });

  test("stays a decline where the issuer keeps the money reserved, and never undoes another answer", () => {
    expect(declined("65", "800.100.192")).toMatchObject({ is: "declined", held: true });
    expect(declined("65", "800.100.192")).not.toHaveProperty("wantsCardholder");
    expect(declined("65", "000.000.000")).toMatchObject({ is: "approved" });
    expect(declined("65", "900.100.300")).toMatchObject({ is: "unknown" });
  });

  test("is soft by its own code, whatever the acquirer says", () => {
    expect(declined(undefined, "300.100.100")).toMatchObject({ is: "soft-declined" });
  });
});

describe("everything else has an answer of its own", () => {
  test.each(["800.100.152", "200.300.404", "700.300.700", "900.100.301"])(
    "and %s of another request is none of this one",
    (code) => {
      const other = { merchantTransactionId: "fedcba9876543210", result: { code } };
      expect(answer(other)).toMatchObject({
        is: "unknown",
        resultCode: code,
        description: expect.stringContaining("another merchantTransactionId"),
      });
    },
  );

  test.each([
    ["800.100.152", { is: "declined", why: "host-declined", held: false }],
    ["800.100.166", { is: "declined", why: "wrong-pin" }],
    ["800.100.192", { is: "declined", why: "host-declined", held: true }],
    ["300.100.100", { is: "soft-declined" }],
    ["000.200.000", { is: "pending" }],
    ["900.100.310", { is: "not-booked", why: "not-sent" }],
    ["200.300.404", { is: "not-booked", why: "refused" }],
    ["800.900.300", { is: "not-booked", why: "refused" }],
    ["800.120.100", { is: "throttled" }],
    ["800.110.100", { is: "duplicate" }],
    ["900.100.301", { is: "auto-reversed" }],
    ["000.400.030", { is: "half-reversed" }],
    ["900.100.300", { is: "unknown" }],
    ["000.500.000", { is: "unknown" }],
    ["123.456.789", { is: "unknown" }],
  ])("%s", (code, wanted) => {
    expect(withCode(code)).toMatchObject({ ...wanted, id: ID, resultCode: code });
  });

  test.each([
    ["700.300.300", "already-reversed"],
    ["700.300.700", "not-reversible"],
    ["700.400.570", "still-pending"],
  ])("%s to a reversal is %s", (code, is) => {
    expect(withCode(code, { paymentType: "RV" })).toMatchObject({ is, resultCode: code });
  });

  test("a decline hands on what the issuer says to the card", () => {
    expect(withCode("800.100.152")).toMatchObject({ issuer: { iccDataResponse: "8A023030" } });
  });
});

describe("HTTP", () => {
  test.each([200, 307, 400, 401, 403, 404, 429, 500, 502])("status %i never decides", (status) => {
    expect(answerOf(answered(BODY, status), EXPECTED)).toMatchObject({ is: "approved" });
    expect(answerOf(answered({ ...BODY, result: { code: "800.100.152" } }, status), EXPECTED)).toMatchObject({
      is: "declined",
    });
  });

  test.each([
    ["an HTML page", 502, "<html>Bad Gateway</html>"],
    ["half of the JSON", 200, JSON.stringify(BODY).slice(0, 60)],
    ["nothing", 200, ""],
    ["nothing", 401, ""],
    ["nothing", 307, ""],
    ["JSON of somebody else", 200, '{"status":"ok"}'],
  ])("%s (%i) is unknown", (_, status, body) => {
    expect(answerOf(answered(body, status), EXPECTED)).toMatchObject({
      is: "unknown",
      description: expect.stringContaining(`HTTP ${status}`),
    });
  });

  test("a bare 429 is a throttle", () => {
    expect(answerOf(answered("slow down", 429), EXPECTED)).toMatchObject({ is: "throttled" });
  });

  test("what never left was not booked, and what broke off is unknown", () => {
    expect(answerOf({ is: "not-sent", detail: "refused" }, EXPECTED)).toMatchObject({
      is: "not-booked",
      why: "not-sent",
      description: "refused",
    });
    expect(answerOf({ is: "broken", detail: "reset" }, EXPECTED)).toEqual({ is: "unknown", description: "reset" });
  });
});

test("whatever the reply, the answer is one of the closed list, and never approved for more than was asked", () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom("PA", "EUR", "12.34", "99.99", ID, "000.000.000", "0123456789abcdef"),
    fc.json(),
    fc.integer(),
  );
  const reply = fc.record(
    {
      id: part,
      paymentType: part,
      amount: part,
      currency: part,
      merchantTransactionId: part,
      result: fc.record({ code: part }),
      pos: fc.anything(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(reply, fc.integer({ min: 100, max: 599 }), (changes, status) => {
      const said = answerOf(answered({ ...BODY, ...changes }, status), EXPECTED);
      expect(answerSchema.safeParse(said).success).toBe(true);
      if (said.is === "approved") expect(said.amount).toBeLessThanOrEqual(1234);
    }),
  );
});
