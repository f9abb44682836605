import type { Cancel } from "../../kit/clock.ts";
import type { Context } from "../context.ts";
import type { SandboxClock } from "../sandbox-clock.ts";
import { type Plan, plansOf } from "./schedule.ts";

/** What a gateway has to run. */
interface Agenda {
  /** By chain, of which one plan at most is active. The records say the same: reading all of them whenever one changes would take longer with each that ever was. */
  readonly active: Map<string, Plan>;
  /** What the clock is set for. */
  alarm: Cancel | undefined;
}

const agendas = new WeakMap<SandboxClock, Agenda>();

/** Read from the records once for each gateway. */
export function agendaOf({ clock, store }: Pick<Context, "clock" | "store">): Agenda {
  const known = agendas.get(clock);
  if (known !== undefined) return known;
  const plans = plansOf(store).all();
  const agenda = { active: new Map(plans.flatMap((plan) => (plan.isActive ? [[plan.chain, plan] as const] : []))), alarm: undefined };
  agendas.set(clock, agenda);
  return agenda;
}

/** To be called once what was kept in the records is there for good. */
export function note({ active }: Agenda, plan: Plan): void {
  if (plan.isActive) active.set(plan.chain, plan);
  else active.delete(plan.chain);
}
