import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import type { Call } from "../endpoint.ts";
import { jsonReply, type Reply } from "../exchange.ts";
import { moneyOf } from "../payments/payments.ts";
import type { Bend, Prepared } from "../prepared.ts";
import { NO_SUCH_REGISTRATION, registrationAt, whyNotUsable } from "../registrations/stored-accounts.ts";
import { bareReply, closingFields, resultOf, stampOf } from "../replies.ts";
import { agendaOf } from "./agenda.ts";
import { expressionOf } from "./quartz.ts";
import { formOf, jobOf, nextRun, type Plan, planned, plansOf, retired } from "./schedule.ts";
import { scheduleEntry, scheduleReading } from "./schedule-bodies.ts";
import { prepareRow } from "./schedule-rows.ts";
import { descheduled, termsOf } from "./terms.ts";

/** Gateway facts, 1.1, class "job". */
const NO_SUCH_TIMES = "100.250.120";
const NOTHING_TO_RESCHEDULE = "100.360.300";
const NOTHING_TO_DESCHEDULE = "100.360.303";

const NO_SUCH_SCHEDULE = "700.100.100";
const NOTHING_FOUND = "700.400.580";
const QUERY_DONE = "000.000.100";

/** SD: payments by a stored account. The parameters are validated before. */
export function prepareSchedule(context: Context, { sent }: Call): Prepared | Reply {
  const registration = registrationAt(context, sent.get("registrationId") ?? "", sent.get("entityId"));
  if (registration === undefined)
    return bareReply(context.rules.declineStatus, NO_SUCH_REGISTRATION, stampOf(context, sent));
  const money = moneyOf(sent, context);
  if ("is" in money) return money;
  const times = timesOf(context, sent);
  const row = () => ({
    ...({
      paymentType: "SD",
      referencedId: registration.id,
      paymentBrand: registration.latest.issuer.paymentBrand,
      money,
    } as const),
    refusal: whyNotUsable(context, registration) ?? (times === undefined ? NO_SUCH_TIMES : undefined),
  });
  return prepareRow(context, sent, {
    row,
    plan({ id, entityId }) {
      const own = {
        id,
        chain: id,
        entityId,
        registrationId: registration.id,
        paymentType: typeOf(sent, "DB"),
        form: formOf(sent),
        runs: 0,
      };
      return times && kept(context, { ...times, ...own });
    },
  });
}

/** RS: another amount or other times. Missing fields keep their values, but job.* is replaced as a whole. */
export function prepareReschedule(context: Context, call: Call): Prepared | Reply {
  const { sent } = call;
  const plans = plansOf(context.store);
  const named = plans.get(call.id());
  if (named === undefined || named.entityId !== sent.get("entityId"))
    return bareReply(404, NO_SUCH_SCHEDULE, stampOf(context, sent));
  const money = sent.has("amount") ? moneyOf(sent, context) : undefined;
  if (money !== undefined && "is" in money) return money;
  const active = agendaOf(context).active.get(named.chain);
  const before = active?.isEnding === false ? active : undefined;
  const { form, job } = before ?? named;
  const merged = new Map([...form, ...(Object.keys(jobOf(sent)).length > 0 ? [] : Object.entries(job)), ...sent]);
  const times = timesOf(context, merged);
  const refusal = before === undefined ? NOTHING_TO_RESCHEDULE : times === undefined ? NO_SUCH_TIMES : undefined;
  return prepareRow(context, sent, {
    row: () => ({ paymentType: "RS", referencedId: named.id, paymentBrand: undefined, money, refusal }),
    plan({ id }) {
      if (before === undefined || times === undefined) return undefined;
      plans.put(before.id, retired(before));
      return kept(context, {
        ...retired(before),
        ...times,
        id,
        paymentType: typeOf(sent, before.paymentType),
        form: formOf(merged),
      });
    },
  });
}

/** DS: ends the payments, at once or after notice; any row of the chain may be named. */
export function prepareDeschedule(context: Context, call: Call): Prepared | Reply {
  const { sent } = call;
  const plans = plansOf(context.store);
  const named = plans.get(call.id());
  if (named === undefined || named.entityId !== sent.get("entityId"))
    return bareReply(404, NO_SUCH_SCHEDULE, stampOf(context, sent));
  const active = agendaOf(context).active.get(named.chain);
  const refusal = active === undefined || active.isEnding ? NOTHING_TO_DESCHEDULE : undefined;
  return prepareRow(context, sent, {
    row: () => ({ paymentType: "DS", referencedId: named.id, paymentBrand: undefined, money: undefined, refusal }),
    plan: () =>
      active && kept(context, { ...active, isEnding: true, terms: descheduled(active.terms, context.clock.now()) }),
  });
}

/** One schedule by its own id, or all schedules of a registration by the registration's id. */
export function prepareScheduleReading(context: Context, call: Call): Prepared {
  const { sent } = call;
  const id = call.id();
  const run = (bend: Bend): Reply => {
    const stamp = stampOf(context, sent);
    if (bend.result) return bareReply(context.rules.declineStatus, bend.result.code, stamp);
    const plans = plansOf(context.store);
    const one = plans.get(id);
    const booking = context.store.byId(id);
    if (one?.entityId === stamp.entityId && booking !== undefined)
      return scheduleReading(booking, one, stamp, context.rules);
    const schedules = plans.all().flatMap((plan) => {
      const row =
        plan.registrationId === id && plan.entityId === stamp.entityId ? context.store.byId(plan.id) : undefined;
      return row === undefined ? [] : [scheduleEntry(row, plan, stamp)];
    });
    if (schedules.length === 0) return bareReply(404, NOTHING_FOUND, stamp);
    return jsonReply(200, { result: resultOf(QUERY_DONE), ...closingFields(stamp), schedules });
  };
  return { is: "prepared", outcome: {}, run };
}

/** Undefined: it would never run. */
function timesOf(
  { clock }: Context,
  sent: Sent,
): Pick<Plan, "job" | "expression" | "terms" | "isActive" | "isEnding"> | undefined {
  const expression = expressionOf(sent);
  const terms = termsOf(sent, clock.now());
  if (expression === undefined || nextRun({ expression, terms }, clock.now() - 1) === undefined) return undefined;
  return { job: jobOf(sent), expression, terms, isActive: true, isEnding: false };
}

function typeOf(sent: Sent, otherwise: Plan["paymentType"]): Plan["paymentType"] {
  const paymentType = sent.get("paymentType");
  return paymentType === "PA" || paymentType === "CD" || paymentType === "DB" ? paymentType : otherwise;
}

/** Stores the plan with its next run. */
function kept({ store, clock }: Context, plan: Plan): Plan {
  const after = planned(plan, clock.now() - 1);
  plansOf(store).put(after.id, after);
  return after;
}
