import { z } from "zod";
import { followUp, followUpFields } from "../follow-up.ts";
import { defineMethod } from "../method.ts";
import { amountSchema, startResultSchema } from "../wire.ts";

export const paymentIncrement = defineMethod({
  name: "payment.increment",
  summary: "Raises the reservation of a PREAUTHORIZATION by `amount`.",
  scopes: ["payments"],
  params: z.strictObject({ ...followUpFields, amount: amountSchema }),
  result: startResultSchema,
  run: (context, given) => followUp(context, { method: "payment.increment", type: "INCREMENT" }, given),
});
