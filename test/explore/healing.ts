import { isRefused, isUnsure, mayHoldMoney } from "../../src/payment/attempt/attempt.ts";
import { captureFailed } from "../../src/payment/follow-up/capture.ts";
import { isCapturedOtherwise } from "../../src/payment/follow-up/totals.ts";
import { isInPart } from "../../src/payment/follow-up/void.ts";
import { isSettled, owed } from "../../src/payment/machine/owed.ts";
import { isResolvable } from "../../src/payment/operator/allowed-decisions.ts";
import { isBookedAfterClosing } from "../../src/payment/operator/late-booking.ts";
import { isRefundWithheld } from "../../src/payment/recovery/reversal.ts";
import { isGiven } from "../../src/payment/recovery/surplus.ts";
import type { Payment } from "../../src/payment/state/payment.ts";
import { digestOf } from "./digest.ts";
import { movesOf } from "./moves.ts";
import { isQuiet, type System } from "./system.ts";
import { brokenByStep, brokenInState } from "./truths.ts";

/**
 * Late looks after three days included, and hourly ones for a day, no payment needs more steps than this to come to
 * rest once everything works again.
 */
const STEPS_AT_MOST = 300;

/**
 * Liveness: from every state, when from now on the gateway tells the truth, the terminal answers and time goes by, all
 * comes to rest, and every truth holds on the way. What
 * is known to heal is remembered by its digest, so that a state costs a step or two.
 */
export function createHealing(): (system: System) => string | undefined {
  const healed = new Set<number>();
  return (system) => {
    const passed: number[] = [];
    let state = system;
    for (let steps = 0; steps <= STEPS_AT_MOST; steps += 1) {
      const name = digestOf(state);
      if (healed.has(name)) break;
      passed.push(name);
      if (waitsForPerson(state)) break;
      const next = mend(state);
      if (next === undefined) {
        if (!isAtRest(state)) return "stuck: everything works again, and it does not come to rest";
        break;
      }
      const broken = brokenByStep(next) ?? brokenInState(next);
      if (broken !== undefined) return `once everything works again: ${broken}`;
      if (steps === STEPS_AT_MOST)
        return `it does not come to rest within ${STEPS_AT_MOST} steps once everything works again`;
      state = next;
    }
    for (const name of passed) healed.add(name);
    return undefined;
  };
}

/** The next step when everything works, or undefined where nothing goes on by itself. */
export function mend(system: System): System | undefined {
  return movesOf(system)
    .find(({ cost }) => cost === 0)
    ?.go();
}

/**
 * Money went to a customer and should not have, or the gateway does not know whether it did (000.400.030 on CD or RF):
 * neither taking it back nor giving it again would
 * be right, so that the payment is kept in sight until an operator resolves it (contract, section 1, `resolve`).
 * Likewise a void of which the gateway has carried out a part
 * and refuses the rest, money that a customer got twice, and a booking that the gateway says to have reversed by itself
 * and does not let the bridge reverse (decision 10).
 */
function waitsForPerson({ parties, now }: System): boolean {
  return parties.some(({ payment }) => {
    if (isBookedAfterClosing(payment) && isResolvable(payment, now, "reversed")) return true;
    if (isRefundWithheld(payment) && isResolvable(payment, now, "reversed")) return true;
    if (isInPart(payment) && isResolvable(payment, now, "approved")) return true;
    if (payment.seconds.some(isGiven) && isResolvable(payment, now, "reversed")) return true;
    if (isLeftUnsure(payment) && isResolvable(payment, now, payment.accepted.type === "VOID" ? "declined" : "reversed"))
      return true;
    const given = payment.attempts.find(
      (one) => (one.role === "credit" || one.role === "refund" || one.role === "give-back") && mayHoldMoney(one),
    );
    return (
      given !== undefined &&
      (payment.seconds.some(({ id }) => id === given.operation.referencedId) ||
        (payment.ending !== undefined && isResolvable(payment, now, "reversed"))) &&
      owed(payment).every((one) => one.do === "search")
    );
  });
}

/** Of one reversal the gateway says that people have to look (000.400.030), and to the next it says no. */
function isLeftUnsure({ attempts }: Payment): boolean {
  const tries = attempts.filter(({ role }) => role === "void" || role === "reversal");
  return tries.some(isUnsure) && tries.some(isRefused);
}

/** Settled, or waiting for a person who was told (a capture that failed for good, or was made in part). */
function isAtRest(system: System): boolean {
  const isTold = (payment: Payment): boolean =>
    payment.concluded !== undefined && (captureFailed(payment) || isCapturedOtherwise(payment));
  return (
    system.parties.every(({ payment }) => isSettled(payment) || isTold(payment)) &&
    (isQuiet(system) || mend(system) === undefined)
  );
}
