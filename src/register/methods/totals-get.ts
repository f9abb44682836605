import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { periodFields, totalsResultSchema } from "../rpc/schemas.ts";
import { periodOf } from "./period.ts";

export const totalsGet = defineMethod({
  name: "totals.get",
  summary: "Counts and sums of what was approved, by terminal, type, brand and currency.",
  notes: [
    "Payments that are still open are not in it. `from` and `to` are half open on `createdAt`.",
    "A void and its original cancel each other if both lie in the period; a voided reservation takes its increments with it. A void of something earlier is a row of its own, so that yesterday's figures stay.",
    "Money taken: SALE + CAPTURE - LINKED_REFUND - REFUND - VOID. A VOID row may also hold a reservation of an earlier day, which took no money.",
    "A sale counts in full from its approval on, also if its capture failed or is of a part: look at `capture` and `capturedAmount`.",
    "PREAUTHORIZATION and INCREMENT are reserved, not taken. REGISTRATION has a count and no money.",
    "`brand` of a follow-up is that of the card of its first payment.",
  ],
  scopes: ["payments", "payments:all"],
  params: z.strictObject(periodFields),
  result: totalsResultSchema,
  run: async ({ payments, caller }, period) => {
    const rows = await payments.totals(caller, periodOf(period));
    return { ok: true, value: { rows: rows.map((row) => ({ ...row })) } };
  },
});
