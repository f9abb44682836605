import { z } from "zod";
import { defineMethod, refuse } from "../rpc/method.ts";
import { amountSchema, startResultSchema } from "../rpc/schemas.ts";
import { followUp, followUpFields } from "./follow-up-call.ts";

export const paymentVoid = defineMethod({
  name: "payment.void",
  summary:
    "Takes a payment back as a whole, as if it had not been. Takes no `amount`: a part is given back by payment.refund.",
  scopes: ["payments"],
  params: z.strictObject({ ...followUpFields, amount: amountSchema.optional() }),
  result: startResultSchema,
  run: async (context, given) =>
    given.amount === undefined
      ? followUp(context, { method: "payment.void", type: "VOID" }, given)
      : refuse(
          "invalid-amount",
          "a void has no amount, it takes all back: leave amount out, or give a part back by payment.refund",
          "fix-request",
          "amount",
        ),
});
