import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { deletionResultSchema, referenceSchema, registrationSchema } from "../rpc/schemas.ts";
import { cardNumberIn } from "../rpc/sent-fields.ts";

export const registrationDelete = defineMethod({
  name: "registration.delete",
  summary: "Deletes a stored card at the gateway. The same call tells later how it stands.",
  notes: [
    "It waits at most 10 s. With `unknown` it is on disk: the bridge asks the gateway again and again, also after a restart. The same call tells at any time how it stands.",
    "It is no payment: nothing of it is listed or told. Its `reference` stands in a list of its own.",
    "It deletes on whichever channel of the shop the card was stored.",
  ],
  scopes: ["stored-cards"],
  params: z.strictObject({
    registration: registrationSchema,
    reference: referenceSchema.describe("The register's own key of this deletion. No other card may use it."),
  }),
  result: deletionResultSchema,
  run: async ({ payments, caller }, { registration, reference }) => {
    const refusal = cardNumberIn({ reference });
    if (refusal !== undefined) return refusal;
    const deleted = await payments.deleteRegistration(caller, { registration, reference });
    return deleted.ok ? { ok: true, value: { registration, reference, deletion: deleted.value } } : deleted;
  },
});
