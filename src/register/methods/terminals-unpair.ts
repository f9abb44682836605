import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { terminalIdSchema, unpairResultSchema } from "../rpc/schemas.ts";

export const terminalsUnpair = defineMethod({
  name: "terminals.unpair",
  summary: "Removes a paired terminal. Refused while a payment needs it, and for a terminal of the configuration file.",
  notes: ["Its payments' captures, voids and refunds need no terminal, and go on."],
  scopes: ["technician"],
  params: z.strictObject({ terminal: terminalIdSchema }),
  result: unpairResultSchema,
  run: async ({ pairing, session }, { terminal }) => {
    const unpaired = await pairing.unpair(`register ${session.register}`, terminal);
    return unpaired.ok ? { ok: true, value: {} } : unpaired;
  },
});
