import { z } from "zod";
import { isoTime } from "../../kit/clock.ts";
import { defineMethod } from "../rpc/method.ts";
import { pendingResultSchema } from "../rpc/schemas.ts";

export const registersPending = defineMethod({
  name: "registers.pending",
  summary: "Registers that wait for a technician to pair them: at most one.",
  scopes: ["technician"],
  params: z.strictObject({}),
  result: pendingResultSchema,
  run: async ({ registers, clock }) => ({
    ok: true,
    value: { pending: [...registers.pending()], now: isoTime(clock.now()) },
  }),
});
