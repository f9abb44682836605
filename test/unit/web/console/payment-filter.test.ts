import { describe, expect, it } from "vitest";
import type { PaymentView } from "../../../../src/payment/view-schema.ts";
import { inOrder, listParams, matches, NO_FILTER } from "../../../../src/web/console/payment-filter.ts";

const payment = (of: Partial<PaymentView> = {}): PaymentView => ({
  ...{
    id: "pay_1",
    reference: "order-4711",
    type: "SALE",
    register: "till",
    terminal: "till-1",
    currency: "EUR",
    amount: "12.34",
    environment: "test",
  },
  ...{
    state: "FINAL",
    outcome: "APPROVED",
    createdAt: "2026-03-01T10:00:00.000Z",
    updatedAt: "2026-03-01T10:00:05.000Z",
  },
  ...of,
});

describe("the search", () => {
  const sold = payment({
    card: { brand: "VISA", last4: "0119", entryMode: "ICC" },
    gateway: {
      id: "8ac7a4a1",
      attempts: [{ merchantTransactionId: "m1ab", paymentType: "PA", resultCode: "000.100.110" }],
    },
    cashier: "Anna",
  });
  it.each(["order-4711", "ORDER", "12.34", "0119 visa", "8ac7", "m1ab", "000.100.110", "anna", "  till-1 "])(
    "finds it by %s",
    (search) => {
      expect(matches(sold, { ...NO_FILTER, search })).toBe(true);
    },
  );
  it.each(["4712", "0119 mastercard", "12,34"])("does not find it by %s", (search) => {
    expect(matches(sold, { ...NO_FILTER, search })).toBe(false);
  });
});

it.each([
  ["open", [false, false, false, true]],
  ["approved", [true, true, false, false]],
  ["not-approved", [false, false, true, false]],
  ["any", [true, true, true, true]],
] as const)("the outcome %s lets through what it says", (standing, through) => {
  const all = [
    payment(),
    payment({ outcome: "PARTIALLY_APPROVED" }),
    payment({ outcome: "FAILED" }),
    { ...payment({ state: "RESOLVING" }), outcome: undefined },
  ];
  expect(all.map((one) => matches(one, { ...NO_FILTER, standing }))).toEqual(through);
});

it("open payments stand first, then the newest, each once and as it was read last", () => {
  const open = payment({ id: "pay_open", state: "RESOLVING", createdAt: "2026-01-01T00:00:00.000Z" });
  const older = payment({ id: "pay_a", createdAt: "2026-02-01T00:00:00.000Z" });
  const newer = payment({ id: "pay_b", createdAt: "2026-02-02T00:00:00.000Z" });
  const stale = payment({
    id: "pay_b",
    state: "AUTHORIZING",
    createdAt: newer.createdAt,
    updatedAt: "2026-01-01T00:00:00.000Z",
  });
  expect(inOrder([stale], [older, newer], [open]).map(({ id, state }) => [id, state])).toEqual([
    ["pay_open", "RESOLVING"],
    ["pay_b", "FINAL"],
    ["pay_a", "FINAL"],
  ]);
});

it("days become half open periods", () => {
  const midnight = Date.parse("2026-03-03T00:00:00.000Z");
  expect(listParams(NO_FILTER, midnight)).toEqual({});
  expect(listParams({ period: "today", terminal: "till-1" }, midnight)).toEqual({
    terminal: "till-1",
    from: "2026-03-03T00:00:00.000Z",
  });
  expect(listParams({ period: "yesterday", terminal: "" }, midnight)).toEqual({
    from: "2026-03-02T00:00:00.000Z",
    to: "2026-03-03T00:00:00.000Z",
  });
  expect(listParams({ period: "week", terminal: "" }, midnight)).toEqual({ from: "2026-02-25T00:00:00.000Z" });
});
