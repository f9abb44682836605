import { type Attempt, isTakenBackBy } from "../attempt/attempt.ts";
import { type NextRequest, soonest } from "../fact/operation.ts";
import { bookingOf, type Payment, targetsOf } from "../state/payment.ts";
import { actionFor } from "./decision-table.ts";
import { isDenied, nextTry, outcomeNeed } from "./reversal.ts";
import type { Need } from "./schedule.ts";
import { isGiven, purposeOf, type SecondBooking } from "./surplus.ts";

export function queriedWith(payment: Payment, request: string): Attempt | undefined {
  if (targetsOf(payment).length > 0) return bookingOf(payment) ?? payment.attempts.at(-1);
  return payment.attempts.find(({ operation }) => operation.merchantTransactionId === request);
}

/**
 * An approved payment's surplus booking is reversed too: a register gets at most one booking for each reference
 * (decision 12).
 */
export function nextSecondTakeBack(payment: Payment): NextRequest | undefined {
  // The answer to a request on the wire may make this booking the payment's own: no reversal until then.
  if (payment.attempts.some(({ standing }) => standing === "intended")) return undefined;
  return soonest(payment.seconds.map((second) => nextOf(payment, second)));
}

function nextOf(payment: Payment, second: SecondBooking): NextRequest | undefined {
  const { id, paymentType, currency, isPending, seenAt: since, shownAt: lookedAt } = second;
  const isKnown = payment.resolved !== undefined && since <= payment.resolved.at;
  if (isPending || isGiven(second) || isKnown || isSecondGone(payment, second) || mayBeOnlyBooking(payment, second))
    return undefined;
  const isRefundable = (paymentType === "DB" || paymentType === "CP") && second.amount !== undefined;
  return nextTry(payment, {
    ...{
      id,
      entityId: payment.accepted.channel.entityId,
      purpose: purposeOf(second),
      takenBackBy: paymentType === "RG" ? "DR" : "RV",
    },
    ...{
      booked: bookedIn(payment, second),
      refundCurrency: isRefundable ? currency : undefined,
      since,
      lookedAt,
      tries: triesOn(payment, second),
    },
  });
}

function bookedIn({ accepted }: Payment, { amount = accepted.amount }: SecondBooking): number {
  return amount;
}

/**
 * The approved booking is not shown, only this one. Reversing it could leave an approved sale unpaid, so an operator
 * decides (decision 12).
 */
function mayBeOnlyBooking({ ending }: Payment, second: SecondBooking): boolean {
  if (!second.isOnlyOne || second.isPending || isGiven(second)) return false;
  const evidence = {
    purpose: purposeOf(second),
    heard: "approved",
    booking: "different",
    undone: "no",
    age: "young",
  } as const;
  return actionFor({ ...evidence, wanted: ending === undefined }) === "operator";
}

function triesOn({ attempts }: Payment, { id }: SecondBooking): readonly Attempt[] {
  return attempts.filter(({ operation }) => operation.referencedId === id);
}

export function areSecondsGone(payment: Payment): boolean {
  return payment.seconds.every((second) => isSecondGone(payment, second));
}

export function isSecondGone(payment: Payment, second: SecondBooking): boolean {
  return (
    second.isTakenBack || (!second.isPending && isTakenBackBy(triesOn(payment, second), bookedIn(payment, second)))
  );
}

export function isSecondHeld(payment: Payment): boolean {
  return secondStanding(payment) !== undefined;
}

/**
 * Surplus bookings that no operator decision covers. `pending`: the gateway has decided none. `instead`: each may be
 * the payment's only booking.
 */
export function secondStanding(payment: Payment): "booked" | "pending" | "instead" | undefined {
  const { seconds, resolved } = payment;
  const held = seconds.filter(
    (second) => !isSecondGone(payment, second) && (resolved === undefined || second.seenAt > resolved.at),
  );
  if (held.length === 0) return undefined;
  const decided = held.filter(({ isPending }) => !isPending);
  if (decided.length === 0) return "pending";
  return decided.every((second) => mayBeOnlyBooking(payment, second)) ? "instead" : "booked";
}

export function secondNeedsOperator(payment: Payment, now: number): boolean {
  return payment.seconds.some((second) => {
    if (isSecondGone(payment, second)) return false;
    if (mayBeOnlyBooking(payment, second) || (isGiven(second) && !second.isPending)) return true;
    const tries = triesOn(payment, second);
    if (tries.some(isDenied)) return true;
    const told = second.isPending
      ? [second.seenAt]
      : [second.shownAt, ...tries.flatMap(({ standing, since }) => (standing === "settled" ? [since] : []))];
    return now - Math.max(...told) >= payment.accepted.rules.unknownWindowMs;
  });
}

export function surplusNeeds(payment: Payment, attempt: Attempt): readonly Need[] {
  const seconds = payment.seconds.filter(
    (second) => !isSecondGone(payment, second) && queriedWith(payment, second.request) === attempt,
  );
  return seconds.flatMap((second): readonly Need[] => {
    if (second.isPending || isGiven(second) || mayBeOnlyBooking(payment, second))
      return [{ is: "hourly", since: second.shownAt }];
    const need = outcomeNeed(second.shownAt, triesOn(payment, second).at(-1));
    return need === undefined ? [] : [need];
  });
}
