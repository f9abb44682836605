import { describe, expect, test } from "vitest";
import { currencyProblem, finalAnswerProblem, firstAnswerProblem } from "../../../src/emv/answer-problem.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import { objectsOf } from "./objects.ts";

const SALE = { amount: 1234, transactionType: "00" } as const;
const REFUND = { amount: 1234, transactionType: "20" } as const;
const ARQC = "9F2701809F26081122334455667788";
const TC = "9F2701409F26081122334455667788";

describe("a first answer", () => {
  test.each([
    [`${ARQC}9F02060000000012349C0100`, "online", SALE, "chip", undefined],
    ["", "online", SALE, "chip", undefined],
    [TC, "approved-offline", SALE, "chip", undefined],
    [TC, "online", SALE, "chip", "the answer says online, its cryptogram (9F27) does not"],
    [
      ARQC,
      "approved-offline",
      SALE,
      "contactless-chip",
      "the answer says approved-offline, its cryptogram (9F27) does not",
    ],
    [ARQC, "declined-offline", SALE, "chip", undefined],
    ["9F0206000000001235", "online", SALE, "magstripe", "the answer carries another amount (9F02) than was asked for"],
    ["9C0120", "online", SALE, "chip", "the answer carries another transaction type (9C) than was asked for"],
    ["9C0120", "declined-offline", REFUND, "chip", "the answer to a refund carries no cryptogram (9F26)"],
    ["9C0120", "online", REFUND, "contactless-chip", "the answer to a refund carries no cryptogram (9F26)"],
    ["9C0120", "online", REFUND, "contactless-magstripe", undefined],
    ["", "online", REFUND, "keyed", undefined],
    ["9C0120", "online", REFUND, "magstripe", undefined],
    ["9F2701009F26081122334455667788", "declined-offline", REFUND, "chip", undefined],
  ] as const)("%s, %s, of %j by %s: %s", (hex, decision, request, via, expected) => {
    expect(firstAnswerProblem(objectsOf(hex), decision, request, via)).toBe(expected);
  });
});

test.each([
  ["5F2A020978", undefined],
  ["5F2A020840", "the card was asked in currency 840 (5F2A), the payment is in 978: have the device set up for both"],
  ["5F2A00", undefined],
  ["", undefined],
])("an answer whose objects are %s, in a payment in euros: %s", (hex, expected) => {
  expect(currencyProblem(objectsOf(hex), { currencyNumeric: "978" })).toBe(expected);
});

describe("a final answer that says approved", () => {
  test.each([
    [TC, { atc: "0001" }, undefined],
    [`${TC}9F36020001`, { atc: "0001" }, undefined],
    [`${TC}9F36020001`, {}, undefined],
    [`${TC}9F36020002`, { atc: "0001" }, "the final answer carries another transaction counter (9F36)"],
    ["9F270100", { atc: "0001" }, "the final answer says approved, its cryptogram (9F27) does not"],
    [ARQC, {}, "the final answer says approved, its cryptogram (9F27) does not"],
    ["", {}, undefined],
  ])("%s against %j: %s", (hex, first, expected) => {
    expect(finalAnswerProblem(objectsOf(hex), first)).toBe(expected);
  });
});

test("a first byte that is empty says nothing", () => {
  expect(firstAnswerProblem([{ tag: "9F27", value: fromHex("") }], "online", SALE, "chip")).toBeUndefined();
});
