import { type Attempt, isKeptPending, isUnsure, repeatAt, stoodFor } from "./attempt.ts";

/* When a no to what takes a booking back is believed, and when it is asked for once more: one rule for voids, for a payment's own booking and for second ones. */

/**
 * Whether one of these tries to take a booking back may have gone through, or may yet, although the newest was refused (gateway-facts 1.3). `lookedAt`: when a query last showed
 * the booking standing.
 * - The no may be the answer to the second of two arrivals, unless no reversed booking would get it: until a query has shown the booking standing since.
 * - One that the last query showed undecided, or left to people, may yet go through however long that takes.
 * - So may one of which nothing was heard, that the gateway was unsure of or did a part of, until a query has shown the booking standing past the unknown window.
 */
export function mayGoThroughYet(tries: readonly Attempt[], lookedAt: number, unknownWindowMs: number): boolean {
  const last = tries.at(-1);
  if (last === undefined) return false;
  if (!isCertainNo(last) && !isShownSince(last, lookedAt)) return true;
  if (tries.some((one) => isUndecided(one) && one.shownAt !== undefined && one.shownAt >= lookedAt)) return true;
  return tries.some(isUnclear) && stoodFor(last, lookedAt) < unknownWindowMs;
}

/** The row of one that met "already reversed" shows that it came to nothing, and will come to nothing more. */
function isUndecided(attempt: Attempt): boolean {
  return isUnsure(attempt) || (attempt.standing === "open" && attempt.answer?.is !== "already-reversed");
}

/** No booking that was reversed would get that no. */
export function isCertainNo({ answer }: Attempt): boolean {
  return answer?.is === "not-reversible" && answer.certain === true;
}

/** A query has shown the booking since that try was answered; one that told of the answer itself has shown the booking as well. `lookedAt`: when one last did. */
export function isShownSince({ since, shownAt }: Attempt, lookedAt: number): boolean {
  return lookedAt > since || (lookedAt === since && shownAt === since);
}

/** Nothing was heard of it, or the gateway itself is unsure (000.400.030), or says that it did a part: the rest may follow. */
function isUnclear({ standing, answer }: Attempt): boolean {
  return standing === "open" || answer?.is === "half-reversed";
}

/**
 * When the next try follows. One that the gateway has not decided yet is looked at until it has, or the unknown window has passed: with one after the other on its way none would
 * ever be seen decided.
 */
export function reverseAgainAt(last: Attempt, tries: number, unknownWindowMs: number): number {
  return Math.max(repeatAt(last, tries), isKeptPending(last) ? last.since + unknownWindowMs : 0);
}
