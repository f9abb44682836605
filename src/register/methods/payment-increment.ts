import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { amountSchema, startResultSchema } from "../rpc/schemas.ts";
import { followUp, followUpFields } from "./follow-up-call.ts";

export const paymentIncrement = defineMethod({
  name: "payment.increment",
  summary: "Raises the reservation of a PREAUTHORIZATION by `amount`.",
  notes: ["As often as needed until the last capture. `of`: as for `payment.refund`."],
  scopes: ["payments"],
  params: z.strictObject({ ...followUpFields, amount: amountSchema.describe("What is added.") }),
  result: startResultSchema,
  run: (context, given) => followUp(context, { method: "payment.increment", type: "INCREMENT" }, given),
});
