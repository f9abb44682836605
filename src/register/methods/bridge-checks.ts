import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { checksResultSchema } from "../rpc/technician-schemas.ts";

export const bridgeChecks = defineMethod({
  name: "bridge.checks",
  summary:
    "Checks runtime, data folder, journal, disk, clock, gateway, terminals, port and log. Never a payment. Takes a few seconds.",
  notes: [
    "The access token is tried by a query for a payment that does not exist: at most one a minute, and never while a terminal has a payment.",
  ],
  scopes: ["technician"],
  params: z.strictObject({}),
  result: checksResultSchema,
  run: async ({ technician }) => ({ ok: true, value: { checks: [...(await technician.checks())] } }),
});
