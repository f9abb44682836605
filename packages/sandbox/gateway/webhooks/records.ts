import { z } from "zod";
import { addressOf } from "./address.ts";

/** Gateway facts, 3. */
const EVENT_TYPES = ["PAYMENT", "REGISTRATION", "SCHEDULE", "RISK"] as const;

/** Input of the back office for a new webhook (gateway facts, 3). */
export const newHookSchema = z.strictObject({
  url: z
    .string()
    .max(2048)
    .refine((text) => URL.canParse(text) && addressOf(text) !== undefined, "must be an http or https address"),
  key: z.string().regex(/^[0-9A-Fa-f]{64}$/, "must be 64 hexadecimal digits"),
  wrapper: z.enum(["none", "json"]).default("none"),
  fields: z.enum(["ALL", "NON_CUSTOMER_DATA"]).default("ALL"),
  events: z
    .array(z.enum(EVENT_TYPES))
    .min(1)
    .default([...EVENT_TYPES]),
});
export type NewHook = z.infer<typeof newHookSchema>;

/** A webhook; an inactive one receives only the test delivery. */
export const hookSchema = newHookSchema.extend({ id: z.string(), active: z.boolean(), createdAt: z.int() });
export type Hook = z.infer<typeof hookSchema>;

/** Target of a delivery: a webhook, or a payment's notificationUrl. */
const targetSchema = z.union([z.strictObject({ hook: z.string() }), z.strictObject({ url: z.string() })]);
export type Target = z.infer<typeof targetSchema>;

/** A notification, kept until accepted, at most thirty days. Times are epoch milliseconds of the sandbox's clock. */
export const deliverySchema = z.strictObject({
  id: z.string(),
  to: targetSchema,
  /**
   * In clear, because every try encrypts it anew. Its content and timestamp stay, so the receiver recognizes repeats.
   */
  notification: z.string(),
  /** Planned time of the first try, and time of the next. */
  first: z.int(),
  due: z.int(),
  tries: z.int(),
});
export type Delivery = z.infer<typeof deliverySchema>;

/** A booking announced as pending, with the event types; announced again when it settles. */
export const pendingSchema = z.strictObject({
  booking: z.string(),
  types: z.array(z.enum(EVENT_TYPES)),
  until: z.int(),
});
export type Pending = z.infer<typeof pendingSchema>;
