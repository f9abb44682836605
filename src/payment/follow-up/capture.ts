import { isDone } from "../attempt/attempt.ts";
import { isReversalShown } from "../attempt/observation.ts";
import type { NextRequest, Operation } from "../fact/operation.ts";
import { isRepeatable } from "../recovery/query-result.ts";
import { repeatAt } from "../recovery/schedule.ts";
import { attemptsAs, bookingOf, type Payment } from "../state/payment.ts";

/**
 * An earlier CP may prove booked later, so every attempt counts. An operator's `approved` says that it was captured by
 * hand.
 */
export function isCaptured(payment: Payment): boolean {
  return (
    attemptsAs(payment, "own-capture").some(isDone) ||
    (payment.resolved?.as === "approved" && attemptsAs(payment, "own-capture").length > 0)
  );
}

export function isCaptureAsked(payment: Payment): boolean {
  return attemptsAs(payment, "own-capture").some(({ standing }) => standing === "intended");
}

export function isCapturedTwice(payment: Payment): boolean {
  const standing = attemptsAs(payment, "own-capture").filter((one) => isDone(one) && !isReversalShown(one));
  return new Set(standing.map(({ answer }) => answer?.id)).size > 1;
}

export function captureFailed(payment: Payment): boolean {
  const last = attemptsAs(payment, "own-capture").at(-1);
  if (last === undefined || isCaptured(payment) || payment.captureWithdrawnBy !== undefined) return false;
  if (payment.resolved !== undefined) return true;
  const booking = bookingOf(payment);
  return (
    (booking !== undefined && isReversalShown(booking)) ||
    ((last.standing === "settled" || last.standing === "absent") && !isRepeatable(last))
  );
}

export function captureOf(
  { accepted }: Payment,
  referencedId: string,
  amount: number,
): Omit<Operation, "merchantTransactionId"> {
  return { paymentType: "CP", amount, currency: accepted.currency, entityId: accepted.channel.entityId, referencedId };
}

/**
 * A CP not booked, or unseen for the unknown window, is repeated: each takes the whole reservation, so no two can be
 * booked (decision 8).
 */
export function nextCapture(payment: Payment): NextRequest | undefined {
  const tries = attemptsAs(payment, "own-capture");
  const last = tries.at(-1);
  if (
    last === undefined ||
    payment.captureWithdrawnBy !== undefined ||
    isCaptured(payment) ||
    captureFailed(payment) ||
    !isRepeatable(last)
  )
    return undefined;
  const { merchantTransactionId: _, ...operation } = last.operation;
  return { operation, at: repeatAt(last, tries.length) };
}

/** A void may stop the sale's CP only while no CP is unanswered: such a CP could still be booked. */
export function isWithdrawable(payment: Payment): boolean {
  const last = attemptsAs(payment, "own-capture").at(-1);
  return last !== undefined && !isCaptured(payment) && (captureFailed(payment) || isRepeatable(last));
}
