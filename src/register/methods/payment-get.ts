import { z } from "zod";
import { defineMethod, keyMissing, keyOf } from "../rpc/method.ts";
import { keyFields, paymentResultSchema } from "../rpc/schemas.ts";

export const paymentGet = defineMethod({
  name: "payment.get",
  summary: "The payment as it stands. `not-found` on a reference: it was never accepted.",
  notes: [
    "A reference is looked for among the payments of the session's own register. With the scope `payments:all`, one of another register is found by its `id`.",
  ],
  scopes: ["payments", "payments:all"],
  params: z.strictObject(keyFields),
  result: paymentResultSchema,
  run: async ({ payments, caller }, params) => {
    const key = keyOf(params);
    if (key === undefined) return keyMissing;
    const found = await payments.get(caller, key);
    return found.ok ? { ok: true, value: { payment: found.value } } : found;
  },
});
