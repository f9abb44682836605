import type { Minor } from "../../kit/money.ts";
import { type Attempt, isDone, isRefundOrVoidDone } from "../attempt/attempt.ts";
import { isReversalShown } from "../attempt/observation.ts";
import type { FollowUp, Target } from "../fact/original.ts";
import { givenBesides } from "../recovery/surplus.ts";
import { attemptsAs, bookingOf, type Payment, targetsOf } from "../state/payment.ts";
import { idByOperator } from "../state/resolved.ts";
import { isCaptureAsked } from "./capture.ts";
import { isFollowUp } from "./follow-up.ts";

export function bookedAmount(payment: Payment): Minor | undefined {
  if (payment.concluded === undefined || payment.ending !== undefined) return undefined;
  const answer = bookingOf(payment)?.answer;
  return answer?.is === "approved" ? (answer.amount ?? payment.accepted.amount) : payment.accepted.amount;
}

export function capturedAmount(payment: Payment): Minor | undefined {
  switch (payment.accepted.type) {
    case "SALE": {
      const taken = takenBy(payment);
      return taken.length === 0 ? undefined : sum(taken);
    }
    case "PREAUTHORIZATION": {
      const captures = stillStanding(payment, "CAPTURE");
      return captures.length === 0 ? undefined : sum(captures);
    }
    case "CAPTURE":
      return bookedAmount(payment);
    case "REFUND":
    case "REGISTRATION":
    case "VOID":
    case "LINKED_REFUND":
    case "INCREMENT":
      return undefined;
  }
}

/** Bookings that took a sale's money: its DB or CP, and the rest that an operator reported as captured by hand. */
export function takenBy(payment: Payment): readonly Target[] {
  const booked = bookedAmount(payment);
  const id = captureIdOf(payment);
  if (booked === undefined || id === undefined) return [];
  if (bookingOf(payment)?.role === "debit") return [{ id, paymentType: "DB", amount: booked }];
  const done = attemptsAs(payment, "own-capture").find((one) => isDone(one) && one.answer?.id === id);
  const amount = done?.answer?.is === "approved" ? (done.answer.amount ?? booked) : booked;
  const byHand = idByOperator(payment);
  const own = { id, paymentType: "CP", amount } as const;
  return byHand === undefined || byHand === id || amount >= booked
    ? [own]
    : [own, { ...own, id: byHand, amount: booked - amount }];
}

/**
 * The gateway captured another amount than it approved: an operator decides whether the shop wants the rest (decision
 * 16).
 */
export function isCapturedOtherwise(payment: Payment): boolean {
  const captured = payment.accepted.type === "SALE" ? capturedAmount(payment) : undefined;
  return captured !== undefined && captured !== bookedAmount(payment) && voidedBy(payment) === undefined;
}

function captureIdOf(payment: Payment): string | undefined {
  const booking = bookingOf(payment);
  if (booking?.role === "debit") return idByOperator(payment) ?? booking.answer?.id;
  const captures = attemptsAs(payment, "own-capture").filter(isDone);
  return captures.find((one) => !isReversalShown(one))?.answer?.id ?? idByOperator(payment) ?? captures[0]?.answer?.id;
}

export function refundedAmount(payment: Payment): Minor | undefined {
  const refunds = stillStanding(payment, "LINKED_REFUND");
  return refunds.length === 0 ? undefined : sum(refunds);
}

export function reservedAmount(payment: Payment): Minor {
  return (bookedAmount(payment) ?? 0) + sum(stillStanding(payment, "INCREMENT"));
}

export function stillStanding({ followUps }: Payment, type: FollowUp["type"]): readonly FollowUp[] {
  return followUps.filter(
    (one) =>
      one.type === type &&
      isApproved(one) &&
      !followUps.some((other) => other.type === "VOID" && isApproved(other) && other.target === one.id),
  );
}

export function voidedBy(payment: Payment): string | undefined {
  const own = [bookingOf(payment)?.answer?.id, captureIdOf(payment)].filter((id) => id !== undefined);
  return payment.followUps.find(
    (one) =>
      one.type === "VOID" && isApproved(one) && [one.target, ...(one.besides ?? [])].some((id) => own.includes(id)),
  )?.payment;
}

export function followUpOf(payment: Payment): FollowUp {
  const { accepted, concluded } = payment;
  const [target, ...others] = targetsOf(payment);
  const id = idByOperator(payment) ?? bookingOf(payment)?.answer?.id;
  // The RV of a reservation also releases its increments (the PAs after it): theirs need not be done.
  const whole = targetsOf(payment).filter(({ paymentType }, at) => at === 0 || paymentType !== "PA");
  const isAllDone = whole.every(({ id: done }) =>
    payment.attempts.some((one) => isRefundOrVoidDone(one) && one.operation.referencedId === done),
  );
  const late = payment.ending === undefined || !isAllDone ? undefined : payment.attempts.find(isRefundOrVoidDone);
  const besides = givenBesides(payment.seconds, accepted.amount);
  const own = bookedAmount(payment) ?? (late && (lateAmount(late) ?? accepted.amount)) ?? 0;
  return {
    payment: accepted.id,
    type: isFollowUp(accepted.type) ? accepted.type : "VOID",
    // A refund or void may be booked after its register was told "failed": the money moved, so the original counts it.
    outcome: late === undefined && besides === 0 ? (concluded?.outcome ?? "FAILED") : "APPROVED",
    amount: accepted.type === "VOID" ? 0 : own + besides,
    ...(id !== undefined && { id }),
    target: target?.id ?? "",
    ...(accepted.type === "VOID" && others.length > 0 && { besides: others.map((one) => one.id) }),
    ...(accepted.last && { last: accepted.last }),
  };
}

function lateAmount({ answer }: Attempt): Minor | undefined {
  return answer?.is === "approved" ? answer.amount : undefined;
}

export function voidTargetsOf(sale: Payment, by: string): readonly Target[] | undefined {
  const captured = takenBy(sale);
  if (captured.length > 0) return isCaptureAsked(sale) ? undefined : captured;
  const reserved = bookingOf(sale)?.answer?.id;
  return sale.captureWithdrawnBy === by && reserved !== undefined
    ? [{ id: reserved, paymentType: "PA", amount: bookedAmount(sale) ?? 0 }]
    : undefined;
}

export function isApproved({ outcome }: { readonly outcome: string | null }): boolean {
  return outcome === "APPROVED" || outcome === "PARTIALLY_APPROVED";
}

function sum(amounts: readonly { readonly amount: Minor }[]): Minor {
  return amounts.reduce((total, { amount }) => total + amount, 0);
}
