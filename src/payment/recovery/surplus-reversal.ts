import { type Attempt, isTakenBackBy } from "../attempt/attempt.ts";
import { type NextRequest, soonest } from "../fact/operation.ts";
import { bookingOf, type Payment, targetsOf } from "../state/payment.ts";
import { isDenied, nextTry, outcomeNeed } from "./reversal.ts";
import type { Need } from "./schedule.ts";
import { isGiven, purposeOf, type SecondBooking } from "./surplus.ts";
import { actionFor } from "./table.ts";

/** One query shows all tries against an original; each card's request needs its own. */
export function queriedWith(payment: Payment, request: string): Attempt | undefined {
  if (targetsOf(payment).length > 0) return bookingOf(payment) ?? payment.attempts.at(-1);
  return payment.attempts.find(({ operation }) => operation.merchantTransactionId === request);
}

/** Independent of the payment's own outcome. */
export function nextSecondTakeBack(payment: Payment): NextRequest | undefined {
  // The answer on the wire may name this very booking.
  if (payment.attempts.some(({ standing }) => standing === "intended")) return undefined;
  return soonest(payment.seconds.map((second) => nextOf(payment, second)));
}

function nextOf(payment: Payment, second: SecondBooking): NextRequest | undefined {
  const { id, paymentType, currency, isPending, seenAt: since, shownAt: lookedAt } = second;
  const isKnown = payment.resolved !== undefined && since <= payment.resolved.at;
  if (isPending || isGiven(second) || isKnown || isSecondGone(payment, second) || isPerhapsOwn(payment, second))
    return undefined;
  // People refund a booking of unknown amount.
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
      elseIn: isRefundable ? currency : undefined,
      since,
      lookedAt,
      tries: triesOn(payment, second),
    },
  });
}

/** Minor units; the requested amount where the gateway named none. */
function bookedIn({ accepted }: Payment, { amount = accepted.amount }: SecondBooking): number {
  return amount;
}

/** The approved booking is not visible; only this one is. It may be the real one: an operator decides. */
function isPerhapsOwn({ ending }: Payment, second: SecondBooking): boolean {
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

/** An operator's word settles only bookings seen before it. */
export function isSecondHeld(payment: Payment): boolean {
  return secondStanding(payment) !== undefined;
}

/** `pending`: all undecided. `instead`: it may be the payment's only booking. */
export function secondStanding(payment: Payment): "booked" | "pending" | "instead" | undefined {
  const { seconds, resolved } = payment;
  const held = seconds.filter(
    (second) => !isSecondGone(payment, second) && (resolved === undefined || second.seenAt > resolved.at),
  );
  if (held.length === 0) return undefined;
  const decided = held.filter(({ isPending }) => !isPending);
  if (decided.length === 0) return "pending";
  return decided.every((second) => isPerhapsOwn(payment, second)) ? "instead" : "booked";
}

/** No further try is due: an operator decides. */
export function isSecondLeftToPeople(payment: Payment, now: number): boolean {
  return payment.seconds.some((second) => {
    if (isSecondGone(payment, second)) return false;
    if (isPerhapsOwn(payment, second) || (isGiven(second) && !second.isPending)) return true;
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
    if (second.isPending || isGiven(second) || isPerhapsOwn(payment, second))
      return [{ is: "hourly", since: second.shownAt }];
    const need = outcomeNeed(second.shownAt, triesOn(payment, second).at(-1));
    return need === undefined ? [] : [need];
  });
}
