import { owed } from "../../src/payment/machine/owed.ts";
import { isBookedAfterClosing } from "../../src/payment/operator/late-booking.ts";
import { isSecondHeld } from "../../src/payment/recovery/surplus-reversal.ts";
import type { Payment } from "../../src/payment/state/payment.ts";
import { idByOperator } from "../../src/payment/state/resolved.ts";
import { doneLate, surplus, undecided } from "./operator.ts";
import type { System } from "./system.ts";

/**
 * What a person has closed, and he has said what was so: nothing that shows up afterwards is lost, and what he named
 * stands.
 */
export function brokenAfterWord({ ledger, settled }: System, payment: Payment): string | undefined {
  const { resolved, attempts } = payment;
  if (resolved === undefined) return undefined;
  const named = ledger.find(({ id }) => id === idByOperator(payment));
  const isOurs = (mtid: string): boolean => attempts.some(({ operation }) => operation.merchantTransactionId === mtid);
  if (
    named !== undefined &&
    ledger.some(({ ref, type, state, mtid }) => ref === named.id && type === "RV" && state === "booked" && isOurs(mtid))
  )
    return "the bridge took back what a person had named";
  if (owed(payment).length > 0 || isBookedAfterClosing(payment) || isSecondHeld(payment)) return undefined;
  if (surplus(payment, { ledger, settled }).length > 0)
    return "a person has closed it, a booking stands, and nobody is told";
  if (undecided(payment, ledger).length > 0)
    return "a person has closed it, the gateway has not decided it, and nobody looks";
  const late = doneLate(payment, ledger).find(({ id }) => !settled.includes(id));
  return late === undefined ? undefined : "a person has closed a void as not done, it is done, and nobody is told";
}
