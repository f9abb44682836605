import { z } from "zod";
import { defineMethod } from "../rpc/method.ts";
import { keyFields, referenceSchema } from "../rpc/schemas.ts";
import { timelineResultSchema } from "../rpc/technician-schemas.ts";
import { anyKeyMissing, anyKeyOf } from "./technician-key.ts";

export const paymentTimeline = defineMethod({
  name: "payment.timeline",
  summary:
    "The steps of any register's payment, as the journal tells them; of an open one also why it is open, what happens next, and what an operator may do.",
  notes: [
    "Codes of steps: `accepted`, `queued`, `collecting`, `card-presented`, `card-failed`, `collecting-cancelled`, `pin-asked`, `pin-entered`, `terminal-failed`, `cancel-asked`, `attempt-intended`, `attempt-answered`, `attempt-searched`, `link-seen`, `issuer-told`, `card-finished`, `card-lost`, `signature-judged`, `interrupted`, `original-known`, `original-told`, `capture-withdrawn`, `followed`, `resolved`, `ending`, `concluded`, `released`.",
  ],
  scopes: ["technician"],
  params: z.strictObject({
    ...keyFields,
    register: referenceSchema.describe("With `reference`: whose it is, if several registers used it.").optional(),
  }),
  result: timelineResultSchema,
  run: async ({ technician }, params) => {
    const key = anyKeyOf(params);
    if (key === undefined) return anyKeyMissing(params);
    const told = await technician.timeline(key);
    if (!told.ok) return told;
    const { payment, steps, leftOut, open } = told.value;
    const { choices, next, ...rest } = open ?? {};
    const wire = open && {
      ...rest,
      why: open.why,
      resolvable: open.resolvable,
      ...(next && { next: { ...next } }),
      ...(choices && { choices: [...choices] }),
    };
    return {
      ok: true,
      value: { payment, steps: [...steps], ...(leftOut !== undefined && { leftOut }), ...(wire && { open: wire }) },
    };
  },
});
