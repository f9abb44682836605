import { type Attempt, isKeptPending, isTakenBackBy } from "../attempt/attempt.ts";
import { lookedAt } from "../attempt/observation.ts";
import type { NextRequest } from "../fact/operation.ts";
import type { Target } from "../fact/original.ts";
import { type Action, actionFor } from "../recovery/decision-table.ts";
import { isShownSince, undoneOf } from "../recovery/evidence.ts";
import { isRepeatable } from "../recovery/query-result.ts";
import { isDenied } from "../recovery/reversal.ts";
import { type Need, reverseAgainAt } from "../recovery/schedule.ts";
import { attemptsAs, type Payment, targetsOf } from "../state/payment.ts";

function triesAt(payment: Payment, { id }: Target): readonly Attempt[] {
  return attemptsAs(payment, "void").filter(({ operation }) => operation.referencedId === id);
}

function isVoided(payment: Payment, target: Target): boolean {
  const tries = triesAt(payment, target);
  if (payment.reversed.includes(target.id) || isTakenBackBy(tries, target.amount)) return true;
  // Reversing a reservation may release its increments without a row for each: "already reversed" and a later query
  // then suffice, unless the increment was captured or refunded.
  const last = tries.at(-1);
  const isIncrement =
    target.paymentType === "PA" && target !== targetsOf(payment)[0] && !payment.used.includes(target.id);
  return isIncrement && last?.answer?.is === "already-reversed" && isLookedAt(last);
}

export function isAllVoided(payment: Payment): boolean {
  const targets = targetsOf(payment);
  return targets.length > 0 && targets.every((target) => isVoided(payment, target));
}

/** Some of the void's bookings, or a part of one, are reversed: it has neither succeeded nor failed (decision 15). */
export function isBegun(payment: Payment): boolean {
  return isInPart(payment) || targetsOf(payment).some((target) => isVoided(payment, target));
}

function currentTarget(payment: Payment): Target | undefined {
  return targetsOf(payment).find((target) => !isVoided(payment, target));
}

function actionOn(payment: Payment, target: Target): Action {
  const tries = triesAt(payment, target);
  const last = tries.at(-1);
  const seen = last === undefined ? 0 : (lookedAt(last) ?? 0);
  const tried = {
    tries,
    amountToReverse: target.amount,
    lookedAt: seen,
    unknownWindowMs: payment.accepted.rules.unknownWindowMs,
    waitsForEarlierReversal: true,
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
  // The first booking's RV is not repeated after a refusal: the void fails with nothing reversed. After "already
  // reversed" a query comes first.
  const isClaimed = last.answer?.is === "already-reversed" && !isLookedAt(last);
  const isHeld = isClaimed || ["wait", "close"].includes(actionOn(payment, target));
  if (!isRepeatable(last) || (isHeld && !isInPart(payment) && target === targetsOf(payment)[0])) return undefined;
  return { operation, at: reverseAgainAt(last, tries.length, payment.accepted.rules.unknownWindowMs) };
}

export function isInPart(payment: Payment): boolean {
  const target = currentTarget(payment);
  return (
    target !== undefined &&
    triesAt(payment, target).some(({ answer }) => answer?.is === "half-reversed" && (answer.reversed ?? 0) > 0)
  );
}

export function isRestRefused(payment: Payment): boolean {
  const target = currentTarget(payment);
  const last = target && triesAt(payment, target).at(-1);
  // An earlier RV may have reversed the rest: "already reversed" is a refusal only if a later query shows the rest
  // standing.
  const isNo = last !== undefined && isDenied(last) && (last.answer?.is !== "already-reversed" || isLookedAt(last));
  return isNo && isInPart(payment);
}

export function voidRefusal(payment: Payment): Target | undefined {
  const [target] = targetsOf(payment);
  if (target === undefined || isVoided(payment, target) || isInPart(payment)) return undefined;
  const last = triesAt(payment, target).at(-1);
  if (last === undefined || !isDenied(last)) return undefined;
  // The gateway also says "already reversed" of a captured or refunded booking: a refusal only if a query shows the CP
  // or RF.
  if (last.answer?.is === "already-reversed") return payment.used.includes(target.id) ? target : undefined;
  return actionOn(payment, target) === "close" ? target : undefined;
}

function isLookedAt(attempt: Attempt): boolean {
  return isShownSince(attempt, lookedAt(attempt) ?? 0);
}

/**
 * An unclear RV is queried once, then sent again. A pending or refused one is queried until certain: an earlier RV may
 * have gone through.
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
