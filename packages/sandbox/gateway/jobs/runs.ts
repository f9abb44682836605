import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Context } from "../context.ts";
import { registrationAt, whyNotUsable } from "../registrations/stored-accounts.ts";
import { payByRegistration } from "../registrations/stored-payments.ts";
import { agendaOf, note } from "./agenda.ts";
import { type Plan, planned, plansOf } from "./schedule.ts";

/**
 * Payments before other work may run: a job that runs every second stays cancellable when the clock moves by a year.
 */
const AT_A_TIME = 1000;

/**
 * Runs all due plans and sets the next alarm. Call at the start and with each changed plan. Missed runs follow in
 * order, each at its own time.
 */
export function runSchedules(context: Context, changed?: Plan): void {
  const { clock, store } = context;
  const agenda = agendaOf(context);
  agenda.alarm?.();
  if (changed !== undefined) note(agenda, changed);
  for (let count = 0; count < AT_A_TIME; count += 1) {
    const plan = firstOf(agenda.active.values());
    if (plan?.next === undefined || plan.next > clock.now()) break;
    const due = plan.next;
    note(
      agenda,
      store.atomically(() => run(context, plan, due)),
    );
  }
  const next = firstOf(agenda.active.values())?.next;
  agenda.alarm = next === undefined ? undefined : clock.at(next, () => runSchedules(context));
}

function firstOf(plans: Iterable<Plan>): Plan | undefined {
  let first: Plan | undefined;
  for (const plan of plans)
    if (plan.next !== undefined && (first?.next === undefined || plan.next < first.next)) first = plan;
  return first;
}

/**
 * One payment, and the plan after it. A declined payment does not end a plan; a registration that cannot be charged
 * does.
 */
function run(context: Context, plan: Plan, due: number): Plan {
  const { store, clock, announce } = context;
  const then: Context = { ...context, clock: { ...clock, now: () => due } };
  const registration = registrationAt(then, plan.registrationId, plan.entityId);
  const paid = registration && payByRegistration(then, sentBy(plan, context), registration, { referencedId: plan.id });
  if (paid?.is === "booked") announce({ type: "SCHEDULE", booking: paid.booking });
  const isOver = registration === undefined || whyNotUsable(then, registration) !== undefined;
  const after = planned({ ...plan, isActive: !isOver, runs: plan.runs + 1 }, due);
  plansOf(store).put(plan.id, after);
  return after;
}

/**
 * On channels that refuse duplicates the payments carry no merchantTransactionId: the second would count as a
 * duplicate.
 */
function sentBy({ form, paymentType }: Plan, { rules }: Context): Sent {
  const kept = rules.duplicates === "accept" ? form : form.filter(([name]) => name !== "merchantTransactionId");
  return new Map([...kept, ["paymentType", paymentType]]);
}
