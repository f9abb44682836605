import { currencyOf } from "../../kit/money.ts";
import { isReversalShown } from "../attempt/observation.ts";
import type { FollowUp, Target } from "../fact/original.ts";
import { nameOf } from "../fact/refusal.ts";
import { decisionOf } from "../outcome/view.ts";
import { bookingOf, type Payment } from "../state/payment.ts";
import { idByOperator } from "../state/resolved.ts";
import type { Standing } from "./admit-follow-up.ts";
import { isCaptureAsked, isCaptured } from "./capture.ts";
import { bookedAmount, capturedAmount, reservedAmount, stillStanding, takenBy, voidedBy } from "./totals.ts";

/**
 * `head`: the sale or reservation at the chain's start, if `payment` is a follow-up. It records all follow-ups of the
 * chain.
 */
export function standingOf(payment: Payment, head: Payment | undefined, oneCapture: boolean): Standing {
  const { accepted } = payment;
  const currency = currencyOf(accepted.currency);
  if (currency === undefined)
    throw new RangeError(`payment ${accepted.id} has a currency that this version does not take`);
  const closed = closedBy(payment, head);
  const name = `reference "${accepted.reference}"`;
  const undecided = decisionOf(payment) === undefined;
  const base = {
    ...{
      name,
      payment: nameOf(accepted),
      currency,
      oneCapture,
      capturing: false,
      reserved: 0,
      captures: [],
      voids: [],
    },
    ...(undecided && { undecided }),
    ...(isGone(payment) && { gone: true as const }),
    ...(closed !== undefined && { closed }),
  };
  const own = ownTarget(payment);
  const family = head ?? payment;
  switch (accepted.type) {
    case "SALE":
      return {
        ...base,
        kind: "sale",
        voids: own,
        captures: saleCaptures(payment),
        capturing: bookingOf(payment)?.role === "reservation" && (!isCaptured(payment) || isCaptureAsked(payment)),
      };
    case "PREAUTHORIZATION": {
      const increments = stillStanding(payment, "INCREMENT").flatMap((one) =>
        targetOf(one, "PA").map((target) => ({ ...target, payment: one.payment })),
      );
      const limit = accepted.numberOfCaptures === undefined ? {} : { numberOfCaptures: accepted.numberOfCaptures };
      return {
        ...base,
        ...limit,
        kind: "reservation",
        voids: [...own, ...increments],
        reserved: reservedAmount(payment),
        captures: capturesOf(payment),
      };
    }
    case "CAPTURE":
      return {
        ...base,
        kind: "capture",
        voids: own,
        captures: own.map((target) => ({ ...target, refunded: refundedOf(family, target.id) })),
      };
    case "INCREMENT":
      return {
        ...base,
        kind: "increment",
        voids: own,
        ...(isIncrementCaptured(payment, head) && { closed: "is captured" }),
      };
    case "REFUND":
    case "LINKED_REFUND":
    case "VOID":
      return { ...base, kind: "refund" };
    case "REGISTRATION":
      return { ...base, kind: "registration" };
  }
}

function isIncrementCaptured(increment: Payment, head: Payment | undefined): boolean {
  if (head === undefined) return false;
  return (capturedAmount(head) ?? 0) > reservedAmount(head) - (bookedAmount(increment) ?? 0);
}

function closedBy(payment: Payment, head: Payment | undefined): string | undefined {
  if (decisionOf(payment) !== "approved") return "is not approved";
  if (voidedBy(payment) !== undefined || (head !== undefined && voidedBy(head) !== undefined)) return "is voided";
  return undefined;
}

function isGone(payment: Payment): boolean {
  const own = ownTarget(payment);
  return (
    own.length > 0 &&
    own.every(({ id }) => payment.attempts.some((one) => one.answer?.id === id && isReversalShown(one)))
  );
}

/** Refunds and voids of a captured sale refer to its CP, which holds the money: reversing the PA returns nothing. */
function ownTarget(payment: Payment): readonly Target[] {
  const taken = payment.accepted.type === "SALE" ? takenBy(payment) : [];
  if (taken.length > 0) return taken;
  const booking = bookingOf(payment);
  const id = idByOperator(payment) ?? booking?.answer?.id;
  return id === undefined || booking === undefined
    ? []
    : [{ id, paymentType: booking.operation.paymentType, amount: bookedAmount(payment) ?? 0 }];
}

function saleCaptures(payment: Payment): Standing["captures"] {
  return takenBy(payment).map((target) => ({ ...target, refunded: refundedOf(payment, target.id) }));
}

function capturesOf(payment: Payment): Standing["captures"] {
  return stillStanding(payment, "CAPTURE").flatMap((one) =>
    targetOf(one, "CP").map((target) => ({
      ...target,
      refunded: refundedOf(payment, target.id),
      payment: one.payment,
      ...(one.last && { last: one.last }),
    })),
  );
}

function targetOf({ id, amount }: FollowUp, paymentType: Target["paymentType"]): readonly Target[] {
  return id === undefined ? [] : [{ id, paymentType, amount }];
}

function refundedOf(family: Payment, id: string): number {
  return stillStanding(family, "LINKED_REFUND")
    .filter(({ target }) => target === id)
    .reduce((total, { amount }) => total + amount, 0);
}
