import { describe, expect, it } from "vitest";
import type { PaymentView } from "../../../../src/payment/view-schema.ts";
import { inOrder, moneyTaken, periodOfDay, type TotalsRow } from "../../../../src/web/till/day.ts";
import { askFor, followUpsOf, restOf } from "../../../../src/web/till/follow-ups.ts";
import { EVERYTHING, filterOf, isFound } from "../../../../src/web/till/history.ts";
import { askOf, EMPTY_PAD, nextPad, type Pad } from "../../../../src/web/till/pad-state.ts";
import { consumesNothing, refusalOf } from "../../../../src/web/till/refusal.ts";
import { storedCards } from "../../../../src/web/till/stored-cards.ts";
import { isOver } from "../../../../src/web/till/till-state.ts";
import { APPROVED, reason, somePayment } from "./some-payment.ts";

const SETTINGS = { terminal: "till-1", currency: "EUR", cashier: " Jo " };
const START = { terminal: "till-1", currency: "EUR", cashier: "Jo", queue: true, expiresInMs: 60_000 };
const UNSCHEDULED = { type: "UNSCHEDULED", mode: "INITIAL", source: "CIT" };
const STORED = { registration: "abc", name: "VISA", instruction: UNSCHEDULED };

describe("what the pad sends", () => {
  it.each<[string, Partial<Pad>, object]>([
    ["a sale", { goods: "1234" }, { call: "payment.start", params: { ...START, type: "SALE", amount: "12.34" } }],
    [
      "a sale with a tip, which is part of the amount",
      { goods: "1000", tip: "150" },
      { params: { ...START, type: "SALE", amount: "11.50", tip: "1.50" } },
    ],
    [
      "a reservation",
      { kind: "reserve", goods: "100" },
      { params: { ...START, type: "PREAUTHORIZATION", amount: "1.00" } },
    ],
    ["a card to store", { onlyStores: true, goods: "100" }, { params: { ...START, type: "REGISTRATION" } }],
    [
      "a sale that stores",
      { storesCard: true, goods: "100" },
      {
        params: { ...START, type: "SALE", amount: "1.00", createRegistration: true, standingInstruction: UNSCHEDULED },
      },
    ],
    [
      "a refund of all",
      { kind: "refund", refundOf: " r1 " },
      { call: "payment.refund", params: { of: "r1", cashier: "Jo" } },
    ],
    [
      "a refund of a part",
      { kind: "refund", refundOf: "r1", goods: "500" },
      { params: { of: "r1", amount: "5.00", cashier: "Jo" } },
    ],
    [
      "a refund to a card",
      { kind: "refund", isLinked: false, goods: "500" },
      { params: { ...START, type: "REFUND", amount: "5.00" } },
    ],
    [
      "a link",
      { kind: "link", goods: "500", description: "Table 4" },
      { call: "link.create", params: { amount: "5.00", currency: "EUR", description: "Table 4", cashier: "Jo" } },
    ],
    [
      "a stored card",
      { kind: "stored-card", goods: "500", stored: STORED },
      {
        call: "registration.pay",
        params: {
          registration: "abc",
          amount: "5.00",
          currency: "EUR",
          standingInstruction: UNSCHEDULED,
          cashier: "Jo",
        },
      },
    ],
  ])("%s", (_, change, ask) => {
    expect(askOf({ ...EMPTY_PAD, ...change }, SETTINGS)).toMatchObject({ ask });
  });

  it.each<[string, Partial<Pad>]>([
    ["an amount", {}],
    ["a reference", { kind: "refund" }],
    ["a stored card", { kind: "stored-card", goods: "5" }],
  ])("nothing, as long as %s is missing", (_, change) => {
    expect(askOf({ ...EMPTY_PAD, ...change }, SETTINGS)).toHaveProperty("missing");
  });

  it("keeps the amount when another kind is chosen, and no option of the kind before", () => {
    const pad = nextPad({ ...EMPTY_PAD, goods: "500", tip: "50", storesCard: true }, { is: "kind", kind: "link" });
    expect(pad).toEqual({ ...EMPTY_PAD, kind: "link", goods: "500" });
  });
});

describe("what may follow a payment", () => {
  it.each<[string, Partial<PaymentView>, readonly string[]]>([
    ["a captured sale", { ...APPROVED, capture: "captured", capturedAmount: "12.34" }, ["Refund", "Void"]],
    ["a sale whose capture is on its way", { ...APPROVED, capture: "pending" }, ["Void"]],
    ["a sale refunded in part", { ...APPROVED, capturedAmount: "12.34", refundedAmount: "5.00" }, ["Refund"]],
    ["a sale refunded in full", { ...APPROVED, capturedAmount: "12.34", refundedAmount: "12.34" }, []],
    ["a voided sale", { ...APPROVED, voidedBy: "pay_2" }, []],
    ["a declined sale", { state: "FINAL", decision: "not-approved", outcome: "DECLINED" }, []],
    ["a reservation", { ...APPROVED, type: "PREAUTHORIZATION" }, ["Capture", "Raise", "Void"]],
    [
      "a reservation that was captured in part",
      { ...APPROVED, type: "PREAUTHORIZATION", capturedAmount: "5.00" },
      ["Capture", "Raise"],
    ],
    ["a refund", { ...APPROVED, type: "LINKED_REFUND" }, []],
  ])("%s", (_, change, labels) => {
    expect(followUpsOf(somePayment(change)).map(({ label }) => label)).toEqual(labels);
  });

  it("names its original by the id, and no amount where all is meant", () => {
    const sale = somePayment({ ...APPROVED, capturedAmount: "12.34", refundedAmount: "2.00" });
    const [refund] = followUpsOf(sale);
    expect(refund?.left).toBe("10.34");
    expect(refund && askFor(sale, refund, undefined, "")).toMatchObject({
      call: "payment.refund",
      params: { of: { id: "pay_1" } },
    });
    expect(restOf(somePayment({ approvedAmount: "6.17" }))).toBe("6.17");
  });
});

it("nobody waits for the end of a link that was cancelled, but for everything that is taken back", () => {
  const open = { state: "RESOLVING", decision: "not-approved" } as const;
  expect(isOver({ is: "known", payment: somePayment({ ...open, ...reason("register-cancelled", "retry") }) })).toBe(
    true,
  );
  expect(isOver({ is: "known", payment: somePayment({ ...open, ...reason("outcome-unknown", "wait") }) })).toBe(false);
});

it("a stored card is charged by what its first payment was told", () => {
  const gateway = { attempts: [], registrationId: "abc" };
  const stored = somePayment({ ...APPROVED, gateway });
  expect(storedCards([stored])).toMatchObject([{ registration: "abc", instruction: UNSCHEDULED }]);
  expect(
    storedCards([somePayment({ ...APPROVED, gateway: { ...gateway, initialTransactionId: "1", agreementId: "2" } })]),
  ).toMatchObject([{ instruction: { mode: "REPEATED", source: "MIT", initialTransactionId: "1", agreementId: "2" } }]);
  expect(storedCards([somePayment({ gateway, state: "FINAL", decision: "not-approved" })])).toEqual([]);
});

describe("the day and the history", () => {
  const row = (type: TotalsRow["type"], amount: string): TotalsRow => ({
    terminal: "till-1",
    type,
    brand: "VISA",
    currency: "EUR",
    count: 1,
    amount,
  });

  it("counts what was taken, and neither reservations nor stored cards", () => {
    const rows = [
      row("PREAUTHORIZATION", "100.00"),
      row("SALE", "0.10"),
      row("CAPTURE", "0.20"),
      row("LINKED_REFUND", "0.05"),
      row("REFUND", "0.50"),
      row("VOID", "0.05"),
    ];
    expect(moneyTaken(rows)).toEqual([{ currency: "EUR", amount: "-0.30" }]);
    expect(inOrder(rows).at(-1)?.type).toBe("PREAUTHORIZATION");
  });

  it("takes a day of this machine's calendar, and nothing that is none", () => {
    const { from = "", to = "" } = periodOfDay("2026-01-15") ?? {};
    expect(new Date(from).getHours()).toBe(0);
    expect(new Date(to).getDate()).toBe(16);
    expect(periodOfDay("")).toBeUndefined();
  });

  it("asks the bridge for the filter, and searches words in any order itself", () => {
    expect(filterOf({ ...EVERYTHING, show: "open", terminal: "till-1" }, undefined)).toEqual({
      open: true,
      terminal: "till-1",
    });
    expect(filterOf({ ...EVERYTHING, show: "DECLINED" }, { from: "a", to: "b" })).toEqual({
      outcome: "DECLINED",
      from: "a",
      to: "b",
    });
    const payment = somePayment({ cashier: "Jo", card: { brand: "VISA", last4: "0050", entryMode: "ICC" } });
    for (const search of ["", "0050 visa", "12.34 jo", "R1"]) expect(isFound(payment, search)).toBe(true);
    expect(isFound(payment, "0051")).toBe(false);
  });
});

it("tells every refusal with what to do, and asks again after what it does not know", () => {
  const refusal = refusalOf(
    { code: "undecided-payment", message: "wait for it", reference: "r0", register: "bar" },
    "till",
  );
  expect(refusal).toMatchObject({ text: "Wait for it.", mayRepeat: true, inTheWay: undefined });
  expect(refusal.todo).not.toBe("");
  for (const code of ["terminal-busy", "reference-reused", "undecided-payment", "data-folder-rolled-back"])
    expect(consumesNothing(code)).toBe(true);
  for (const code of ["journal-broken", "internal-error", "of-a-later-bridge"])
    expect(consumesNothing(code)).toBe(false);
});
