import { type Attempt, isDone, isRefused } from "../attempt/attempt.ts";
import { lookedAt, selfReversal } from "../attempt/observation.ts";
import { type NextRequest, soonest } from "../fact/operation.ts";
import { isRepeatable } from "../recovery/recover.ts";
import { isBookingClear, takeBacks } from "../recovery/reversal.ts";
import { type Need, repeatAt } from "../recovery/schedule.ts";
import { isSecondGone } from "../recovery/surplus-reversal.ts";
import { attemptsAs, bookingOf, type Payment } from "../state/payment.ts";

/**
 * The gateway's id of the stored card that this payment made, where it made one and is approved: until then the card
 * may refuse, and it is deleted.
 */
export function registrationIdOf(payment: Payment): string | undefined {
  return payment.ending === undefined && payment.concluded !== undefined ? storedIdOf(payment) : undefined;
}

function storedIdOf(payment: Payment): string | undefined {
  const booking = bookingOf(payment);
  if (booking?.answer?.is !== "approved") return undefined;
  if (booking.role === "registration") return booking.answer.id;
  // An id that comes unasked is that of a card which was stored before, and is the customer's.
  return payment.accepted.createRegistration === true ? booking.answer.registrationId : undefined;
}

/**
 * Cards that the shop has no leave to keep: stored besides a payment which then failed, or with a second booking of its
 * request.
 */
function orphansOf(payment: Payment): readonly string[] {
  const own =
    payment.ending !== undefined && bookingOf(payment)?.role !== "registration" ? storedIdOf(payment) : undefined;
  const kept = payment.ending === undefined ? storedIdOf(payment) : undefined;
  const gone = payment.seconds.filter((second) => payment.resolved !== undefined || isSecondGone(payment, second));
  // As long as it is not decided which one counts, none of them is one too many.
  const isOver = payment.ending !== undefined || payment.concluded !== undefined;
  const others =
    payment.accepted.createRegistration === true && isOver ? gone.map(({ registrationId }) => registrationId) : [];
  return [...new Set([own, ...others].flatMap((id) => (id === undefined || id === kept ? [] : [id])))];
}

function deletionsOf(payment: Payment, orphan: string): readonly Attempt[] {
  return attemptsAs(payment, "deletion").filter(({ operation }) => operation.referencedId === orphan);
}

/**
 * Those that are not deleted yet, and still are to be: a person's word is about money, so that it stops only what had
 * been tried in vain before he said it.
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

/** One that the gateway has refused to delete: people are told, and close it. */
export function isOrphanRefused(payment: Payment): boolean {
  return orphansLeft(payment).some((orphan) => deletionsOf(payment, orphan).some(isRefused));
}

export function isOrphanLeftAfterWord(payment: Payment): boolean {
  return payment.resolved !== undefined && isOrphanLeft(payment);
}

/**
 * The next try to delete one, once the money is taken back; undefined while there is nothing to delete or no last try
 * has an answer that allows another.
 */
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
 * A booking that was reversed before anybody was told of its approval may have stored the card all the same: only a
 * query can tell under which id. True until one has told, or
 * none has for the whole unknown window. What the gateway took back by itself it never approved.
 */
export function isStoredCardUnknown(payment: Payment): boolean {
  return mayHaveStoredCard(payment) && !isLongUntold(payment);
}

/** No query has told it for the whole window: only the gateway's people can find the card, and delete it. */
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

/** Why to query for the id under which it was stored. */
export function storedCardNeed(payment: Payment): Need | undefined {
  return isStoredCardUnknown(payment) ? { is: "soon", since: reversedSince(payment) } : undefined;
}

function reversedSince(payment: Payment): number {
  return takeBacks(payment).find(isDone)?.since ?? payment.ending?.at ?? 0;
}
