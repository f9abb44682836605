import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { amountSchema, startResultSchema } from "../rpc/schemas.ts";
import { followUp, followUpFields } from "./follow-up-call.ts";

export const paymentRefund = defineMethod({
  name: "payment.refund",
  summary: "Gives back what was captured: all that is left of it, or `amount`. No card is needed.",
  scopes: ["refunds"],
  params: z.strictObject({ ...followUpFields, amount: amountSchema.optional() }),
  result: startResultSchema,
  run: (context, given) => followUp(context, { method: "payment.refund", type: "LINKED_REFUND" }, given),
});
