import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { labelSchema, reasonSchema, rollbackResultSchema } from "../rpc/schemas.ts";
import { cardNumberIn } from "../rpc/sent-fields.ts";
import { rollbackWire } from "./rollbacks-list.ts";

export const rollbacksConfirm = defineMethod({
  name: "rollbacks.confirm",
  summary:
    "A technician confirms that nothing of what the data folder lost is sold again: payments are accepted again. Kept for ever, with who confirmed, when and why.",
  notes: [
    "While the last entry is not confirmed, nothing that moves money is accepted from any register. A repeated reference still gives its payment, and accepted payments go on to their end.",
  ],
  scopes: ["technician"],
  params: z.strictObject({
    by: labelSchema.describe("Who confirms."),
    reason: reasonSchema.describe("What was checked."),
  }),
  result: rollbackResultSchema,
  run: async ({ payments, session }, { by, reason }) => {
    const refusal = cardNumberIn({ by, reason });
    if (refusal !== undefined) return refusal;
    const confirmed = await payments.confirmRollback({ by: `${by} at register ${session.register}`, reason });
    return confirmed.ok ? { ok: true, value: { rollback: rollbackWire(confirmed.value) } } : confirmed;
  },
});
