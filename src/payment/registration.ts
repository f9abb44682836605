import { isDone, isRepeatable, lookDelayMs, repeatAt } from "./attempt.ts";
import type { Operation } from "./operation.ts";
import { attemptsAs, bookingOf, type Payment } from "./payment.ts";
import { isBookingClear, takeBacks } from "./take-back.ts";

/** The gateway's id of the stored card that this payment made, where it made one and is approved: until then the card may refuse, and it is deleted. */
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

/** A card that was stored besides a payment which then failed: the shop has no leave to keep it. */
function orphanOf(payment: Payment): string | undefined {
  return payment.ending !== undefined && bookingOf(payment)?.role !== "registration" ? storedIdOf(payment) : undefined;
}

export function isOrphanLeft(payment: Payment): boolean {
  return orphanOf(payment) !== undefined && !attemptsAs(payment, "deletion").some(isDone);
}

/** The next try to delete it, once the money is taken back; undefined while there is nothing to delete or the last try has no answer yet. */
export function nextDeletion(payment: Payment): { readonly operation: Omit<Operation, "merchantTransactionId">; readonly at: number } | undefined {
  const referencedId = orphanOf(payment);
  if (referencedId === undefined || payment.ending === undefined || !isOrphanLeft(payment) || !isBookingClear(payment)) return undefined;
  if (payment.resolved !== undefined && (bookingOf(payment)?.since ?? 0) <= payment.resolved.at) return undefined;
  const tries = attemptsAs(payment, "deletion");
  const last = tries.at(-1);
  if (last !== undefined && !isRepeatable(last)) return undefined;
  const operation = { paymentType: "DR" as const, entityId: payment.accepted.channel.entityId, referencedId };
  return { operation, at: last === undefined ? payment.ending.at : repeatAt(last, tries.length) };
}

/**
 * A booking that was reversed before anybody was told of its approval may have stored the card all the same: only a query can tell under which id. True until one has told, or
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
    booking.selfReversed === undefined &&
    isBookingClear(payment)
  );
}

function isLongUntold(payment: Payment): boolean {
  return (bookingOf(payment)?.lookedAt ?? 0) - reversedSince(payment) >= payment.accepted.rules.unknownWindowMs;
}

/** When to ask under which id it was stored. */
export function storedCardSearchAt(payment: Payment): number | undefined {
  const booking = bookingOf(payment);
  if (booking === undefined || !isStoredCardUnknown(payment)) return undefined;
  return booking.searchedAt === undefined ? booking.since : Math.max(reversedSince(payment), booking.searchedAt + lookDelayMs(booking));
}

function reversedSince(payment: Payment): number {
  return takeBacks(payment).find(isDone)?.since ?? payment.ending?.at ?? 0;
}
