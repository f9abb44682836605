import { isDone } from "../attempt/attempt.ts";
import { isReversalShown } from "../attempt/observation.ts";
import type { NextRequest, Operation } from "../fact/operation.ts";
import { isRepeatable } from "../recovery/query-result.ts";
import { repeatAt } from "../recovery/schedule.ts";
import { attemptsAs, bookingOf, type Payment } from "../state/payment.ts";

/** Any try counts, and an operator's `approved`. */
export function isCaptured(payment: Payment): boolean {
  return (
    attemptsAs(payment, "own-capture").some(isDone) ||
    (payment.resolved?.as === "approved" && attemptsAs(payment, "own-capture").length > 0)
  );
}

export function isCaptureAsked(payment: Payment): boolean {
  return attemptsAs(payment, "own-capture").some(({ standing }) => standing === "intended");
}

/** Possible only if the gateway captures more than was reserved. */
export function isCapturedTwice(payment: Payment): boolean {
  const standing = attemptsAs(payment, "own-capture").filter((one) => isDone(one) && !isReversalShown(one));
  return new Set(standing.map(({ answer }) => answer?.id)).size > 1;
}

/** The bridge does not try again: an operator has to act, or has decided. */
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

/** Sent again if it was not booked, or not found for the unknown window: it takes all there is (decision 8). */
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

/** A capture can be stopped only if none is on its way or unclear. */
export function isWithdrawable(payment: Payment): boolean {
  const last = attemptsAs(payment, "own-capture").at(-1);
  return last !== undefined && !isCaptured(payment) && (captureFailed(payment) || isRepeatable(last));
}
