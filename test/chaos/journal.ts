import { z } from "zod";

/**
 * A payment as `posbridge payments export` prints it, as far as the checker looks at it. What it does not know it
 * leaves alone.
 */
export const journalPaymentSchema = z.object({
  id: z.string(),
  reference: z.string(),
  register: z.string(),
  type: z.string(),
  /** Empty where it has none. */
  terminal: z.string().optional(),
  /** The stored card that pays. */
  registration: z.string().optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  approvedAmount: z.string().optional(),
  capturedAmount: z.string().optional(),
  refundedAmount: z.string().optional(),
  state: z.string(),
  decision: z.string().optional(),
  outcome: z.string().optional(),
  reason: z.object({ code: z.string() }).optional(),
  capture: z.string().optional(),
  held: z.boolean().optional(),
  lateBooking: z.boolean().optional(),
  voidedBy: z.string().optional(),
  card: z.object({ entryMode: z.string() }).optional(),
  gateway: z
    .object({
      attempts: z.array(z.object({ merchantTransactionId: z.string(), paymentType: z.string() })),
      registrationId: z.string().optional(),
    })
    .optional(),
  emv: z.object({ cryptogramType: z.string().optional() }).optional(),
  createdAt: z.string(),
});
export type JournalPayment = z.output<typeof journalPaymentSchema>;

/** `posbridge payments show --json`: besides the payment what an operator has said of it. */
export const shownSchema = journalPaymentSchema.extend({
  resolved: z.object({ as: z.enum(["approved", "reversed", "declined"]), gatewayId: z.string().optional() }).optional(),
});
export type Shown = z.output<typeof shownSchema>;

/** A row of `posbridge payments list --json`; `owed` and `mend` stand in the list of the open ones. */
const listedSchema = z.object({
  id: z.string(),
  reference: z.string(),
  register: z.string(),
  state: z.string(),
  outcome: z.string().optional(),
  owed: z.string().optional(),
  mend: z.string().optional(),
});
export type Listed = z.output<typeof listedSchema>;

export const pageSchema = z.object({ payments: z.array(listedSchema), next: z.string().optional() });
