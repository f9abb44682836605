import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { logResultSchema } from "../rpc/technician-schemas.ts";

/** The bridge keeps as many lines. */
const MOST_LINES = 1_000;

export const bridgeLog = defineMethod({
  name: "bridge.log",
  summary: "The last lines of the bridge's log.",
  notes: ["The bridge holds 1,000 lines and 1,048,576 characters of its own process."],
  scopes: ["technician"],
  params: z.strictObject({
    after: z
      .string()
      .min(1)
      .max(64)
      .describe("`next` of the call before: lines since then. Absent: the newest.")
      .optional(),
    limit: z.int().min(1).max(MOST_LINES).describe(`At most so many. Absent: ${MOST_LINES}.`).optional(),
  }),
  result: logResultSchema,
  run: async ({ technician }, { after, limit = MOST_LINES }) => {
    const { lines, next } = technician.log({ limit, ...(after !== undefined && { after }) });
    return {
      ok: true,
      value: {
        lines: lines.map(({ fields, ...line }) => ({
          ...line,
          ...(fields !== undefined && { fields: { ...fields } }),
        })),
        next,
      },
    };
  },
});
