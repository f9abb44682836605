import { z } from "zod";
import { paymentViewSchema } from "../../payment/view-schema.ts";

/** Messages of the scope `technician`. */
const stepSchema = z.strictObject({
  at: z.string().describe("When it was written."),
  tookMs: z.number().describe("How long it took, if an earlier step began it.").optional(),
  track: z.enum(["register", "card", "terminal", "gateway", "journal"]).describe("Who acts."),
  code: z.string().describe("Which fact it is. The list grows: show the `text` of one that you do not know."),
  text: z.string().describe("The same in English. No card data, no foreign text but ids and result codes."),
});
const openSchema = z
  .strictObject({
    why: z.string().describe("Why it is open, and what it waits for."),
    mend: z.string().describe("What people can do.").optional(),
    next: z
      .strictObject({
        what: z.string().describe("What the bridge does."),
        at: z.string().describe("When. Absent: as soon as it can.").optional(),
      })
      .describe("What the bridge does next by itself. Absent if nothing.")
      .optional(),
    resolvable: z.boolean().describe("Whether `payment.resolve` is allowed now."),
    resolvableFrom: z
      .string()
      .describe("When it will be, if nothing more is heard. Each answer of the gateway can move it.")
      .optional(),
    choices: z
      .array(z.enum(["reversed", "approved", "declined"]))
      .describe("What `as` may be.")
      .optional(),
  })
  .describe("Only of an open payment.");
export const timelineResultSchema = z.strictObject({
  payment: paymentViewSchema,
  steps: z.array(stepSchema).describe("The facts of the payment, oldest first: the newest 1,000."),
  leftOut: z.int().positive().describe("How many older ones there are.").optional(),
  open: openSchema.optional(),
});

export const resolveResultSchema = z.strictObject({
  payment: paymentViewSchema,
  gateway: z
    .enum(["booked", "booked-otherwise", "undecided", "taken-back", "refused", "nothing", "no-answer", "not-asked"])
    .describe("What the gateway told when it was asked for the last time."),
});

export const untraceResultSchema = z.strictObject({});

export const traceResultSchema = z.strictObject({ until: z.string().describe("When the trace goes off by itself.") });

const tagSchema = z.strictObject({
  tag: z.string().describe("Its number."),
  name: z.string().describe("Its name."),
  length: z.int().describe("Bytes of its value."),
  value: z.string().describe("Only for tags of an allow-list.").optional(),
});
export const tracedSchema = z.strictObject({
  terminal: z.string().describe("The terminal."),
  at: z.string().describe("When."),
  direction: z.enum(["sent", "received", "note"]).describe("`note`: no frame, but a remark about the trace."),
  text: z.string().describe("The frame's name."),
  tags: z.array(tagSchema).describe("Its tags.").optional(),
});

const checkSchema = z.strictObject({
  name: z.string().describe("What was looked at."),
  state: z.enum(["ok", "warn", "fail"]).describe("How it is."),
  text: z.string().describe("What was found."),
  fix: z.string().describe("What to do.").optional(),
});
export const checksResultSchema = z.strictObject({ checks: z.array(checkSchema).describe("One for each finding.") });

const lineSchema = z.strictObject({
  at: z.string().describe("When."),
  level: z.string().describe("`info`, `warn`, `error`."),
  text: z.string().describe("The message."),
  fields: z.record(z.string(), z.unknown()).describe("The line's other members.").optional(),
});
export const logResultSchema = z.strictObject({
  lines: z.array(lineSchema).describe("Oldest first."),
  next: z.string().describe("`after` of the next call."),
});

export const supportBundleResultSchema = z.strictObject({
  name: z.string().describe("A name for the file."),
  bundle: z.string().describe("The bundle: JSON as text."),
});
