import { type Attempt, isKeptPending, isRefused, isRepeatable, isTakenBackBy, lookDelayMs } from "./attempt.ts";
import type { NextRequest } from "./operation.ts";
import type { Target } from "./original.ts";
import { attemptsAs, type Payment, targetsOf } from "./payment.ts";
import { isShownSince, mayGoThroughYet, reverseAgainAt } from "./refused-reversal.ts";

/** The tries at one target, oldest first. */
function triesAt(payment: Payment, { id }: Target): readonly Attempt[] {
  return attemptsAs(payment, "void").filter(({ operation }) => operation.referencedId === id);
}

function isVoided(payment: Payment, target: Target): boolean {
  const tries = triesAt(payment, target);
  if (payment.reversed.includes(target.id) || isTakenBackBy(tries, target.amount)) return true;
  // What raised a reservation may have gone with it: where a query then shows no reversal of its own, nothing of it is left to reverse.
  const last = tries.at(-1);
  const isIncrement = target.paymentType === "PA" && target !== targetsOf(payment)[0] && !payment.used.includes(target.id);
  return isIncrement && last?.answer?.is === "already-reversed" && isLookedAt(last);
}

/** Everything that was to be voided is: by our reversals, or as a query showed. */
export function isAllVoided(payment: Payment): boolean {
  const targets = targetsOf(payment);
  return targets.length > 0 && targets.every((target) => isVoided(payment, target));
}

/** Something of it was taken back: it has neither succeeded nor failed (contract, truth 7). */
export function isBegun(payment: Payment): boolean {
  return isInPart(payment) || targetsOf(payment).some((target) => isVoided(payment, target));
}

/** What is to be reversed now: the booking itself first, and what raised it after that, so that nothing is taken from a void that fails. */
function currentTarget(payment: Payment): Target | undefined {
  return targetsOf(payment).find((target) => !isVoided(payment, target));
}

export function nextVoid(payment: Payment): NextRequest | undefined {
  const target = currentTarget(payment);
  if (target === undefined) return undefined;
  const operation = { paymentType: "RV" as const, reverses: target.amount, entityId: payment.accepted.channel.entityId, referencedId: target.id };
  const tries = triesAt(payment, target);
  const last = tries.at(-1);
  if (last === undefined) return { operation, at: payment.accepted.at };
  // "Already reversed" that no query explains was no answer: it is asked again.
  const isUnexplained = last.answer?.is === "already-reversed" && isLookedAt(last);
  const isLeftAt = isDenied(last) && !isUnexplained && !isInPart(payment) && target === targetsOf(payment)[0];
  if (!isRepeatable(last) || isLeftAt) return undefined;
  return { operation, at: reverseAgainAt(last, tries.length, payment.accepted.rules.unknownWindowMs) };
}

/**
 * A reversal gave back a part of what was to be voided, and the rest stands: neither was it voided nor was nothing done (contract, truth 7), so that it ends by the rest of it, or
 * by an operator's word.
 */
export function isInPart(payment: Payment): boolean {
  const target = currentTarget(payment);
  return target !== undefined && triesAt(payment, target).some(({ answer }) => answer?.is === "half-reversed" && (answer.reversed ?? 0) > 0);
}

/** And to the newest request for the rest the gateway has said no. */
export function isRestRefused(payment: Payment): boolean {
  const target = currentTarget(payment);
  const last = target && triesAt(payment, target).at(-1);
  // "Already reversed" may be the rest that an earlier try has taken, as long as no query shows that it stands.
  const isNo = last !== undefined && isDenied(last) && (last.answer?.is !== "already-reversed" || isLookedAt(last));
  return isNo && isInPart(payment);
}

/**
 * The gateway reverses the booking no more, for good: undefined as long as that is not certain. Where an earlier try had no answer it may have gone through, so that a
 * refusal counts only once queries have shown the booking standing for the whole unknown window (gateway-facts 1.3).
 */
export function voidRefusal(payment: Payment): Target | undefined {
  const [target] = targetsOf(payment);
  if (target === undefined || isVoided(payment, target) || isInPart(payment)) return undefined;
  const tries = triesAt(payment, target);
  const last = tries.at(-1);
  if (last === undefined || !isDenied(last)) return undefined;
  // "Already reversed" stands for captured and refunded as well (700.300.300, 700.400.300): a refusal only where a query shows one of these, and else most likely our doing.
  if (last.answer?.is === "already-reversed") return payment.used.includes(target.id) ? target : undefined;
  return mayGoThroughYet(tries, last.lookedAt ?? 0, payment.accepted.rules.unknownWindowMs) ? undefined : target;
}

/** A no, or that there is nothing left to reverse: neither need be the last word. */
function isDenied(attempt: Attempt): boolean {
  return attempt.answer?.is === "already-reversed" || isRefused(attempt);
}

/** A query has shown the target since that try. */
function isLookedAt(attempt: Attempt): boolean {
  return isShownSince(attempt, attempt.lookedAt ?? 0);
}

/** A try without a plain yes is judged by what a linked query of the target shows: one answered query for each try, and more of what the gateway has not decided yet. */
export function voidSearchAt(payment: Payment, attempt: Attempt): number | undefined {
  const { role, standing, answer, since, searchedAt } = attempt;
  if (role !== "void" || payment.ending !== undefined || payment.concluded !== undefined || standing === "intended") return undefined;
  const target = currentTarget(payment);
  if (target === undefined || triesAt(payment, target).at(-1) !== attempt) return undefined;
  if (answer?.is === "throttled" || (answer?.is === "not-booked" && answer.why !== "refused")) return undefined;
  if (isLookedAt(attempt) && !isKeptPending(attempt) && (!isDenied(attempt) || voidRefusal(payment) !== undefined)) return undefined;
  return searchedAt === undefined ? since : Math.max(since, searchedAt + lookDelayMs(attempt));
}
