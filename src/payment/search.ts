import { earliest } from "../kit/earliest.ts";
import { closedSearchAt, isClosedByPerson } from "./after-closing.ts";
import { lookedForWith, mayBePaidTwice, turnWaitedForUntil, twinSearchAt } from "./arrived-twice.ts";
import { type Attempt, nextSearchAt } from "./attempt.ts";
import { captureFailed, isCaptured } from "./capture.ts";
import { linkSearchAt } from "./link.ts";
import type { SearchKey } from "./operation.ts";
import { bookingOf, type Payment, targetsOf } from "./payment.ts";
import { storedCardSearchAt } from "./registration.ts";
import { RULES } from "./role.ts";
import { areSecondsGone, isSecondGone, secondSearchAt } from "./second-take-back.ts";
import { isReversed, originalSearchAt } from "./take-back.ts";
import { voidSearchAt } from "./void.ts";

/**
 * Who is kept waiting by a query: a card in a terminal, a cashier, or nobody; `precaution`: nothing is known to be amiss. The gateway answers few of them (gateway-facts 2.5).
 */
export type Urgency = "card" | "cashier" | "recovery" | "precaution";

/** A query on behalf of an attempt: for what goes by that key, and all that refers to it. Not before `at`, epoch milliseconds. */
export interface Search {
  readonly key: string;
  readonly do: "search";
  readonly merchantTransactionId: string;
  readonly original: SearchKey;
  readonly at: number;
  readonly urgency: Urgency;
  /** When its turn is not waited for any more; absent where it is. */
  readonly until?: number;
}

/** Every query that the state asks for, one an attempt at most. */
export function searchesOf(payment: Payment): readonly Search[] {
  const isClosed = isClosedByPerson(payment);
  return payment.attempts.flatMap((attempt) => {
    const original = searchKeyOf(payment, attempt);
    // One query answers whatever is asked of that attempt.
    const reasons = isClosed ? [closedSearchAt, twinSearchAt] : [ownSearchAt, secondSearchAt];
    const at = earliest(reasons.map((when) => when(payment, attempt)));
    if (original === undefined || at === undefined) return [];
    const { merchantTransactionId } = attempt.operation;
    const urgency = urgencyOf(payment);
    // What a cashier waited for leaves his line as soon as nobody does.
    const key = `search ${merchantTransactionId} ${attempt.searches} ${at}${urgency === "precaution" ? " in passing" : ""}`;
    const until = urgency === "precaution" ? turnWaitedForUntil(attempt) : undefined;
    return [{ key, do: "search", merchantTransactionId, original, at, urgency, ...(until !== undefined && { until }) } as const];
  });
}

/**
 * When to ask what became of the attempt itself. In their rank: under which id a card was stored with it; of a link what its customer does; what was not answered; what a void
 * was for; what is being taken back; what an end left undecided.
 */
function ownSearchAt(payment: Payment, attempt: Attempt): number | undefined {
  const isOriginal = attempt === bookingOf(payment);
  const forCard = isOriginal ? storedCardSearchAt(payment) : undefined;
  if (forCard !== undefined || isAnswered(payment, attempt)) return forCard;
  if (attempt.operation.link !== undefined && attempt.standing === "open") return linkSearchAt(payment, attempt);
  return nextSearchAt(attempt) ?? voidSearchAt(payment, attempt) ?? (isOriginal ? originalSearchAt(payment) : closedSearchAt(payment, attempt));
}

/** Another attempt of the same kind has brought what this one was for. */
function isAnswered(payment: Payment, { role, standing, takenBack }: Attempt): boolean {
  if (role === "own-capture") return isCaptured(payment) || payment.captureWithdrawnBy !== undefined || (standing !== "absent" && captureFailed(payment));
  return takenBack || isReversed(payment);
}

/** Nothing is known to be amiss: it is only looked whether what it stands or falls with was booked twice. Of a link people are told as long as its customer may have paid twice. */
export function isNothingAmiss(payment: Payment): boolean {
  return !mayBePaidTwice(payment) && areSecondsGone(payment) && payment.attempts.every((attempt) => ownSearchAt(payment, attempt) === undefined);
}

function urgencyOf(payment: Payment): Urgency {
  if (payment.terminal.at === "holding") return "card";
  if (payment.concluded !== undefined) return isNothingAmiss(payment) ? "precaution" : "recovery";
  return payment.interruptedAt === undefined ? "cashier" : "recovery";
}

/**
 * A booking is found by our own name for it, which shows every booking under it; what refers to a booking among all that refers to it. What was paid by a link and is not shown so is
 * looked for by turns under the id that the link names: neither that this id is a booking's nor that the booking has our name is published.
 */
function searchKeyOf(payment: Payment, { role, operation }: Attempt): SearchKey | undefined {
  const [target] = targetsOf(payment);
  // Of several that are voided none need refer to another (two captures of one sale).
  if (target !== undefined) return { id: (role === "void" ? operation.referencedId : undefined) ?? target.id };
  const booking = bookingOf(payment);
  const sight = payment.link?.sight;
  const isSecondTry = booking?.standing === "open" && booking.searches % 2 === 1;
  if (isSecondTry && sight?.is === "paid" && sight.transactionId !== undefined) return { id: sight.transactionId };
  const second = payment.seconds.find(({ id }) => id === operation.referencedId);
  const request = RULES[role].isBooking ? operation.merchantTransactionId : (second?.request ?? booking?.operation.merchantTransactionId);
  return request === undefined ? undefined : { merchantTransactionId: request };
}

/** The queries that together show all that is known to stand of a payment, whatever of it was asked last: one for most, and one for each earlier card or PIN that was booked too. */
export function everyQueryOf(payment: Payment): readonly Pick<Search, "merchantTransactionId" | "original">[] {
  const newest = payment.attempts.findLast(({ standing }) => standing !== "intended");
  const seconds = payment.seconds.filter((second) => !isSecondGone(payment, second)).map(({ request }) => lookedForWith(payment, request));
  const queries = new Map<string, Pick<Search, "merchantTransactionId" | "original">>();
  for (const attempt of [newest, bookingOf(payment), ...seconds]) {
    const original = attempt === undefined || attempt.standing === "intended" ? undefined : searchKeyOf(payment, attempt);
    if (attempt === undefined || original === undefined) continue;
    const key = "id" in original ? original.id : original.merchantTransactionId;
    if (!queries.has(key)) queries.set(key, { merchantTransactionId: attempt.operation.merchantTransactionId, original });
  }
  return [...queries.values()];
}
