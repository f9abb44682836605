import { z } from "zod";
import type { Sent } from "../../gateway/parameters/chapter.ts";
import { masked } from "../accounts/masking.ts";
import type { Context } from "../context.ts";
import { type Collection, collectionOf } from "../ledger/records.ts";
import { nextOccurrence } from "./quartz.ts";
import { termsSchema } from "./terms.ts";

/** A plan: an SD, or the RS that took its place. Kept under the id of its row; one that was replaced or has ended stays, and is no longer active. */
const planSchema = z.strictObject({
  id: z.string(),
  /** The SD that it began with. */
  chain: z.string(),
  entityId: z.string(),
  registrationId: z.string(),
  /** What each payment is. */
  paymentType: z.enum(["PA", "DB", "CD"]),
  /** What each payment says, and what it costs. */
  form: z.array(z.tuple([z.string(), z.string()])),
  /** job.*, as it was sent. */
  job: z.record(z.string(), z.string()),
  expression: z.string(),
  terms: termsSchema,
  isActive: z.boolean(),
  /** It was descheduled, and runs on as long as its notice does. */
  isEnding: z.boolean(),
  /** When it runs next, epoch milliseconds of the sandbox's clock; absent: never again. */
  next: z.int().optional(),
  /** How often it ran, with those that it took the place of. */
  runs: z.int(),
});
export type Plan = z.infer<typeof planSchema>;

export function plansOf(store: Context["store"]): Collection<Plan> {
  return collectionOf(store, "plan", planSchema);
}

/** The plan with its next run after that time; without one it has come to its end. */
export function planned(plan: Plan, after: number): Plan {
  const next = plan.isActive && !isThrough(plan) ? nextRun(plan, after) : undefined;
  return next === undefined ? retired(plan) : { ...plan, next };
}

/** The first time after that one at which it holds and has begun, and has not ended. */
export function nextRun({ expression, terms: { start, end } }: Pick<Plan, "expression" | "terms">, after: number): number | undefined {
  const next = nextOccurrence(expression, Math.max(after, start - 1));
  return next !== undefined && end !== undefined && next >= end ? undefined : next;
}

/** Specification, "Card on file": numberOfInstallments is the most authorizations that there may be. */
function isThrough({ form, runs }: Plan): boolean {
  const installments = new Map(form).get("standingInstruction.numberOfInstallments");
  return installments !== undefined && runs >= Number(installments);
}

/** Without a next run, for good. */
export function retired({ next: _next, ...plan }: Plan): Plan {
  return { ...plan, isActive: false };
}

export function jobOf(sent: Sent): Plan["job"] {
  return Object.fromEntries([...sent].filter(([name]) => name.startsWith("job.")));
}

/** What a payment of the plan says: the sale as it was scheduled, without its secrets, and that the merchant takes it ("Card on file"). */
export function formOf(sent: Sent): Plan["form"] {
  const instruction = new Map([
    ["standingInstruction.type", sent.get("standingInstruction.type") === "INSTALLMENT" ? "INSTALLMENT" : "RECURRING"],
    ["standingInstruction.mode", "REPEATED"],
    ["standingInstruction.source", "MIT"],
  ]);
  const kept = Object.entries(masked(Object.fromEntries(sent))).filter(([name]) => !name.startsWith("job.") && !NOT_OF_PAYMENTS.includes(name));
  return [...new Map([...kept, ...instruction])];
}

const NOT_OF_PAYMENTS = ["registrationId", "paymentType", "createRegistration", "standingInstruction.industryPractice"];
