import { z } from "zod";
import { outcomeSchema } from "../view-schema.ts";
import { entryModeSchema, gatewayPaymentTypeSchema, presentedCardSchema } from "./operation.ts";

/** One booking at the gateway that a follow-up refers to. Amounts in minor units. */
export const targetSchema = z.object({
  id: z.string(),
  paymentType: gatewayPaymentTypeSchema,
  amount: z.int().nonnegative(),
});
export type Target = z.infer<typeof targetSchema>;

/** What a capture, void, refund or increment is about, as it stood when the follow-up was accepted. */
export const originalSchema = z.object({
  /** The payment of this journal it was asked for; absent for a booking that this journal does not know. */
  payment: z.string().optional(),
  /** Of a booking that this journal does not know: the gateway's id it was asked for by. */
  asked: z.string().optional(),
  /** Where that payment is a follow-up itself (a capture, say): the one that everything began with. */
  root: z.string().optional(),
  /** The first is the one that matters; a void of a reservation takes its increments back after it. */
  targets: z.array(targetSchema).min(1),
  /** On a void of a reservation: the payments whose increments go with it. */
  increments: z.array(z.string()).optional(),
  /** A sale whose own capture was not through yet: a void waits until it is, or is withdrawn. */
  capturing: z.literal(true).optional(),
  /** What a chip payment's captures and reversals repeat (gateway-facts 4.4). */
  card: presentedCardSchema.optional(),
  /** The card as its receipts name it. */
  shown: z
    .object({ brand: z.string(), bin: z.string().optional(), last4: z.string(), entryMode: entryModeSchema })
    .optional(),
});
export type Original = z.infer<typeof originalSchema>;

/** A follow-up as its original remembers it. */
export const followUpSchema = z.object({
  payment: z.string(),
  type: z.enum(["CAPTURE", "VOID", "LINKED_REFUND", "INCREMENT"]),
  outcome: outcomeSchema,
  /** What was booked, minor units; nothing for a void. */
  amount: z.int().nonnegative(),
  /** The gateway's id of what was booked. */
  id: z.string().optional(),
  /** What it refers to. */
  target: z.string(),
  /** Of a void: what it takes back besides, an increment of the reservation say. */
  besides: z.array(z.string()).optional(),
  /** A capture after which the gateway was told that no more comes (`sequence=FINAL`). */
  last: z.literal(true).optional(),
});
export type FollowUp = z.infer<typeof followUpSchema>;
