import { isDone } from "../attempt/attempt.ts";
import { isReversalShown } from "../attempt/observation.ts";
import type { NextRequest, Operation } from "../fact/operation.ts";
import { isRepeatable } from "../recovery/recover.ts";
import { repeatAt } from "../recovery/schedule.ts";
import { attemptsAs, bookingOf, type Payment } from "../state/payment.ts";

/** Any of its tries counts, and so does an operator's word. */
export function isCaptured(payment: Payment): boolean {
  return (
    attemptsAs(payment, "own-capture").some(isDone) ||
    (payment.resolved?.as === "approved" && attemptsAs(payment, "own-capture").length > 0)
  );
}

/** It may be booked as soon as another try is taken back. */
export function isCaptureAsked(payment: Payment): boolean {
  return attemptsAs(payment, "own-capture").some(({ standing }) => standing === "intended");
}

/** Only a gateway that captures more than was reserved allows this, when both tries were unclear. */
export function isCapturedTwice(payment: Payment): boolean {
  const standing = attemptsAs(payment, "own-capture").filter((one) => isDone(one) && !isReversalShown(one));
  return new Set(standing.map(({ answer }) => answer?.id)).size > 1;
}

/** Nothing is retried, but a person has to look (contract, `capture`), or has said that it was not captured. */
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

/** Only a capture that was certainly not booked is sent again. */
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
