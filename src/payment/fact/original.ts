import { z } from "zod";
import { outcomeSchema } from "../view-schema.ts";
import { entryModeSchema, gatewayPaymentTypeSchema, presentedCardSchema } from "./operation.ts";

/** Amounts in minor units. */
export const targetSchema = z.object({
  id: z.string(),
  paymentType: gatewayPaymentTypeSchema,
  amount: z.int().nonnegative(),
});
export type Target = z.infer<typeof targetSchema>;

/** As it stood when the follow-up was accepted. */
export const originalSchema = z.object({
  /** Absent for a booking unknown to this journal. */
  payment: z.string().optional(),
  /** The requested gateway id of a booking unknown to this journal. */
  asked: z.string().optional(),
  /** The first payment, where the original is a follow-up itself (a capture, say). */
  root: z.string().optional(),
  /** The first one decides; a void of a reservation reverses increments after it. */
  targets: z.array(targetSchema).min(1),
  /** In a void of a reservation: payments whose increments it reverses too. */
  increments: z.array(z.string()).optional(),
  /** The sale's own capture is open: a void waits for it, or for its withdrawal. */
  capturing: z.literal(true).optional(),
  /** Captures and reversals of a chip payment repeat it (gateway-facts 4.4). */
  card: presentedCardSchema.optional(),
  shown: z
    .object({ brand: z.string(), bin: z.string().optional(), last4: z.string(), entryMode: entryModeSchema })
    .optional(),
});
export type Original = z.infer<typeof originalSchema>;

export const followUpSchema = z.object({
  payment: z.string(),
  type: z.enum(["CAPTURE", "VOID", "LINKED_REFUND", "INCREMENT"]),
  outcome: outcomeSchema,
  /** Minor units; zero for a void. */
  amount: z.int().nonnegative(),
  id: z.string().optional(),
  target: z.string(),
  /** Further bookings that a void reverses, an increment say. */
  besides: z.array(z.string()).optional(),
  /** The gateway was told that no capture follows (`sequence=FINAL`). */
  last: z.literal(true).optional(),
});
export type FollowUp = z.infer<typeof followUpSchema>;
