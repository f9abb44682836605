import { earliest } from "../kit/earliest.ts";
import { lookedForWith, twinSearchAt } from "./arrived-twice.ts";
import { type Attempt, isRefused, isTakenBackBy } from "./attempt.ts";
import { type NextRequest, soonest } from "./operation.ts";
import type { Payment } from "./payment.ts";
import { isGiven, type SecondBooking } from "./second-booking.ts";
import { nextTry, outcomeSearchAt } from "./take-back.ts";

/** What the gateway has not decided, or people are to settle, is looked at this often. */
const LEFT_ALONE_EVERY_MS = 3_600_000;

/** The next try to take a second booking back, however the payment itself stands; undefined while there is none, or its last try has no answer yet that allows another. */
export function nextSecondTakeBack(payment: Payment): NextRequest | undefined {
  // A request of its own that is on the wire may be answered with that very booking.
  if (payment.attempts.some(({ standing }) => standing === "intended")) return undefined;
  return soonest(payment.seconds.map((second) => nextOf(payment, second)));
}

function nextOf(payment: Payment, second: SecondBooking): NextRequest | undefined {
  const { id, paymentType, currency, isPending, seenAt: since, shownAt: lookedAt } = second;
  const tries = triesOn(payment, second);
  const isKnown = payment.resolved !== undefined && since <= payment.resolved.at;
  if (isPending || isGiven(second) || isKnown || isSecondGone(payment, second) || isPerhapsOwn(payment, second)) return undefined;
  // What the gateway does not say the worth of is refunded by people.
  const isRefundable = (paymentType === "DB" || paymentType === "CP") && second.amount !== undefined;
  const by = {
    takenBackBy: paymentType === "RG" ? "DR" : "RV",
    booked: bookedIn(payment, second),
    elseIn: isRefundable ? currency : undefined,
  } as const;
  return nextTry(payment, { id, entityId: payment.accepted.channel.entityId, ...by, since, lookedAt, tries });
}

/** Minor units: what was asked for where the gateway does not say it. */
function bookedIn({ accepted }: Payment, { amount = accepted.amount }: SecondBooking): number {
  return amount;
}

/** Under what the payment was approved as no query shows anything, and this instead: people find out which of them stands before one is taken back. */
function isPerhapsOwn({ ending }: Payment, second: SecondBooking): boolean {
  return ending === undefined && second.isOnlyOne && !second.isPending && !isGiven(second);
}

function triesOn({ attempts }: Payment, { id }: SecondBooking): readonly Attempt[] {
  return attempts.filter(({ operation }) => operation.referencedId === id);
}

/** No second booking of this payment is left at the gateway, as far as it is known. */
export function areSecondsGone(payment: Payment): boolean {
  return payment.seconds.every((second) => isSecondGone(payment, second));
}

export function isSecondGone(payment: Payment, second: SecondBooking): boolean {
  return second.isTakenBack || (!second.isPending && isTakenBackBy(triesOn(payment, second), bookedIn(payment, second)));
}

/** The gateway holds a second booking, and no person has said since it was seen what became of it. */
export function isSecondHeld(payment: Payment): boolean {
  return secondStanding(payment) !== undefined;
}

/** How it stands with what is held so: `pending` where the gateway has decided none of it, `instead` where it may be the only one there is (isPerhapsOwn). */
export function secondStanding(payment: Payment): "booked" | "pending" | "instead" | undefined {
  const { seconds, resolved } = payment;
  const held = seconds.filter((second) => !isSecondGone(payment, second) && (resolved === undefined || second.seenAt > resolved.at));
  if (held.length === 0) return undefined;
  const decided = held.filter(({ isPending }) => !isPending);
  if (decided.length === 0) return "pending";
  return decided.every((second) => isPerhapsOwn(payment, second)) ? "instead" : "booked";
}

/** One of which nothing more will come by itself, or not for certain, as far as that can be told by now (isLeftToPeople in take-back.ts). */
export function isSecondLeftToPeople(payment: Payment, now: number): boolean {
  return payment.seconds.some((second) => {
    if (isSecondGone(payment, second)) return false;
    if (isPerhapsOwn(payment, second) || (isGiven(second) && !second.isPending)) return true;
    const tries = triesOn(payment, second);
    if (tries.some((one) => isRefused(one) || one.answer?.is === "already-reversed")) return true;
    const told = second.isPending ? [second.seenAt] : [second.shownAt, ...tries.flatMap(({ standing, since }) => (standing === "settled" ? [since] : []))];
    return now - Math.max(...told) >= payment.accepted.rules.unknownWindowMs;
  });
}

/**
 * When to look for one: of what a query has told, once more when the gateway shows whatever it booked, and of a link that was paid also what was begun in another browser
 * meanwhile; of what is not decided, now and then; of what is being taken back, as of any booking. Undefined where there is nothing to look for.
 */
export function secondSearchAt(payment: Payment, attempt: Attempt): number | undefined {
  const seconds = payment.seconds.filter(({ request }) => lookedForWith(payment, request) === attempt);
  return earliest([...seconds.map((second) => lookAt(payment, attempt, second)), twinSearchAt(payment, attempt)]);
}

function lookAt(payment: Payment, attempt: Attempt, second: SecondBooking): number | undefined {
  if (isSecondGone(payment, second)) return undefined;
  if (second.isPending || isGiven(second) || isPerhapsOwn(payment, second)) return (attempt.searchedAt ?? 0) + LEFT_ALONE_EVERY_MS;
  return outcomeSearchAt(attempt, second.shownAt, triesOn(payment, second).at(-1));
}
