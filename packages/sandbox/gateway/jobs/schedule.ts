import { z } from "zod";
import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { masked } from "../accounts/masking.ts";
import type { Context } from "../context.ts";
import { type Collection, collectionOf } from "../ledger/records.ts";
import { nextOccurrence } from "./quartz.ts";
import { termsSchema } from "./terms.ts";

/** A plan: an SD, or the RS that replaced it. Kept under its row's id; replaced and ended plans stay, inactive. */
const planSchema = z.strictObject({
  id: z.string(),
  /** The SD at the start of the chain. */
  chain: z.string(),
  entityId: z.string(),
  registrationId: z.string(),
  paymentType: z.enum(["PA", "DB", "CD"]),
  /** Form of each payment, including its amount. */
  form: z.array(z.tuple([z.string(), z.string()])),
  /** job.*, as sent. */
  job: z.record(z.string(), z.string()),
  expression: z.string(),
  terms: termsSchema,
  isActive: z.boolean(),
  /** Descheduled; runs on until its notice has passed. */
  isEnding: z.boolean(),
  /** Next run, epoch milliseconds of the sandbox's clock; absent: none. */
  next: z.int().optional(),
  /** Number of runs, including those of replaced plans. */
  runs: z.int(),
});
export type Plan = z.infer<typeof planSchema>;

export function plansOf(store: Context["store"]): Collection<Plan> {
  return collectionOf(store, "plan", planSchema);
}

/** The plan with its next run after that time, or retired if there is none. */
export function planned(plan: Plan, after: number): Plan {
  const next = plan.isActive && !isThrough(plan) ? nextRun(plan, after) : undefined;
  return next === undefined ? retired(plan) : { ...plan, next };
}

/** The first match after that time, within start and end. */
export function nextRun(
  { expression, terms: { start, end } }: Pick<Plan, "expression" | "terms">,
  after: number,
): number | undefined {
  const next = nextOccurrence(expression, Math.max(after, start - 1));
  return next !== undefined && end !== undefined && next >= end ? undefined : next;
}

/** Specification, "Card on file": numberOfInstallments is the maximum number of authorizations. */
function isThrough({ form, runs }: Plan): boolean {
  const installments = new Map(form).get("standingInstruction.numberOfInstallments");
  return installments !== undefined && runs >= Number(installments);
}

/** Ended for good. */
export function retired({ next: _next, ...plan }: Plan): Plan {
  return { ...plan, isActive: false };
}

export function jobOf(sent: Sent): Plan["job"] {
  return Object.fromEntries([...sent].filter(([name]) => name.startsWith("job.")));
}

/** The form of each payment: the scheduled sale without secrets, marked as merchant-initiated ("Card on file"). */
export function formOf(sent: Sent): Plan["form"] {
  const instruction = new Map([
    ["standingInstruction.type", sent.get("standingInstruction.type") === "INSTALLMENT" ? "INSTALLMENT" : "RECURRING"],
    ["standingInstruction.mode", "REPEATED"],
    ["standingInstruction.source", "MIT"],
  ]);
  const kept = Object.entries(masked(Object.fromEntries(sent))).filter(
    ([name]) => !name.startsWith("job.") && !NOT_OF_PAYMENTS.includes(name),
  );
  return [...new Map([...kept, ...instruction])];
}

const NOT_OF_PAYMENTS = ["registrationId", "paymentType", "createRegistration", "standingInstruction.industryPractice"];
