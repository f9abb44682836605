import { isoTime } from "../../kit/clock.ts";
import { isSettled } from "../../payment/machine.ts";
import type { Payment } from "../../payment/state.ts";
import { stateOf } from "../../payment/view.ts";
import type { PaymentRow } from "../ports.ts";

export function rowOf(payment: Payment): PaymentRow {
  const { accepted, concluded } = payment;
  return {
    payment: accepted.id,
    register: accepted.register,
    reference: accepted.reference,
    terminal: accepted.terminal,
    order: accepted.order ?? null,
    type: accepted.type,
    currency: accepted.currency,
    amount: accepted.amount,
    state: stateOf(payment),
    outcome: concluded?.outcome ?? null,
    open: !isSettled(payment),
    createdAt: isoTime(accepted.at),
  };
}
