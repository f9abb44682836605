import { type Attempt, isDone, isRefused } from "../attempt/attempt.ts";
import { lookedAt, selfReversal } from "../attempt/observation.ts";
import { type NextRequest, soonest } from "../fact/operation.ts";
import { isRepeatable } from "../recovery/recover.ts";
import { isBookingClear, takeBacks } from "../recovery/reversal.ts";
import { type Need, repeatAt } from "../recovery/schedule.ts";
import { isSecondGone } from "../recovery/surplus-reversal.ts";
import { attemptsAs, bookingOf, type Payment } from "../state/payment.ts";

/** Told only on approval: until then the card may refuse, and the registration is deleted. */
export function registrationIdOf(payment: Payment): string | undefined {
  return payment.ending === undefined && payment.concluded !== undefined ? storedIdOf(payment) : undefined;
}

function storedIdOf(payment: Payment): string | undefined {
  const booking = bookingOf(payment);
  if (booking?.answer?.is !== "approved") return undefined;
  if (booking.role === "registration") return booking.answer.id;
  // An unrequested id belongs to a card that the customer stored earlier.
  return payment.accepted.createRegistration === true ? booking.answer.registrationId : undefined;
}

/** The shop may not keep cards stored with a failed payment or a second booking. */
function orphansOf(payment: Payment): readonly string[] {
  const own =
    payment.ending !== undefined && bookingOf(payment)?.role !== "registration" ? storedIdOf(payment) : undefined;
  const kept = payment.ending === undefined ? storedIdOf(payment) : undefined;
  const gone = payment.seconds.filter((second) => payment.resolved !== undefined || isSecondGone(payment, second));
  // Until it is decided which booking counts, no card is surplus.
  const isOver = payment.ending !== undefined || payment.concluded !== undefined;
  const others =
    payment.accepted.createRegistration === true && isOver ? gone.map(({ registrationId }) => registrationId) : [];
  return [...new Set([own, ...others].flatMap((id) => (id === undefined || id === kept ? [] : [id])))];
}

function deletionsOf(payment: Payment, orphan: string): readonly Attempt[] {
  return attemptsAs(payment, "deletion").filter(({ operation }) => operation.referencedId === orphan);
}

/** An operator's decision is about money: it stops only deletions that had failed before it. */
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

/** Operators must close it, because the gateway refused to delete it. */
export function isOrphanRefused(payment: Payment): boolean {
  return orphansLeft(payment).some((orphan) => deletionsOf(payment, orphan).some(isRefused));
}

export function isOrphanLeftAfterWord(payment: Payment): boolean {
  return payment.resolved !== undefined && isOrphanLeft(payment);
}

/** Deletion waits until the money is taken back. */
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
 * A booking reversed before its approval was known may have stored the card. Only a query tells its id. A booking the
 * gateway reversed itself was never approved.
 */
export function isStoredCardUnknown(payment: Payment): boolean {
  return mayHaveStoredCard(payment) && !isLongUntold(payment);
}

/** Only the gateway's staff can find and delete the card now. */
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
