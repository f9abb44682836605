import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { deletionResultSchema, referenceSchema, registrationSchema } from "../rpc/schemas.ts";
import { cardNumberIn } from "../rpc/sent-fields.ts";

export const registrationDelete = defineMethod({
  name: "registration.delete",
  summary:
    "Deletes a stored card at the gateway. `unknown` means that the bridge goes on with it: the same call tells how it stands.",
  scopes: ["stored-cards"],
  params: z.strictObject({ registration: registrationSchema, reference: referenceSchema }),
  result: deletionResultSchema,
  run: async ({ payments, caller }, { registration, reference }) => {
    const refusal = cardNumberIn({ reference });
    if (refusal !== undefined) return refusal;
    const deleted = await payments.deleteRegistration(caller, { registration, reference });
    return deleted.ok ? { ok: true, value: { registration, reference, deletion: deleted.value } } : deleted;
  },
});
