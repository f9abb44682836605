import { z } from "zod";
import { followUp, followUpFields } from "../follow-up.ts";
import { defineMethod } from "../method.ts";
import { amountSchema, startResultSchema } from "../wire.ts";

export const paymentRefund = defineMethod({
  name: "payment.refund",
  summary: "Gives back what was captured: all that is left of it, or `amount`. No card is needed.",
  scopes: ["refunds"],
  params: z.strictObject({ ...followUpFields, amount: amountSchema.optional() }),
  result: startResultSchema,
  run: (context, given) => followUp(context, { method: "payment.refund", type: "LINKED_REFUND" }, given),
});
