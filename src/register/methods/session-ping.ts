import { z } from "zod";
import { isoTime } from "../../kit/clock.ts";
import { defineMethod } from "../rpc/method.ts";
import { pingResultSchema } from "../rpc/schemas.ts";

export const sessionPing = defineMethod({
  name: "session.ping",
  summary: "Proves that the bridge is there, and tells its time.",
  scopes: [],
  params: z.strictObject({}),
  result: pingResultSchema,
  run: async ({ clock }) => ({ ok: true, value: { now: isoTime(clock.now()) } }),
});
