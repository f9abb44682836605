import { currencyOf, formatAmount } from "../../../../src/kit/money.ts";
import { type Json, jsonReply, type Reply } from "../exchange.ts";
import { type Booking, resultCodeAt } from "../ledger/booking.ts";
import { isPending, isSuccess } from "../ledger/codes.ts";
import { closingFields, resultOf, type Stamp } from "../replies.ts";
import type { SandboxRules } from "../rules.ts";
import type { Plan } from "./schedule.ts";

export function scheduleReply(booking: Booking, plan: Plan | undefined, stamp: Stamp, rules: SandboxRules): Reply {
  return jsonReply(statusOf(booking.answeredCode, rules), {
    ...fieldsOf(booking, booking.answeredCode, plan),
    ...closingFields(stamp),
  });
}

/** Reply to a query of one schedule. */
export function scheduleReading(booking: Booking, plan: Plan | undefined, stamp: Stamp, rules: SandboxRules): Reply {
  const code = resultCodeAt(booking, stamp.now);
  return jsonReply(statusOf(code, rules), { ...fieldsOf(booking, code, plan), ...closingFields(stamp) });
}

/** One of the schedules of a registration. */
export function scheduleEntry(booking: Booking, plan: Plan, stamp: Stamp): Json {
  return {
    ...fieldsOf(booking, resultCodeAt(booking, stamp.now), plan),
    ...closingFields({ ...stamp, now: booking.receivedAt }),
  };
}

function statusOf(code: string, rules: SandboxRules): number {
  return isSuccess(code) || isPending(code) ? 200 : rules.declineStatus;
}

/** `plan` is inferred except for `active`, which public clients of the gateway read. */
function fieldsOf(booking: Booking, code: string, plan: Plan | undefined): { readonly [key: string]: Json } {
  const { id, paymentType, amount, currency, merchantTransactionId, parameters, issuer } = booking;
  const known = currency === undefined ? undefined : currencyOf(currency);
  return {
    ...{ id, paymentType },
    ...(plan && { registrationId: plan.registrationId }),
    ...(issuer.paymentBrand !== undefined && { paymentBrand: issuer.paymentBrand }),
    ...(amount !== undefined &&
      known &&
      isSuccess(code) && { amount: formatAmount(amount, known), currency: known.code }),
    ...(parameters["descriptor"] !== undefined && { descriptor: parameters["descriptor"] }),
    ...(merchantTransactionId !== undefined && { merchantTransactionId }),
    result: resultOf(code),
    ...(plan && { job: jobOf(plan), plan: planOf(plan) }),
  };
}

function jobOf({ job }: Plan): Json {
  return Object.fromEntries(Object.entries(job).map(([name, value]) => [name.slice("job.".length), value]));
}

function planOf({ isActive, paymentType, runs, next, terms: { end } }: Plan): Json {
  return {
    active: isActive,
    paymentType,
    executions: runs,
    ...(next !== undefined && { next: written(next) }),
    ...(end !== undefined && { end: written(end) }),
  };
}

/** Same format as job.startDate, in UTC. */
function written(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}
