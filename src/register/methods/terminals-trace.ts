import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { terminalIdSchema } from "../rpc/schemas.ts";
import { traceResultSchema } from "../rpc/technician-schemas.ts";

export const terminalsTrace = defineMethod({
  name: "terminals.trace",
  summary:
    "Tells this session each frame of a terminal's line as `terminal.traced`, for 15 minutes or until `terminals.untrace`. Values only of an allow-list of tags, and no pressed key.",
  notes: [
    "A trace ends with its session. The same call begins the 15 minutes anew.",
    "While more than 256 KiB wait for a slow reader, frames are left out; a `note` says how many. The audit says who traces what.",
  ],
  scopes: ["technician"],
  params: z.strictObject({ terminal: terminalIdSchema }),
  result: traceResultSchema,
  run: async ({ traces }, { terminal }) => traces.begin(terminal),
});
