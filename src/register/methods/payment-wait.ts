import { z } from "zod";
import { LIMITS } from "../rpc/limits.ts";
import { defineMethod, keyMissing, keyOf } from "../rpc/method.ts";
import { keyFields, paymentResultSchema } from "../rpc/schemas.ts";

export const paymentWait = defineMethod({
  name: "payment.wait",
  summary:
    "Answers once the payment is decided or final, or the time is over, with the payment as it then stands: read `decision` and `state`.",
  scopes: ["payments", "payments:all"],
  params: z.strictObject({
    ...keyFields,
    until: z.enum(["decision", "final"]).describe("Absent: `final`.").optional(),
    timeoutMs: z
      .int()
      .min(0)
      .max(LIMITS.waitMs)
      .describe(`How long to wait. Absent: ${LIMITS.waitDefaultMs}.`)
      .optional(),
  }),
  result: paymentResultSchema,
  run: async ({ payments, caller }, { until = "final", timeoutMs = LIMITS.waitDefaultMs, ...params }) => {
    const key = keyOf(params);
    if (key === undefined) return keyMissing;
    const waited = await payments.wait(caller, key, until, timeoutMs);
    return waited.ok ? { ok: true, value: { payment: waited.value } } : waited;
  },
});
