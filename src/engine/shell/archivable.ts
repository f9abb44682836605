import { isSettled } from "../../payment/machine.ts";
import { originalsOf } from "../../payment/request.ts";
import { capturedAmount, type Payment, reservedAmount, voidedBy } from "../../payment/state.ts";
import type { StoredFact } from "../ports.ts";
import { readPayment } from "./journal-replay.ts";

/** Whether a payment's facts may be archived: it is final, owes nothing, and has no uncaptured reservation. */
export function mayBeArchived(facts: readonly StoredFact[]): boolean {
  const payment = readPayment(facts)?.payment;
  return payment !== undefined && isSettled(payment) && !isReservationThatStands(payment);
}

function isReservationThatStands(payment: Payment): boolean {
  if (payment.accepted.type !== "PREAUTHORIZATION" || voidedBy(payment) !== undefined) return false;
  return reservedAmount(payment) > (capturedAmount(payment) ?? 0);
}

/** Whether the payment, or a follow-up of it, is in memory. */
export function isInUse(active: readonly Payment[], payment: string): boolean {
  return active.some(
    ({ accepted: { id, of } }) => id === payment || (of !== undefined && originalsOf(of).includes(payment)),
  );
}
