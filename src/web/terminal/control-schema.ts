import { z } from "zod";

/* Replies of the simulated terminal's control (docs/simulator.md), as far as this page shows them. */

const wishSchema = z.enum(["card", "swipe", "number", "expiry", "application", "pin", "removal"]);
export type Wish = z.infer<typeof wishSchema>;

const waySchema = z.enum(["insert", "tap", "swipe", "key"]);
export type Way = z.infer<typeof waySchema>;

export const screenSchema = z.object({
  lines: z.array(z.string()),
  slot: z.object({ card: z.string().nullable() }),
  reader: z.object({ card: z.string().nullable() }),
  lights: z.object({ power: z.boolean(), card: z.boolean(), busy: z.boolean() }),
  waitsFor: wishSchema.nullable(),
  plugged: z.boolean(),
  hung: z.boolean(),
  customer: z.object({ card: z.string(), acts: z.boolean() }).nullable(),
});
export type Screen = z.infer<typeof screenSchema>;

const shapeSchema = z.object({
  form: z.enum(["hand", "counter", "low", "panel"]),
  colour: z.enum(["graphite", "white", "silver", "blue"]),
  stripeAt: z.enum(["right", "top"]),
  display: z.boolean(),
  keys: z.boolean(),
  slot: z.boolean(),
  stripe: z.boolean(),
  contactless: z.boolean(),
});

export const modelSchema = z.object({
  id: z.string(),
  title: z.string(),
  serialNumber: z.string(),
  capabilities: z.object({
    interfaces: z.array(z.enum(["chip", "contactless", "stripe", "keyed"])),
    onlinePin: z.boolean(),
  }),
  shape: shapeSchema,
});
export type Model = z.infer<typeof modelSchema>;

const groupSchema = z.enum(["chip", "tap", "phone", "stripe", "typed", "odd"]);
export type Group = z.infer<typeof groupSchema>;

const cardSchema = z.object({
  name: z.string(),
  title: z.string(),
  brand: z.string(),
  last4: z.string(),
  group: groupSchema,
  ways: z.array(waySchema).min(1),
  pin: z.string().optional(),
  typed: z.object({ number: z.string(), expiry: z.string() }).optional(),
});
export type Card = z.infer<typeof cardSchema>;
export const deckSchema = z.object({ cards: z.array(cardSchema).min(1) });

const objectSchema = z.object({
  tag: z.string(),
  name: z.string().optional(),
  length: z.number(),
  value: z.string().optional(),
});
export type WireObject = z.infer<typeof objectSchema>;
export const wireEntrySchema = z.object({
  n: z.number(),
  at: z.string(),
  direction: z.enum(["sent", "received", "link"]),
  name: z.string(),
  objects: z.array(objectSchema),
});
export type WireEntry = z.infer<typeof wireEntrySchema>;

/** Faults of cable and device (contract, section 5). */
export type DeviceFault =
  | "unplug"
  | "plug"
  | "hang"
  | "reboot"
  | "corrupt-next-frame"
  | "drop-next-frame"
  | "garbage"
  | "slow";
