import { z } from "zod";
import { isoTime } from "../../kit/clock.ts";
import { outcomeSchema } from "../../payment/public.ts";
import { defineMethod } from "../method.ts";
import { listResultSchema, terminalIdSchema } from "../wire.ts";

/** Milliseconds always, as the journal writes its times, so that text compares as time does. */
const normal = (time: string): string => isoTime(Date.parse(time));

export const paymentList = defineMethod({
  name: "payment.list",
  summary: "Payments, newest first. `from` and `to` are half open on createdAt; `after` is the `next` of the page before.",
  scopes: ["payments", "payments:all"],
  params: z.strictObject({
    limit: z.int().min(1).max(500).optional(),
    after: z.string().min(1).max(128).optional(),
    from: z.iso.datetime("must be ISO 8601 UTC, such as 2026-03-01T00:00:00.000Z").optional(),
    to: z.iso.datetime("must be ISO 8601 UTC, such as 2026-03-01T00:00:00.000Z").optional(),
    terminal: terminalIdSchema.optional(),
    outcome: outcomeSchema.optional(),
    open: z.boolean().optional(),
  }),
  result: listResultSchema,
  run: async ({ payments, caller }, { limit = 50, from, to, after, terminal, outcome, open }) => {
    const listed = await payments.list(caller, {
      limit,
      ...(after !== undefined && { after }),
      ...(from !== undefined && { from: normal(from) }),
      ...(to !== undefined && { to: normal(to) }),
      ...(terminal !== undefined && { terminal }),
      ...(outcome !== undefined && { outcome }),
      ...(open !== undefined && { open }),
    });
    if (!listed.ok) return listed;
    const { payments: page, next } = listed.value;
    return { ok: true, value: next === undefined ? { payments: [...page] } : { payments: [...page], next } };
  },
});
