import { earliest } from "../../kit/earliest.ts";
import type { Attempt } from "../attempt/attempt.ts";
import { askedAt, isLate, isReversalShown, queriesOf } from "../attempt/observation.ts";
import { RULES } from "../attempt/retry-by-role.ts";
import type { SearchKey } from "../fact/operation.ts";
import { captureFailed, isCaptured } from "../follow-up/capture.ts";
import { voidNeed } from "../follow-up/void.ts";
import { linkNeeds, linkSearchAt, mayBePaidTwice } from "../link/link.ts";
import { closedNeed, isClosedByOperator } from "../operator/late-booking.ts";
import { actionFor } from "../recovery/decision-table.ts";
import { evidenceOf } from "../recovery/evidence.ts";
import { isReversed, reversalNeed } from "../recovery/reversal.ts";
import { type Need, queryAt } from "../recovery/schedule.ts";
import { areSecondsGone, isSecondGone, queriedWith, surplusNeeds } from "../recovery/surplus-reversal.ts";
import { bookingOf, type Payment, targetsOf } from "../state/payment.ts";
import { storedCardNeed } from "../stored-card/registration.ts";

/** Who waits for a query. The gateway allows two a minute: a waiting card goes before a cashier, then recovery. */
export type Urgency = "card" | "cashier" | "recovery";

export interface Search {
  readonly key: string;
  readonly do: "search";
  readonly merchantTransactionId: string;
  readonly original: SearchKey;
  readonly at: number;
  readonly urgency: Urgency;
}

export function searchesOf(payment: Payment): readonly Search[] {
  return payment.attempts.flatMap((attempt) => {
    const original = searchKeyOf(payment, attempt);
    const at = searchAt(payment, attempt);
    if (original === undefined || at === undefined) return [];
    const { merchantTransactionId } = attempt.operation;
    const key = `search ${merchantTransactionId} ${queriesOf(attempt)} ${at}`;
    return [{ key, do: "search", merchantTransactionId, original, at, urgency: urgencyOf(payment) } as const];
  });
}

function searchAt(payment: Payment, attempt: Attempt): number | undefined {
  const link = isLinkOpen(payment, attempt) ? linkSearchAt(payment, attempt) : undefined;
  return earliest([link, ...needsOf(payment, attempt).map((need) => queryAt(attempt, need))]);
}

function isLinkOpen(payment: Payment, attempt: Attempt): boolean {
  return (
    attempt.operation.link !== undefined &&
    attempt.standing === "open" &&
    !isClosedByOperator(payment) &&
    !isAnswered(payment, attempt)
  );
}

function needsOf(payment: Payment, attempt: Attempt): readonly Need[] {
  if (isClosedByOperator(payment)) return one(closedNeed(payment, attempt));
  return [...one(ownNeed(payment, attempt)), ...surplusNeeds(payment, attempt), ...linkNeeds(payment, attempt)];
}

function ownNeed(payment: Payment, attempt: Attempt): Need | undefined {
  const isOriginal = attempt === bookingOf(payment);
  const forCard = isOriginal ? storedCardNeed(payment) : undefined;
  if (forCard !== undefined || isAnswered(payment, attempt) || isLinkOpen(payment, attempt)) return forCard;
  return (
    outcomeNeed(attempt) ??
    voidNeed(payment, attempt) ??
    (isOriginal ? reversalNeed(payment) : closedNeed(payment, attempt))
  );
}

/**
 * Queried soon while its payment waits; late once given up as not booked (`absent`); hourly if it then shows up
 * undecided.
 */
function outcomeNeed(attempt: Attempt): Need | undefined {
  if (isReversalShown(attempt) || attempt.standing === "intended" || attempt.standing === "settled") return undefined;
  const action = actionFor(evidenceOf(attempt));
  if (action === "post-again") return undefined;
  if (attempt.standing === "absent") return { is: "late", since: attempt.since };
  return isLate(attempt)
    ? { is: "hourly", since: askedAt(attempt) ?? attempt.since }
    : { is: "soon", since: attempt.since };
}

function one(need: Need | undefined): readonly Need[] {
  return need === undefined ? [] : [need];
}

function isAnswered(payment: Payment, attempt: Attempt): boolean {
  if (attempt.role === "own-capture")
    return (
      isCaptured(payment) ||
      payment.captureWithdrawnBy !== undefined ||
      (attempt.standing !== "absent" && captureFailed(payment))
    );
  return isReversalShown(attempt) || isReversed(payment);
}

export function isLookedForBesides(payment: Payment, attempt: Attempt): boolean {
  const needs = [...surplusNeeds(payment, attempt), ...linkNeeds(payment, attempt)];
  return needs.some((need) => queryAt(attempt, need) !== undefined);
}

export function isNothingAmiss(payment: Payment): boolean {
  const isOpen = (attempt: Attempt): boolean => ownNeed(payment, attempt) !== undefined || isLinkOpen(payment, attempt);
  return !mayBePaidTwice(payment) && areSecondsGone(payment) && !payment.attempts.some(isOpen);
}

function urgencyOf(payment: Payment): Urgency {
  if (payment.terminal.at === "holding") return "card";
  return payment.concluded === undefined && payment.interruptedAt === undefined ? "cashier" : "recovery";
}

/**
 * A query for the original shows its follow-ups. A paid link's booking may lack the request's name: queries by name and
 * by the link's booking id take turns.
 */
function searchKeyOf(payment: Payment, { role, operation }: Attempt): SearchKey | undefined {
  const [target] = targetsOf(payment);
  // Two CPs of one sale do not refer to each other: each RV of a void is queried by its own booking.
  if (target !== undefined) return { id: (role === "void" ? operation.referencedId : undefined) ?? target.id };
  const booking = bookingOf(payment);
  const sight = payment.link?.sight;
  const isSecondTry = booking?.standing === "open" && queriesOf(booking) % 2 === 1;
  if (isSecondTry && sight?.is === "paid" && sight.transactionId !== undefined) return { id: sight.transactionId };
  const second = payment.seconds.find(({ id }) => id === operation.referencedId);
  const request = RULES[role].isBooking
    ? operation.merchantTransactionId
    : (second?.request ?? booking?.operation.merchantTransactionId);
  return request === undefined ? undefined : { merchantTransactionId: request };
}

export function everyQueryOf(payment: Payment): readonly Pick<Search, "merchantTransactionId" | "original">[] {
  const newest = payment.attempts.findLast(({ standing }) => standing !== "intended");
  const seconds = payment.seconds
    .filter((second) => !isSecondGone(payment, second))
    .map(({ request }) => queriedWith(payment, request));
  const queries = new Map<string, Pick<Search, "merchantTransactionId" | "original">>();
  for (const attempt of [newest, bookingOf(payment), ...seconds]) {
    const original =
      attempt === undefined || attempt.standing === "intended" ? undefined : searchKeyOf(payment, attempt);
    if (attempt === undefined || original === undefined) continue;
    const key = "id" in original ? original.id : original.merchantTransactionId;
    if (!queries.has(key))
      queries.set(key, { merchantTransactionId: attempt.operation.merchantTransactionId, original });
  }
  return [...queries.values()];
}
