import { type Attempt, isKeptPending, isTakenBackBy } from "../attempt/attempt.ts";
import { lookedAt } from "../attempt/observation.ts";
import type { NextRequest } from "../fact/operation.ts";
import type { Target } from "../fact/original.ts";
import { isShownSince, undoneOf } from "../recovery/evidence.ts";
import { isRepeatable } from "../recovery/recover.ts";
import { isDenied } from "../recovery/reversal.ts";
import { type Need, reverseAgainAt } from "../recovery/schedule.ts";
import { type Action, actionFor } from "../recovery/table.ts";
import { attemptsAs, type Payment, targetsOf } from "../state/payment.ts";

/** The tries at one target, oldest first. */
function triesAt(payment: Payment, { id }: Target): readonly Attempt[] {
  return attemptsAs(payment, "void").filter(({ operation }) => operation.referencedId === id);
}

function isVoided(payment: Payment, target: Target): boolean {
  const tries = triesAt(payment, target);
  if (payment.reversed.includes(target.id) || isTakenBackBy(tries, target.amount)) return true;
  // What raised a reservation may have gone with it: where a query then shows no reversal of its own, nothing of it is
  // left to reverse.
  const last = tries.at(-1);
  const isIncrement =
    target.paymentType === "PA" && target !== targetsOf(payment)[0] && !payment.used.includes(target.id);
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

/**
 * What is to be reversed now: the booking itself first, and what raised it after that, so that nothing is taken from a
 * void that fails.
 */
function currentTarget(payment: Payment): Target | undefined {
  return targetsOf(payment).find((target) => !isVoided(payment, target));
}

/** What the table says of a void's target. */
function actionOn(payment: Payment, target: Target): Action {
  const tries = triesAt(payment, target);
  const last = tries.at(-1);
  const seen = last === undefined ? 0 : (lookedAt(last) ?? 0);
  const tried = {
    tries,
    whole: target.amount,
    lookedAt: seen,
    unknownWindowMs: payment.accepted.rules.unknownWindowMs,
    refund: true,
  };
  const undone = isVoided(payment, target) ? "whole" : undoneOf(tried);
  return actionFor({ purpose: "voiding", wanted: true, heard: "nothing", booking: "booked", undone, age: "young" });
}

export function nextVoid(payment: Payment): NextRequest | undefined {
  const target = currentTarget(payment);
  if (target === undefined) return undefined;
  const operation = {
    paymentType: "RV" as const,
    reverses: target.amount,
    entityId: payment.accepted.channel.entityId,
    referencedId: target.id,
  };
  const tries = triesAt(payment, target);
  const last = tries.at(-1);
  if (last === undefined) return { operation, at: payment.accepted.at };
  // "Already reversed" is asked again once a query does not explain it. Only the first target's refusal ends the void.
  const isClaimed = last.answer?.is === "already-reversed" && !isLookedAt(last);
  const isHeld = isClaimed || ["wait", "close"].includes(actionOn(payment, target));
  if (!isRepeatable(last) || (isHeld && !isInPart(payment) && target === targetsOf(payment)[0])) return undefined;
  return { operation, at: reverseAgainAt(last, tries.length, payment.accepted.rules.unknownWindowMs) };
}

/**
 * A reversal gave back a part of what was to be voided, and the rest stands: it ends by the rest of it, or by an
 * operator's decision.
 */
export function isInPart(payment: Payment): boolean {
  const target = currentTarget(payment);
  return (
    target !== undefined &&
    triesAt(payment, target).some(({ answer }) => answer?.is === "half-reversed" && (answer.reversed ?? 0) > 0)
  );
}

/** And the gateway has refused the newest request for the rest. */
export function isRestRefused(payment: Payment): boolean {
  const target = currentTarget(payment);
  const last = target && triesAt(payment, target).at(-1);
  // "Already reversed" may be the rest that an earlier try has reversed, as long as no query shows that it stands.
  const isNo = last !== undefined && isDenied(last) && (last.answer?.is !== "already-reversed" || isLookedAt(last));
  return isNo && isInPart(payment);
}

/** The target that the gateway does not reverse; undefined as long as that is not certain. */
export function voidRefusal(payment: Payment): Target | undefined {
  const [target] = targetsOf(payment);
  if (target === undefined || isVoided(payment, target) || isInPart(payment)) return undefined;
  const last = triesAt(payment, target).at(-1);
  if (last === undefined || !isDenied(last)) return undefined;
  // "Already reversed" stands for captured and refunded as well (700.300.300, 700.400.300): a refusal only where a
  // query shows one of these.
  if (last.answer?.is === "already-reversed") return payment.used.includes(target.id) ? target : undefined;
  return actionOn(payment, target) === "close" ? target : undefined;
}

/** A query has shown the target since that try. */
function isLookedAt(attempt: Attempt): boolean {
  return isShownSince(attempt, lookedAt(attempt) ?? 0);
}

/**
 * Why to query for a void: one answered query for each try without a definite answer, more of what the gateway has not
 * decided.
 */
export function voidNeed(payment: Payment, attempt: Attempt): Need | undefined {
  const { role, standing, answer, since } = attempt;
  if (role !== "void" || payment.ending !== undefined || payment.concluded !== undefined || standing === "intended")
    return undefined;
  const target = currentTarget(payment);
  if (target === undefined || triesAt(payment, target).at(-1) !== attempt) return undefined;
  if (answer?.is === "throttled" || (answer?.is === "not-booked" && answer.why !== "refused")) return undefined;
  if (isLookedAt(attempt) && !isKeptPending(attempt) && (!isDenied(attempt) || voidRefusal(payment) !== undefined))
    return undefined;
  return { is: "soon", since };
}
