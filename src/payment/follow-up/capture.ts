import { isDone } from "../attempt/attempt.ts";
import { isReversalShown } from "../attempt/observation.ts";
import type { NextRequest, Operation } from "../fact/operation.ts";
import { isRepeatable } from "../recovery/recover.ts";
import { repeatAt } from "../recovery/schedule.ts";
import { attemptsAs, bookingOf, type Payment } from "../state/payment.ts";

/** The sale's own capture went through, whichever of its tries it was, or an operator says that it did. */
export function isCaptured(payment: Payment): boolean {
  return (
    attemptsAs(payment, "own-capture").some(isDone) ||
    (payment.resolved?.as === "approved" && attemptsAs(payment, "own-capture").length > 0)
  );
}

/** One of its tries is on the wire: it may be booked as soon as another one is taken back. */
export function isCaptureAsked(payment: Payment): boolean {
  return attemptsAs(payment, "own-capture").some(({ standing }) => standing === "intended");
}

/**
 * Two of its tries stand: only a gateway that lets more be captured than was reserved comes to this, where both were
 * unclear.
 */
export function isCapturedTwice(payment: Payment): boolean {
  const standing = attemptsAs(payment, "own-capture").filter((one) => isDone(one) && !isReversalShown(one));
  return new Set(standing.map(({ answer }) => answer?.id)).size > 1;
}

/**
 * Refused for good, or nothing left to capture: nothing is owed by itself, but a person has to look (contract,
 * `capture`). Or he has, and says that it was not captured.
 */
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

/** The first capture of an approved reservation. */
export function captureOf(
  { accepted }: Payment,
  referencedId: string,
  amount: number,
): Omit<Operation, "merchantTransactionId"> {
  return { paymentType: "CP", amount, currency: accepted.currency, entityId: accepted.channel.entityId, referencedId };
}

/** A capture that certainly was not booked is posted again; undefined where there is none to repeat. */
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

/** Nothing of the capture is on its way or unclear: it can be stopped without leaving money behind. */
export function isWithdrawable(payment: Payment): boolean {
  const last = attemptsAs(payment, "own-capture").at(-1);
  return last !== undefined && !isCaptured(payment) && (captureFailed(payment) || isRepeatable(last));
}
