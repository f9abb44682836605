import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { amountSchema, startResultSchema } from "../rpc/schemas.ts";
import { followUp, followUpFields } from "./follow-up-call.ts";

export const paymentCapture = defineMethod({
  name: "payment.capture",
  summary: "Captures a PREAUTHORIZATION: all that is left of it, or `amount`.",
  notes: [
    "Several captures where the channel takes them; else a second one is `not-allowed`. `of`: as for `payment.refund`.",
    "A capture that leaves nothing, or the only one that the channel takes, is told to the gateway as the last (`sequence=FINAL`). Until it is voided, a further capture or increment is `not-allowed`, also after an earlier capture was voided: start another PREAUTHORIZATION for what is added.",
    "What is not captured of a captured reservation cannot be voided. It stays reserved until it is captured or lapses at the issuer, mostly after some days. Nobody is charged for it.",
    "If the gateway captures a part, it ends PARTIALLY_APPROVED: capture the rest under a new reference. After a last capture the rest is `not-allowed`: void that one, and capture the whole anew.",
  ],
  scopes: ["payments"],
  params: z.strictObject({
    ...followUpFields,
    amount: amountSchema.describe("What is captured. Absent: all that is left.").optional(),
  }),
  result: startResultSchema,
  run: (context, given) => followUp(context, { method: "payment.capture", type: "CAPTURE" }, given),
});
