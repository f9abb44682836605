import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { terminalIdSchema } from "../rpc/schemas.ts";
import { untraceResultSchema } from "../rpc/technician-schemas.ts";

export const terminalsUntrace = defineMethod({
  name: "terminals.untrace",
  summary: "Ends this session's trace of a terminal's line, if one runs.",
  scopes: ["technician"],
  params: z.strictObject({ terminal: terminalIdSchema }),
  result: untraceResultSchema,
  run: async ({ traces }, { terminal }) => {
    traces.end(terminal);
    return { ok: true, value: {} };
  },
});
