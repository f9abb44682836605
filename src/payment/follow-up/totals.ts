import type { Minor } from "../../kit/money.ts";
import { type Attempt, hasGoneThrough, isDone } from "../attempt/attempt.ts";
import { isReversalShown } from "../attempt/observation.ts";
import type { FollowUp, Target } from "../fact/original.ts";
import { givenBesides } from "../recovery/surplus.ts";
import { attemptsAs, bookingOf, type Payment, targetsOf } from "../state/payment.ts";
import { idByOperator } from "../state/resolved.ts";
import { isCaptureAsked, isCaptured } from "./capture.ts";
import { isFollowUp } from "./follow-up.ts";

/** What an approved payment booked, minor units; undefined as long as it is not approved. */
export function bookedAmount(payment: Payment): Minor | undefined {
  if (payment.concluded === undefined || payment.ending !== undefined) return undefined;
  const answer = bookingOf(payment)?.answer;
  return answer?.is === "approved" ? (answer.amount ?? payment.accepted.amount) : payment.accepted.amount;
}

/**
 * What was taken from the cardholder by now: by the sale itself, by its own capture, or by the captures of a
 * preauthorization. Undefined where none was.
 */
export function capturedAmount(payment: Payment): Minor | undefined {
  const booked = bookedAmount(payment);
  if (booked === undefined) return undefined;
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
      return booked;
    case "REFUND":
    case "REGISTRATION":
    case "VOID":
    case "LINKED_REFUND":
    case "INCREMENT":
      return undefined;
  }
}

/**
 * What a sale took by itself: its debit, or its capture; of a capture in part also what an operator says was captured
 * by hand of the rest.
 */
export function takenBy(payment: Payment): readonly Target[] {
  const booked = bookedAmount(payment);
  const id = captureIdOf(payment);
  if (booked === undefined || id === undefined) return [];
  if (bookingOf(payment)?.role === "debit") return [{ id, paymentType: "DB", amount: booked }];
  if (!isCaptured(payment)) return [];
  const done = attemptsAs(payment, "own-capture").find((one) => isDone(one) && one.answer?.id === id);
  const amount = done?.answer?.is === "approved" ? (done.answer.amount ?? booked) : booked;
  const byHand = idByOperator(payment);
  const own = { id, paymentType: "CP", amount } as const;
  return byHand === undefined || byHand === id || amount >= booked
    ? [own]
    : [own, { ...own, id: byHand, amount: booked - amount }];
}

/**
 * The gateway captured another amount of a sale than was approved: what is to become of the difference is for people to
 * say, unless a void takes all of it back.
 */
export function isCapturedOtherwise(payment: Payment): boolean {
  const captured = payment.accepted.type === "SALE" ? capturedAmount(payment) : undefined;
  return captured !== undefined && captured !== bookedAmount(payment) && voidedBy(payment) === undefined;
}

/** The gateway's id of what was captured by the sale itself, for refunds and voids. */
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

/** Of a reservation and what raised it, minor units. */
export function reservedAmount(payment: Payment): Minor {
  return (bookedAmount(payment) ?? 0) + sum(stillStanding(payment, "INCREMENT"));
}

/** Approved follow-ups of that type that no void took back. */
export function stillStanding({ followUps }: Payment, type: FollowUp["type"]): readonly FollowUp[] {
  return followUps.filter(
    (one) =>
      one.type === type &&
      isApproved(one) &&
      !followUps.some((other) => other.type === "VOID" && isApproved(other) && other.target === one.id),
  );
}

/** The payment that took this one's booking back on a register's word. */
export function voidedBy(payment: Payment): string | undefined {
  const own = [bookingOf(payment)?.answer?.id, captureIdOf(payment)].filter((id) => id !== undefined);
  return payment.followUps.find(
    (one) =>
      one.type === "VOID" && isApproved(one) && [one.target, ...(one.besides ?? [])].some((id) => own.includes(id)),
  )?.payment;
}

/** How a follow-up ended, as its originals are told. */
export function followUpOf(payment: Payment): FollowUp {
  const { accepted, concluded } = payment;
  const [target, ...others] = targetsOf(payment);
  const id = idByOperator(payment) ?? bookingOf(payment)?.answer?.id;
  // What raised a reservation goes with it (void.ts).
  const whole = targetsOf(payment).filter(({ paymentType }, at) => at === 0 || paymentType !== "PA");
  const isAllDone = whole.every(({ id: done }) =>
    payment.attempts.some((one) => hasGoneThrough(one) && one.operation.referencedId === done),
  );
  const late = payment.ending === undefined || !isAllDone ? undefined : payment.attempts.find(hasGoneThrough);
  const besides = givenBesides(payment.seconds, accepted.amount);
  const own = bookedAmount(payment) ?? (late && (lateAmount(late) ?? accepted.amount)) ?? 0;
  return {
    payment: accepted.id,
    type: isFollowUp(accepted.type) ? accepted.type : "VOID",
    // What stands at the gateway counts for what may follow, whatever the register was told.
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

/** What a void of this sale has to reverse, once its own capture is through or was stopped for that void. */
export function voidTargetsOf(sale: Payment, by: string): readonly Target[] | undefined {
  const captured = takenBy(sale);
  if (captured.length > 0) return isCaptureAsked(sale) ? undefined : captured;
  const reserved = bookingOf(sale)?.answer?.id;
  return sale.captureWithdrawnBy === by && reserved !== undefined
    ? [{ id: reserved, paymentType: "PA", amount: bookedAmount(sale) ?? 0 }]
    : undefined;
}

/** Approved wholly or in part. */
export function isApproved({ outcome }: { readonly outcome: string | null }): boolean {
  return outcome === "APPROVED" || outcome === "PARTIALLY_APPROVED";
}

function sum(amounts: readonly { readonly amount: Minor }[]): Minor {
  return amounts.reduce((total, { amount }) => total + amount, 0);
}
