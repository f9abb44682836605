import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { terminalIdSchema, unpairResultSchema } from "../rpc/schemas.ts";

export const terminalsUnpair = defineMethod({
  name: "terminals.unpair",
  summary:
    "Takes a paired terminal out of service and out of the data folder. Refused while a payment needs it, and for one of the configuration file.",
  scopes: ["technician"],
  params: z.strictObject({ terminal: terminalIdSchema }),
  result: unpairResultSchema,
  run: async ({ pairing, session }, { terminal }) => {
    const unpaired = await pairing.unpair(`register ${session.register}`, terminal);
    return unpaired.ok ? { ok: true, value: {} } : unpaired;
  },
});
