import type { Attempt } from "../attempt/attempt.ts";
import { type Role, RULES } from "../attempt/retry-by-role.ts";
import type { NextRequest } from "../fact/operation.ts";
import type { FollowUp, Original } from "../fact/original.ts";
import { isRepeatable } from "../recovery/query-result.ts";
import { repeatAt } from "../recovery/schedule.ts";
import { attemptsAs, type Payment, targetsOf } from "../state/payment.ts";
import type { PaymentType } from "../view-schema.ts";
import { nextVoid } from "./void.ts";

export type FollowUpType = Extract<PaymentType, "CAPTURE" | "VOID" | "LINKED_REFUND" | "INCREMENT">;

export function isFollowUp(type: PaymentType): type is FollowUpType {
  return type === "CAPTURE" || type === "VOID" || type === "LINKED_REFUND" || type === "INCREMENT";
}

export function nextFollowUp(payment: Payment): NextRequest | undefined {
  const { accepted, ending, concluded } = payment;
  if (ending !== undefined || concluded !== undefined || isWaitingForOriginal(payment)) return undefined;
  const [target] = targetsOf(payment);
  if (target === undefined) return undefined;
  const { entityId } = accepted.channel;
  const money = { amount: accepted.amount, currency: accepted.currency, entityId, referencedId: target.id };
  switch (accepted.type) {
    case "SALE":
    case "PREAUTHORIZATION":
    case "REFUND":
    case "REGISTRATION":
      return undefined;
    case "VOID":
      return nextVoid(payment);
    case "CAPTURE":
      return next(payment, "capture", {
        paymentType: "CP",
        ...money,
        ...(accepted.last && { sequence: "FINAL" as const }),
      });
    case "LINKED_REFUND":
      return next(payment, "refund", { paymentType: "RF", ...money });
    case "INCREMENT":
      return next(payment, "increment", { paymentType: "PA", ...money, industryPractice: "INCREMENTAL_AUTH" });
  }
}

function next(payment: Payment, role: Role, operation: NextRequest["operation"]): NextRequest | undefined {
  const tries = attemptsAs(payment, role);
  const last = tries.at(-1);
  if (last === undefined) return { operation, at: payment.accepted.at };
  return isRepeatable(last) ? { operation, at: repeatAt(last, tries.length) } : undefined;
}

/** A void of a sale reverses its CP, or its PA if the CP was stopped. Until that is known, the void waits. */
export function isWaitingForOriginal({ accepted, targets, ending }: Payment): boolean {
  return accepted.of?.capturing === true && targets === undefined && ending === undefined;
}

/**
 * No request is booked or on its way, and the original stands: a cancel leaves nothing behind. After its first RV a
 * void cannot be cancelled.
 */
export function isCancellable(payment: Payment): boolean {
  const isOff = (attempt: Attempt): boolean =>
    RULES[attempt.role].isBooking ? isRepeatable(attempt) : attempt.role !== "void";
  return payment.reversed.length === 0 && payment.attempts.every(isOff);
}

export function originalsOf({ payment, root, increments = [] }: Original): readonly string[] {
  return [...new Set([payment, root, ...increments])].filter((id) => id !== undefined);
}

export function hasToTell({ accepted, concluded, toldOriginal }: Payment): boolean {
  return concluded !== undefined && !toldOriginal && accepted.of !== undefined && originalsOf(accepted.of).length > 0;
}

export function hasHeard({ followUps }: Payment, by: FollowUp): boolean {
  return followUps.some(
    ({ payment, outcome, amount }) => payment === by.payment && outcome === by.outcome && amount === by.amount,
  );
}
