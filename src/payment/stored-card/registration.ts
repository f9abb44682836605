import { type Attempt, isDone, isRefused } from "../attempt/attempt.ts";
import { lookedAt, selfReversal } from "../attempt/observation.ts";
import { type NextRequest, soonest } from "../fact/operation.ts";
import { isRepeatable } from "../recovery/query-result.ts";
import { isBookingClear, takeBacks } from "../recovery/reversal.ts";
import { type Need, repeatAt } from "../recovery/schedule.ts";
import { isSecondGone } from "../recovery/surplus-reversal.ts";
import { attemptsAs, bookingOf, type Payment } from "../state/payment.ts";

/** The register learns a stored card's id only with the approval: a failed payment's card is deleted. */
export function registrationIdOf(payment: Payment): string | undefined {
  return payment.ending === undefined && payment.concluded !== undefined ? storedIdOf(payment) : undefined;
}

function storedIdOf(payment: Payment): string | undefined {
  const booking = bookingOf(payment);
  if (booking?.answer?.is !== "approved") return undefined;
  if (booking.role === "registration") return booking.answer.id;
  // Without `createRegistration` the id names a card stored earlier, which must not be deleted.
  return payment.accepted.createRegistration === true ? booking.answer.registrationId : undefined;
}

/** Cards stored with a failed payment or a surplus booking: no register knows of them, so they are deleted. */
function orphansOf(payment: Payment): readonly string[] {
  const own =
    payment.ending !== undefined && bookingOf(payment)?.role !== "registration" ? storedIdOf(payment) : undefined;
  const kept = payment.ending === undefined ? storedIdOf(payment) : undefined;
  const gone = payment.seconds.filter((second) => payment.resolved !== undefined || isSecondGone(payment, second));
  // While the payment is undecided, a surplus booking may prove to be its own: then its card must stay.
  const isOver = payment.ending !== undefined || payment.concluded !== undefined;
  const others =
    payment.accepted.createRegistration === true && isOver ? gone.map(({ registrationId }) => registrationId) : [];
  return [...new Set([own, ...others].flatMap((id) => (id === undefined || id === kept ? [] : [id])))];
}

function deletionsOf(payment: Payment, orphan: string): readonly Attempt[] {
  return attemptsAs(payment, "deletion").filter(({ operation }) => operation.referencedId === orphan);
}

/**
 * An operator decides about money: the card is deleted all the same, unless a DR had failed before the decision
 * (decision 17).
 */
function orphansLeft(payment: Payment): readonly string[] {
  const { resolved } = payment;
  return orphansOf(payment).filter((orphan) => {
    const tries = deletionsOf(payment, orphan);
    return !tries.some((one) => isDone(one) || (resolved !== undefined && one.since < resolved.at));
  });
}

export function isOrphanLeft(payment: Payment): boolean {
  return orphansLeft(payment).length > 0;
}

export function isOrphanRefused(payment: Payment): boolean {
  return orphansLeft(payment).some((orphan) => deletionsOf(payment, orphan).some(isRefused));
}

export function isOrphanLeftAfterDecision(payment: Payment): boolean {
  return payment.resolved !== undefined && isOrphanLeft(payment);
}

export function nextDeletion(payment: Payment): NextRequest | undefined {
  const isMoneyDone = payment.ending === undefined || isBookingClear(payment);
  if (payment.resolved === undefined && !isMoneyDone) return undefined;
  return soonest(orphansLeft(payment).map((orphan) => deletionOf(payment, orphan)));
}

function deletionOf(payment: Payment, referencedId: string): NextRequest | undefined {
  const tries = deletionsOf(payment, referencedId);
  const last = tries.at(-1);
  if (last !== undefined && !isRepeatable(last)) return undefined;
  const operation = { paymentType: "DR" as const, entityId: payment.accepted.channel.entityId, referencedId };
  return { operation, at: last === undefined ? payment.accepted.at : repeatAt(last, tries.length) };
}

/**
 * A booking reversed before its answer came may have stored a card. Only a query tells the card's id, which a deletion
 * needs.
 */
export function isStoredCardUnknown(payment: Payment): boolean {
  return mayHaveStoredCard(payment) && !isLongUntold(payment);
}

/** No query told the card's id within the unknown window: only the gateway's staff can delete that card. */
export function isStoredCardLost(payment: Payment): boolean {
  return mayHaveStoredCard(payment) && isLongUntold(payment);
}

function mayHaveStoredCard(payment: Payment): boolean {
  const { accepted, ending } = payment;
  const booking = bookingOf(payment);
  return (
    accepted.createRegistration === true &&
    ending !== undefined &&
    booking?.standing === "open" &&
    selfReversal(booking) === undefined &&
    isBookingClear(payment)
  );
}

function isLongUntold(payment: Payment): boolean {
  const booking = bookingOf(payment);
  return ((booking && lookedAt(booking)) ?? 0) - reversedSince(payment) >= payment.accepted.rules.unknownWindowMs;
}

export function storedCardNeed(payment: Payment): Need | undefined {
  return isStoredCardUnknown(payment) ? { is: "soon", since: reversedSince(payment) } : undefined;
}

function reversedSince(payment: Payment): number {
  return takeBacks(payment).find(isDone)?.since ?? payment.ending?.at ?? 0;
}
