import { describe, expect, it } from "vitest";
import { createStore } from "../../../../src/web/bridge/store.ts";
import { amountOf, nextFollowUpForm } from "../../../../src/web/till/follow-up-form.ts";
import { followUpsOf, leftToCapture } from "../../../../src/web/till/follow-ups.ts";
import { askOf, EMPTY_PAD, nextPad } from "../../../../src/web/till/pad-state.ts";
import { APPROVED, somePayment } from "./some-payment.ts";

const form = (amount: "none" | "all-or-part" | "needed", left?: string) =>
  createStore(
    nextFollowUpForm(amount, "EUR"),
    { digits: "", problem: undefined, isSent: false, left },
    () => undefined,
  );

describe("what is typed and sent in one moment", () => {
  it("is the same amount on the pad", () => {
    let drawn = 0;
    const pad = createStore(nextPad, EMPTY_PAD, () => {
      drawn += 1;
    });
    for (const key of ["1", "5", "00"] as const) pad.tell({ is: "key", key, currency: "EUR" });
    expect(askOf(pad.now(), { terminal: "till-1", currency: "EUR", cashier: "" })).toMatchObject({
      ask: { params: { amount: "15.00" } },
    });
    expect(drawn).toBe(3);
  });

  it("is the same amount in a question", () => {
    const store = form("all-or-part", "20.00");
    store.tell({ is: "typed", text: "500" });
    store.tell({ is: "press" });
    expect([store.now().isSent, amountOf(store.now(), "EUR")]).toEqual([true, "5.00"]);
  });
});

describe("the question of a follow-up", () => {
  it("refuses more than is left in its place, and takes all of it", () => {
    const store = form("all-or-part", "20.00");
    store.tell({ is: "typed", text: "2001" });
    store.tell({ is: "press" });
    expect(store.now()).toMatchObject({ isSent: false, problem: "Only €20.00 is left. Type no more than that." });
    store.tell({ is: "typed", text: "2000" });
    expect(store.now().problem).toBeUndefined();
    store.tell({ is: "press" });
    expect(store.now().isSent).toBe(true);
  });

  it("wants an amount where one is added, however much was reserved before", () => {
    const store = form("needed");
    store.tell({ is: "press" });
    expect(store.now()).toMatchObject({ isSent: false, problem: "Type how much is added." });
    store.tell({ is: "typed", text: "99999" });
    store.tell({ is: "press" });
    expect(store.now().isSent).toBe(true);
  });

  it("leaves the word to the bridge where nobody knows what is left", () => {
    const store = form("all-or-part");
    store.tell({ is: "typed", text: "99999" });
    store.tell({ is: "press" });
    expect(store.now().isSent).toBe(true);
  });

  it("says what an empty amount means", () => {
    const capture = followUpsOf(somePayment({ ...APPROVED, type: "PREAUTHORIZATION" }))[0];
    expect(capture).toMatchObject({ call: "payment.capture", hint: "Leave it empty to take all of it." });
  });
});

describe("what is left of a reservation", () => {
  const reserved = somePayment({
    ...APPROVED,
    type: "PREAUTHORIZATION",
    approvedAmount: "100.00",
    capturedAmount: "30.00",
  });
  const raise = { ...APPROVED, type: "INCREMENT", of: "pay_1", approvedAmount: "20.00" } as const;

  it("is what was reserved and added, less what was captured", () => {
    expect(
      leftToCapture(reserved, [
        reserved,
        somePayment({ ...raise, id: "pay_2" }),
        somePayment({ ...raise, id: "pay_3" }),
      ]),
    ).toBe("110.00");
  });

  it.each([
    ["of another reservation", { of: "pay_9" }],
    ["not approved", { decision: "not-approved" as const }],
    ["voided", { voidedBy: "pay_8" }],
  ])("counts nothing that is %s", (_, change) => {
    expect(leftToCapture(reserved, [somePayment({ ...raise, id: "pay_2", ...change })])).toBe("70.00");
  });
});
