import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { terminalIdSchema } from "../rpc/schemas.ts";
import { traceResultSchema } from "../rpc/technician-schemas.ts";

export const terminalsTrace = defineMethod({
  name: "terminals.trace",
  summary:
    "Tells this session what goes over a terminal's line, as terminal.traced, for 15 minutes or until terminals.untrace. Values of an allow-list of tags alone, and no key that is pressed.",
  scopes: ["technician"],
  params: z.strictObject({ terminal: terminalIdSchema }),
  result: traceResultSchema,
  run: async ({ traces }, { terminal }) => traces.begin(terminal),
});
