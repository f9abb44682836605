import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { checksResultSchema } from "../rpc/technician-schemas.ts";

export const bridgeChecks = defineMethod({
  name: "bridge.checks",
  summary:
    "Looks at what the bridge stands on: runtime, data folder, journal, disk, clock, gateway, terminals, port. Never a payment. Takes a few seconds.",
  scopes: ["technician"],
  params: z.strictObject({}),
  result: checksResultSchema,
  run: async ({ technician }) => ({ ok: true, value: { checks: [...(await technician.checks())] } }),
});
