import { z } from "zod";
import { paymentViewSchema } from "../../payment/view-schema.ts";

/** Messages of the scope `technician`. */
export const timelineResultSchema = z.strictObject({
  payment: paymentViewSchema,
  steps: z.array(
    z.strictObject({
      at: z.string(),
      tookMs: z.number().optional(),
      track: z.enum(["register", "card", "terminal", "gateway", "journal"]),
      code: z.string(),
      text: z.string(),
    }),
  ),
  leftOut: z.int().positive().optional(),
  open: z
    .strictObject({
      why: z.string(),
      mend: z.string().optional(),
      next: z.strictObject({ what: z.string(), at: z.string().optional() }).optional(),
      resolvable: z.boolean(),
      resolvableFrom: z.string().optional(),
      choices: z.array(z.enum(["reversed", "approved", "declined"])).optional(),
    })
    .optional(),
});

/** `gateway`: its report from the final query. */
export const resolveResultSchema = z.strictObject({
  payment: paymentViewSchema,
  gateway: z.enum([
    "booked",
    "booked-otherwise",
    "undecided",
    "taken-back",
    "refused",
    "nothing",
    "no-answer",
    "not-asked",
  ]),
});

export const untraceResultSchema = z.strictObject({});

export const traceResultSchema = z.strictObject({ until: z.string() });

export const tracedSchema = z.strictObject({
  terminal: z.string(),
  at: z.string(),
  direction: z.enum(["sent", "received", "note"]),
  text: z.string(),
  tags: z
    .array(z.strictObject({ tag: z.string(), name: z.string(), length: z.int(), value: z.string().optional() }))
    .optional(),
});

export const checksResultSchema = z.strictObject({
  checks: z.array(
    z.strictObject({
      name: z.string(),
      state: z.enum(["ok", "warn", "fail"]),
      text: z.string(),
      fix: z.string().optional(),
    }),
  ),
});

export const logResultSchema = z.strictObject({
  lines: z.array(
    z.strictObject({
      at: z.string(),
      level: z.string(),
      text: z.string(),
      fields: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  next: z.string(),
});

export const supportBundleResultSchema = z.strictObject({ name: z.string(), bundle: z.string() });
