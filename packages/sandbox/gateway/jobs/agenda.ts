import type { Cancel } from "../../../../src/kit/clock.ts";
import type { Context } from "../context.ts";
import type { SandboxClock } from "../sandbox-clock.ts";
import { type Plan, plansOf } from "./schedule.ts";

/** The active plans of a gateway. */
interface Agenda {
  /** By chain, with at most one active plan. Reading all records on each change would grow slower with every plan. */
  readonly active: Map<string, Plan>;
  /** The clock's alarm for the next run. */
  alarm: Cancel | undefined;
}

const agendas = new WeakMap<SandboxClock, Agenda>();

/** Read from the records once for each gateway. */
export function agendaOf({ clock, store }: Pick<Context, "clock" | "store">): Agenda {
  const known = agendas.get(clock);
  if (known !== undefined) return known;
  const plans = plansOf(store).all();
  const agenda = {
    active: new Map(plans.flatMap((plan) => (plan.isActive ? [[plan.chain, plan] as const] : []))),
    alarm: undefined,
  };
  agendas.set(clock, agenda);
  return agenda;
}

/** Call only after the records are committed. */
export function note({ active }: Agenda, plan: Plan): void {
  if (plan.isActive) active.set(plan.chain, plan);
  else active.delete(plan.chain);
}
