import { isRepeatable, repeatAt } from "./attempt.ts";
import type { Operation } from "./operation.ts";
import { attemptsOf, bookingOf, type Payment } from "./payment.ts";

/** Some capture went through, whichever of our tries it was. */
export function isCaptured(payment: Payment): boolean {
  return attemptsOf(payment, "CP").some(({ standing, answer }) => standing === "settled" && answer?.is === "approved");
}

/** Refused for good, or nothing left to capture: nothing is owed by itself, but a person has to look (contract, `capture`). */
export function captureFailed(payment: Payment): boolean {
  const last = attemptsOf(payment, "CP").at(-1);
  if (last === undefined || isCaptured(payment)) return false;
  return bookingOf(payment)?.takenBack === true || (last.standing === "settled" && !isRepeatable(last));
}

/** The first capture of an approved reservation. */
export function captureOf({ accepted }: Payment, referencedId: string, amount: number): Omit<Operation, "merchantTransactionId"> {
  return { paymentType: "CP", amount, currency: accepted.currency, entityId: accepted.channel.entityId, referencedId };
}

/** A capture that certainly was not booked is posted again; undefined where there is none to repeat. */
export function nextCapture(payment: Payment): { readonly operation: Omit<Operation, "merchantTransactionId">; readonly at: number } | undefined {
  const tries = attemptsOf(payment, "CP");
  const last = tries.at(-1);
  if (last === undefined || isCaptured(payment) || captureFailed(payment) || !isRepeatable(last)) return undefined;
  const { merchantTransactionId: _, ...operation } = last.operation;
  return { operation, at: repeatAt(last, tries.length) };
}
