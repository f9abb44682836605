import { z } from "zod";
import { outcomeSchema } from "../../payment/view-schema.ts";
import { defineMethod, refuse } from "../rpc/method.ts";
import { listResultSchema, periodFields, terminalIdSchema } from "../rpc/schemas.ts";
import { periodOf } from "./period.ts";

const openOnly = refuse(
  "forbidden",
  "payment.list without open: true needs the scope payments or payments:all: ask for a token that has it",
  "fix-config",
);

export const paymentList = defineMethod({
  name: "payment.list",
  summary: "Payments, newest first.",
  notes: ["With `open: true` the scope `technician` is enough."],
  scopes: ["payments", "payments:all", "technician"],
  params: z.strictObject({
    limit: z.int().min(1).max(500).describe("Payments of one page. Absent: 50.").optional(),
    after: z.string().min(1).max(128).describe("`next` of the page before.").optional(),
    ...periodFields,
    terminal: terminalIdSchema.describe("Only payments of this terminal.").optional(),
    outcome: outcomeSchema.describe("Only payments with this outcome.").optional(),
    open: z
      .boolean()
      .describe("`true`: only those that are not closed. The scope `technician` shows those of every register.")
      .optional(),
  }),
  result: listResultSchema,
  run: async ({ payments, caller, session }, { limit = 50, after, terminal, outcome, open, ...period }) => {
    const isTechnician = session.scopes.includes("technician");
    if (open !== true && !session.scopes.some((scope) => scope === "payments" || scope === "payments:all"))
      return openOnly;
    const listed = await payments.list(isTechnician && open === true ? { ...caller, all: true } : caller, {
      limit,
      ...(after !== undefined && { after }),
      ...periodOf(period),
      ...(terminal !== undefined && { terminal }),
      ...(outcome !== undefined && { outcome }),
      ...(open !== undefined && { open }),
    });
    if (!listed.ok) return listed;
    const { payments: page, next } = listed.value;
    return { ok: true, value: next === undefined ? { payments: [...page] } : { payments: [...page], next } };
  },
});
