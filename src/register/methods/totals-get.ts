import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { periodFields, totalsResultSchema } from "../rpc/schemas.ts";
import { periodOf } from "./period.ts";

export const totalsGet = defineMethod({
  name: "totals.get",
  summary:
    "Counts and sums of what was approved per terminal, type, brand and currency. `from` and `to` are half open on createdAt.",
  scopes: ["payments", "payments:all"],
  params: z.strictObject(periodFields),
  result: totalsResultSchema,
  run: async ({ payments, caller }, period) => {
    const rows = await payments.totals(caller, periodOf(period));
    return { ok: true, value: { rows: rows.map((row) => ({ ...row })) } };
  },
});
