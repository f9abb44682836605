import type { PaymentView } from "../../../../src/payment/view-schema.ts";

/** A sale of 12.34 EUR that has just been accepted. */
export function somePayment(change: Partial<PaymentView> = {}): PaymentView {
  return {
    id: "pay_1",
    reference: "r1",
    type: "SALE",
    register: "till",
    terminal: "till-1",
    amount: "12.34",
    currency: "EUR",
    environment: "test",
    state: "CREATED",
    createdAt: "2026-03-01T10:00:00.000Z",
    updatedAt: "2026-03-01T10:00:00.000Z",
    ...change,
  };
}

export const APPROVED = { state: "FINAL", decision: "approved", outcome: "APPROVED", approvedAmount: "12.34" } as const;

export function reason(
  code: string,
  advice: NonNullable<PaymentView["reason"]>["advice"],
): Pick<PaymentView, "reason"> {
  return { reason: { code, message: `The message of ${code}.`, advice } };
}
