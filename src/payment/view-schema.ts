import { z } from "zod";
import { entryModeSchema } from "./fact/operation.ts";

/** The register's view (contract, section 3). Types, validation and openrpc.json come from this schema. */
export const paymentTypes = [
  "SALE",
  "PREAUTHORIZATION",
  "REFUND",
  "REGISTRATION",
  "CAPTURE",
  "VOID",
  "LINKED_REFUND",
  "INCREMENT",
] as const;
export type PaymentType = (typeof paymentTypes)[number];
export const states = [
  "CREATED",
  "QUEUED",
  "AWAITING_CARD",
  "AUTHORIZING",
  "COMPLETING",
  "RESOLVING",
  "REVERSING",
  "FINAL",
] as const;
export const outcomes = ["APPROVED", "PARTIALLY_APPROVED", "DECLINED", "CANCELLED", "FAILED"] as const;
const advices = [
  "retry",
  "other-card",
  "use-chip",
  "wait",
  "retry-later",
  "do-not-retry",
  "refund",
  "call-support",
] as const;

const reasonSchema = z.strictObject({ code: z.string(), message: z.string(), advice: z.enum(advices) });
export type Reason = z.infer<typeof reasonSchema>;
export const outcomeSchema = z.enum(outcomes);
export type Outcome = z.infer<typeof outcomeSchema>;

export const paymentViewSchema = z.strictObject({
  id: z.string(),
  reference: z.string(),
  type: z.enum(paymentTypes),
  register: z.string(),
  /** Empty where the payment has none. */
  terminal: z.string(),
  /** The stored card that pays. */
  registration: z.string().optional(),
  cashier: z.string().optional(),
  order: z.string().optional(),
  amount: z.string().optional(),
  currency: z.string(),
  tip: z.string().optional(),
  approvedAmount: z.string().optional(),
  capturedAmount: z.string().optional(),
  refundedAmount: z.string().optional(),
  environment: z.enum(["test", "live"]),
  state: z.enum(states),
  decision: z.enum(["approved", "not-approved"]).optional(),
  outcome: outcomeSchema.optional(),
  reason: reasonSchema.optional(),
  /** `removeCard`: the card must come out as well. */
  prompt: z.strictObject({ code: z.string(), text: z.string(), removeCard: z.literal(true).optional() }).optional(),
  /** The payment link, while it is open. A list omits the SVG image. */
  link: z.strictObject({ url: z.string(), qr: z.string().optional(), validUntil: z.string() }).optional(),
  capture: z.enum(["pending", "captured", "failed"]).optional(),
  review: z.boolean().optional(),
  held: z.boolean().optional(),
  lateBooking: z.boolean().optional(),
  voidedBy: z.string().optional(),
  of: z.string().optional(),
  card: z
    .strictObject({
      brand: z.string(),
      bin: z.string().optional(),
      /** Absent where neither terminal nor gateway shows it. */
      last4: z.string().optional(),
      entryMode: entryModeSchema,
      applicationLabel: z.string().optional(),
      cvm: z.string().optional(),
    })
    .optional(),
  authorization: z
    .strictObject({
      code: z.string().optional(),
      responseCode: z.string().optional(),
      rrn: z.string().optional(),
      merchantId: z.string().optional(),
      /** Both empty without a terminal. */
      terminalId: z.string(),
      sequenceNumber: z.string(),
    })
    .optional(),
  gateway: z
    .strictObject({
      id: z.string().optional(),
      resultCode: z.string().optional(),
      resultDescription: z.string().optional(),
      registrationId: z.string().optional(),
      /** A later `standingInstruction` under this agreement repeats it. */
      initialTransactionId: z.string().optional(),
      agreementId: z.string().optional(),
      attempts: z.array(
        z.strictObject({
          merchantTransactionId: z.string(),
          id: z.string().optional(),
          paymentType: z.string(),
          amount: z.string().optional(),
          resultCode: z.string().optional(),
        }),
      ),
    })
    .optional(),
  emv: z
    .strictObject({
      aid: z.string(),
      applicationLabel: z.string().optional(),
      tvr: z.string().optional(),
      tsi: z.string().optional(),
      cryptogram: z.string().optional(),
      cryptogramType: z.enum(["ARQC", "TC", "AAC"]).optional(),
      arc: z.string().optional(),
    })
    .optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type PaymentView = z.infer<typeof paymentViewSchema>;
