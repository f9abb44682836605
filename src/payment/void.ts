import { type Attempt, isDone, isRepeatable, repeatAt } from "./attempt.ts";
import type { Operation } from "./operation.ts";
import type { Target } from "./original.ts";
import { attemptsAs, type Payment, targetsOf } from "./payment.ts";

/** Not sooner than the gateway answers the next query (gateway-facts 2.5). */
const LOOK_AGAIN_MS = 30_000;

/** The tries at one target, oldest first. */
function triesAt(payment: Payment, { id }: Target): readonly Attempt[] {
  return attemptsAs(payment, "void").filter(({ operation }) => operation.referencedId === id);
}

function isVoided(payment: Payment, target: Target): boolean {
  return payment.reversed.includes(target.id) || triesAt(payment, target).some(isDone);
}

/** Everything that was to be voided is: by our reversals, or as a query showed. */
export function isAllVoided(payment: Payment): boolean {
  const targets = targetsOf(payment);
  return targets.length > 0 && targets.every((target) => isVoided(payment, target));
}

/** What is to be reversed now: the booking itself first, and what raised it after that, so that nothing is taken from a void that fails. */
function currentTarget(payment: Payment): Target | undefined {
  return targetsOf(payment).find((target) => !isVoided(payment, target));
}

export function nextVoid(payment: Payment): { readonly operation: Omit<Operation, "merchantTransactionId">; readonly at: number } | undefined {
  const target = currentTarget(payment);
  if (target === undefined) return undefined;
  const operation = { paymentType: "RV" as const, entityId: payment.accepted.channel.entityId, referencedId: target.id };
  const tries = triesAt(payment, target);
  const last = tries.at(-1);
  if (last === undefined) return { operation, at: payment.accepted.at };
  const isBelieved = last.answer?.is !== "already-reversed" || isLookedAt(last);
  if (!isRepeatable(last) || !isBelieved || voidRefusal(payment) !== undefined) return undefined;
  return { operation, at: repeatAt(last, tries.length) };
}

/**
 * The gateway reverses the booking no more, for good: undefined as long as that is not certain. Where an earlier try had no answer it may have gone through, so that a
 * refusal counts only once a query after it has shown the booking standing (gateway-facts 1.3).
 */
export function voidRefusal(payment: Payment): Target | undefined {
  const [target] = targetsOf(payment);
  if (target === undefined || isVoided(payment, target)) return undefined;
  const tries = triesAt(payment, target);
  const last = tries.at(-1);
  if (last === undefined || !isRefusedForGood(last)) return undefined;
  const isCertain = tries.every(({ standing }) => standing === "settled") || isLookedAt(last);
  return isCertain ? target : undefined;
}

/** A query that was answered has shown the target since that try. */
function isLookedAt({ lookedAt, since }: Attempt): boolean {
  return (lookedAt ?? 0) > since;
}

/** "Already reversed" stands for captured and refunded as well (700.300.300, 700.400.300): where a query shows no reversal, there will be none. */
function isRefusedForGood(attempt: Attempt): boolean {
  const { standing, answer } = attempt;
  if (answer?.is === "already-reversed") return isLookedAt(attempt);
  if (standing !== "settled" || answer === undefined) return false;
  return (
    answer.is === "not-reversible" || answer.is === "declined" || answer.is === "soft-declined" || (answer.is === "not-booked" && answer.why === "refused")
  );
}

/** A try without a plain yes is judged by what a linked query of the target shows, one answered query for each try. */
export function voidSearchAt(payment: Payment, attempt: Attempt): number | undefined {
  const { role, standing, answer, since, searchedAt } = attempt;
  if (role !== "void" || payment.ending !== undefined || payment.concluded !== undefined || standing === "intended") return undefined;
  const target = currentTarget(payment);
  if (target === undefined || triesAt(payment, target).at(-1) !== attempt) return undefined;
  if (answer?.is === "throttled" || (answer?.is === "not-booked" && answer.why !== "refused")) return undefined;
  if (isLookedAt(attempt)) return undefined;
  return searchedAt === undefined ? since : Math.max(since, searchedAt + LOOK_AGAIN_MS);
}
