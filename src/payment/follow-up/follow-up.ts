import type { Attempt } from "../attempt/attempt.ts";
import { type Role, RULES } from "../attempt/role.ts";
import type { NextRequest } from "../fact/operation.ts";
import type { FollowUp, Original } from "../fact/original.ts";
import { isRepeatable } from "../recovery/recover.ts";
import { repeatAt } from "../recovery/schedule.ts";
import { attemptsAs, type Payment, targetsOf } from "../state/payment.ts";
import type { PaymentType } from "../view-schema.ts";
import { nextVoid } from "./void.ts";

/** What can be asked for without a card, on a booking that stands already. */
export type FollowUpType = Extract<PaymentType, "CAPTURE" | "VOID" | "LINKED_REFUND" | "INCREMENT">;

export function isFollowUp(type: PaymentType): type is FollowUpType {
  return type === "CAPTURE" || type === "VOID" || type === "LINKED_REFUND" || type === "INCREMENT";
}

/**
 * The next request of a capture, void, refund or increment and when it is due; undefined while the last one has no
 * answer yet, or nothing more is to be asked.
 */
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

/**
 * A void of a sale whose own capture was not through yet: what there is to void is known once that is captured or
 * stopped.
 */
export function isWaitingForOriginal({ accepted, targets, ending }: Payment): boolean {
  return accepted.of?.capturing === true && targets === undefined && ending === undefined;
}

/**
 * Nothing of it is on its way, and nothing of it can have been booked: it may still be called off, or asked for again.
 * Not where somebody has taken back what it refers to: then it
 * ends. What takes a second booking back stands beside that.
 */
export function isCallable(payment: Payment): boolean {
  const isOff = (attempt: Attempt): boolean =>
    RULES[attempt.role].isBooking ? isRepeatable(attempt) : attempt.role !== "void";
  return payment.reversed.length === 0 && payment.attempts.every(isOff);
}

/** Payments that want to hear how this one ended, because it refers to them. */
export function originalsOf({ payment, root, increments = [] }: Original): readonly string[] {
  return [...new Set([payment, root, ...increments])].filter((id) => id !== undefined);
}

/** Its end is not known yet to the payments it refers to. */
export function hasToTell({ accepted, concluded, toldOriginal }: Payment): boolean {
  return concluded !== undefined && !toldOriginal && accepted.of !== undefined && originalsOf(accepted.of).length > 0;
}

/** This original knows how that follow-up ended, and nothing has come of it since. */
export function hasHeard({ followUps }: Payment, by: FollowUp): boolean {
  return followUps.some(
    ({ payment, outcome, amount }) => payment === by.payment && outcome === by.outcome && amount === by.amount,
  );
}
