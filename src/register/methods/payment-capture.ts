import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { amountSchema, startResultSchema } from "../rpc/schemas.ts";
import { followUp, followUpFields } from "./follow-up-call.ts";

export const paymentCapture = defineMethod({
  name: "payment.capture",
  summary: "Takes the money of a PREAUTHORIZATION: all that is left of it, or `amount`.",
  scopes: ["payments"],
  params: z.strictObject({ ...followUpFields, amount: amountSchema.optional() }),
  result: startResultSchema,
  run: (context, given) => followUp(context, { method: "payment.capture", type: "CAPTURE" }, given),
});
