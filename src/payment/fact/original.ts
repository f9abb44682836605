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
  /** The gateway id that the register named for such a booking. */
  asked: z.string().optional(),
  /** The first payment, where the original is a follow-up itself (a capture, say). */
  root: z.string().optional(),
  /** The first booking decides. A void reverses the others after it (decision 15). */
  targets: z.array(targetSchema).min(1),
  /** Payments of the increments that a void of a reservation reverses too. */
  increments: z.array(z.string()).optional(),
  /** The sale's own capture is open: a void waits until it is done or stopped. */
  capturing: z.literal(true).optional(),
  /** Chip data that captures, refunds and reversals repeat. */
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
  /** Further bookings that a void reverses, such as increments. */
  besides: z.array(z.string()).optional(),
  /** The capture went with `sequence=FINAL`: no other one follows. */
  last: z.literal(true).optional(),
});
export type FollowUp = z.infer<typeof followUpSchema>;
