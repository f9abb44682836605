import type { Minor } from "../../kit/money.ts";
import { isDone } from "../attempt/attempt.ts";
import { isReversalShown } from "../attempt/observation.ts";
import { givenBesides } from "../recovery/surplus.ts";
import type { Payment } from "../state/payment.ts";
import type { PaymentType } from "../view-schema.ts";
import { bookedAmount } from "./totals.ts";

export function givesBack(type: string): type is Extract<PaymentType, "REFUND" | "LINKED_REFUND" | "VOID"> {
  return type === "REFUND" || type === "LINKED_REFUND" || type === "VOID";
}

/** An open refund, credit or void counts whole towards refund limits: it may yet be booked. */
export function givenBack(payment: Payment): Minor {
  const { accepted, attempts, concluded, ending, seconds } = payment;
  if (!givesBack(accepted.type)) return 0;
  if (concluded === undefined) return accepted.amount;
  const besides = givenBesides(seconds, accepted.amount);
  if (ending === undefined)
    return accepted.type === "VOID" ? accepted.amount : (bookedAmount(payment) ?? accepted.amount) + besides;
  const late = attempts.find((one) => ROLES.includes(one.role) && !isReversalShown(one) && isDone(one));
  if (late === undefined) return besides;
  const isPart = accepted.type !== "VOID" && late.answer?.is === "approved";
  return (isPart ? (late.answer.amount ?? accepted.amount) : accepted.amount) + besides;
}

const ROLES: readonly string[] = ["credit", "refund", "void"];
