import { z } from "zod";
import { outcomeSchema } from "../../payment/public.ts";
import { defineMethod } from "../method.ts";
import { periodOf } from "../period.ts";
import { listResultSchema, periodFields, terminalIdSchema } from "../wire.ts";

export const paymentList = defineMethod({
  name: "payment.list",
  summary: "Payments, newest first. `from` and `to` are half open on createdAt; `after` is the `next` of the page before.",
  scopes: ["payments", "payments:all"],
  params: z.strictObject({
    limit: z.int().min(1).max(500).optional(),
    after: z.string().min(1).max(128).optional(),
    ...periodFields,
    terminal: terminalIdSchema.optional(),
    outcome: outcomeSchema.optional(),
    open: z.boolean().optional(),
  }),
  result: listResultSchema,
  run: async ({ payments, caller }, { limit = 50, after, terminal, outcome, open, ...period }) => {
    const listed = await payments.list(caller, {
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
