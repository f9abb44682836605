import { z } from "zod";
import { outcomeSchema } from "../view-schema.ts";
import { entryModeSchema, gatewayPaymentTypeSchema, presentedCardSchema } from "./operation.ts";

export const targetSchema = z.object({
  id: z.string(),
  paymentType: gatewayPaymentTypeSchema,
  /** Minor units. */
  amount: z.int().nonnegative(),
});
export type Target = z.infer<typeof targetSchema>;

/** As it stood when the follow-up was accepted: a restart must find the same request in the follow-up's own facts. */
export const originalSchema = z.object({
  /** Absent for a booking unknown to this journal: then `asked` is the gateway id that the register named. */
  payment: z.string().optional(),
  asked: z.string().optional(),
  /**
   * The payment that began the chain, if the original is a follow-up itself (a capture, say): it knows all follow-ups.
   */
  root: z.string().optional(),
  /**
   * A void reverses the first booking before the others, such as increments: if the first is refused, nothing was
   * reversed (decision 15).
   */
  targets: z.array(targetSchema).min(1),
  increments: z.array(z.string()).optional(),
  /** The sale's own capture is open. A void waits until it is done or stopped. */
  capturing: z.literal(true).optional(),
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
  besides: z.array(z.string()).optional(),
  last: z.literal(true).optional(),
});
export type FollowUp = z.infer<typeof followUpSchema>;
