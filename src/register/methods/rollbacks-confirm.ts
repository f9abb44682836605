import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { labelSchema, reasonSchema, rollbackResultSchema } from "../rpc/schemas.ts";
import { cardNumberIn } from "../rpc/sent-fields.ts";
import { rollbackWire } from "./rollbacks-list.ts";

export const rollbacksConfirm = defineMethod({
  name: "rollbacks.confirm",
  summary:
    "A technician has seen to it that nothing of what the data folder has lost is sold once more: payments are accepted again. Kept for ever, with who said so, when and why.",
  scopes: ["technician"],
  params: z.strictObject({ by: labelSchema, reason: reasonSchema }),
  result: rollbackResultSchema,
  run: async ({ payments, session }, { by, reason }) => {
    const refusal = cardNumberIn({ by, reason });
    if (refusal !== undefined) return refusal;
    const confirmed = await payments.confirmRollback({ by: `${by} at register ${session.register}`, reason });
    return confirmed.ok ? { ok: true, value: { rollback: rollbackWire(confirmed.value) } } : confirmed;
  },
});
