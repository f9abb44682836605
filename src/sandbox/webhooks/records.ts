import { z } from "zod";
import { addressOf } from "./address.ts";

/** Gateway facts, 3. */
const EVENT_TYPES = ["PAYMENT", "REGISTRATION", "SCHEDULE", "RISK"] as const;

/** What the back office asks for when a webhook is set up (gateway facts, 3). */
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

/** A webhook that is set up; nothing but the test delivery reaches one that is not active. */
export const hookSchema = newHookSchema.extend({ id: z.string(), active: z.boolean(), createdAt: z.int() });
export type Hook = z.infer<typeof hookSchema>;

/** Where a delivery goes: to a webhook, or to the notificationUrl of a payment. */
const targetSchema = z.union([z.strictObject({ hook: z.string() }), z.strictObject({ url: z.string() })]);
export type Target = z.infer<typeof targetSchema>;

/** A notification on its way: kept until it was taken, or for thirty days. Times are of the sandbox's clock, epoch milliseconds. */
export const deliverySchema = z.strictObject({
  id: z.string(),
  to: targetSchema,
  /** In clear: it is encrypted anew for every try. The same at every try, its timestamp too, so that the receiver knows it again. */
  notification: z.string(),
  /** When it was to go out the first time, and when it goes out next. */
  first: z.int(),
  due: z.int(),
  /** Tries that failed. */
  tries: z.int(),
});
export type Delivery = z.infer<typeof deliverySchema>;

/** A booking that was told as pending, and as what; to be told again when it settles by itself. */
export const pendingSchema = z.strictObject({ booking: z.string(), types: z.array(z.enum(EVENT_TYPES)), until: z.int() });
export type Pending = z.infer<typeof pendingSchema>;
