import { z } from "zod";
import { outcomeSchema, paymentTypes } from "../view-schema.ts";
import { answerSchema, linkSightSchema, searchResultSchema } from "./answer.ts";
import { askSchema, interfaceSchema } from "./entry-request.ts";
import { channelSchema, deviceSchema, entryModeSchema, operationSchema } from "./operation.ts";
import { followUpSchema, originalSchema, targetSchema } from "./original.ts";
import { parametersSchema } from "./parameters.ts";

/**
 * The journal keeps facts for ever: a field keeps its meaning, a new one is optional. Times are epoch milliseconds,
 * amounts minor units.
 */
const at = z.int();

/** Milliseconds, fixed at acceptance: another configuration must not end a running unknown window early. */
const rulesSchema = z.object({
  cardMs: z.int(),
  pinMs: z.int(),
  hostAnswerMs: z.int(),
  hostWaitMs: z.int(),
  unknownWindowMs: z.int(),
  fallback: z.object({ allowed: z.boolean(), chipTries: z.int(), withinMs: z.int() }).optional(),
});
export type Rules = z.infer<typeof rulesSchema>;

const chipDataSchema = z.object({
  aid: z.string().optional(),
  applicationLabel: z.string().optional(),
  tvr: z.string().optional(),
  tsi: z.string().optional(),
  cryptogram: z.string().optional(),
  cryptogramType: z.enum(["ARQC", "TC", "AAC"]).optional(),
  arc: z.string().optional(),
  cvm: z.string().optional(),
  panSequenceNumber: z.string().optional(),
  transactionSequenceNumber: z.string().optional(),
});
export type ChipData = z.infer<typeof chipDataSchema>;

const cardReadSchema = z.object({
  entryMode: entryModeSchema,
  decision: z.enum(["online", "approved-offline", "declined-offline"]),
  brand: z.string(),
  bin: z.string().optional(),
  last4: z.string(),
  /**
   * Clear EMV objects for pos.iccDataRequest, in hexadecimal. Empty after a swipe, typed number or magstripe-mode tap,
   * or if the device encrypts them.
   */
  icc: z.string(),
  chip: chipDataSchema,
  pinEntered: z.boolean(),
});
export type CardRead = z.infer<typeof cardReadSchema>;

const issuerResponseSchema = z.object({
  verdict: z.enum(["approved", "declined", "unable-to-go-online"]),
  arc: z.string(),
  authentication: z.string().optional(),
  scripts: z.array(z.object({ tag: z.enum(["71", "72"]), value: z.string() })),
});

const noCardSchema = z.enum([
  "chip-unreadable",
  "not-supported",
  "blocked",
  "removed",
  "timeout",
  "pin-timeout",
  "use-chip",
]);

const acceptedSchema = z.object({
  fact: z.literal("accepted"),
  at,
  id: z.string(),
  reference: z.string(),
  register: z.string(),
  type: z.enum(paymentTypes),
  terminal: z.string(),
  registration: z.string().optional(),
  /** `until`: when it expires. */
  link: z.object({ until: z.int() }).optional(),
  amount: z.int().nonnegative(),
  currency: z.string(),
  tip: z.int().nonnegative().optional(),
  entryModes: z.array(z.enum(["chip", "contactless", "magstripe", "manual"])).optional(),
  allowPartialApproval: z.boolean(),
  createRegistration: z.literal(true).optional(),
  numberOfCaptures: z.int().positive().optional(),
  holder: z.string().optional(),
  interfaces: z.array(interfaceSchema).optional(),
  pinAfterTap: z.literal(true).optional(),
  last: z.literal(true).optional(),
  of: originalSchema.optional(),
  cashier: z.string().optional(),
  order: z.string().optional(),
  expiresAt: z.int().optional(),
  parameters: parametersSchema,
  fingerprint: z.string(),
  channel: channelSchema,
  device: deviceSchema,
  rules: rulesSchema,
});
export type Accepted = z.infer<typeof acceptedSchema>;

export const factSchema = z.discriminatedUnion("fact", [
  acceptedSchema,
  z.object({ fact: z.literal("queued"), at }),
  z.object({ fact: z.literal("collecting"), at, ask: askSchema.optional() }),
  z.object({ fact: z.literal("card-presented"), at, card: cardReadSchema }),
  z.object({ fact: z.literal("card-failed"), at, why: noCardSchema }),
  z.object({ fact: z.literal("collecting-cancelled"), at, by: z.enum(["customer", "register"]) }),
  z.object({ fact: z.literal("pin-asked"), at }),
  z.object({ fact: z.literal("pin-entered"), at }),
  z.object({ fact: z.literal("terminal-failed"), at, code: z.string(), detail: z.string() }),
  z.object({ fact: z.literal("cancel-asked"), at }),
  z.object({ fact: z.literal("attempt-intended"), at, operation: operationSchema }),
  z.object({ fact: z.literal("attempt-answered"), at, merchantTransactionId: z.string(), answer: answerSchema }),
  z.object({ fact: z.literal("attempt-searched"), at, merchantTransactionId: z.string(), result: searchResultSchema }),
  z.object({ fact: z.literal("link-seen"), at, sight: linkSightSchema }),
  z.object({ fact: z.literal("issuer-told"), at, issuer: issuerResponseSchema }),
  /**
   * `removed`: the chip card left the slot before the second GENERATE AC. It has not declined, so the payment ends
   * CANCELLED, not DECLINED.
   */
  z.object({
    fact: z.literal("card-finished"),
    at,
    verdict: z.enum(["approved", "declined", "read"]),
    chip: chipDataSchema,
    icc: z.string().optional(),
    removed: z.literal(true).optional(),
  }),
  z.object({ fact: z.literal("card-lost"), at, detail: z.string() }),
  z.object({ fact: z.literal("signature-judged"), at, accepted: z.boolean() }),
  z.object({ fact: z.literal("interrupted"), at }),
  /** In a void: the bookings to reverse cannot change any more. */
  z.object({ fact: z.literal("original-known"), at, targets: z.array(targetSchema) }),
  z.object({ fact: z.literal("original-told"), at }),
  /** In a sale: the void `by` stops its capture. */
  z.object({ fact: z.literal("capture-withdrawn"), at, by: z.string() }),
  z.object({ fact: z.literal("followed"), at, by: followUpSchema }),
  z.object({
    fact: z.literal("resolved"),
    at,
    as: z.enum(["reversed", "approved", "declined"]),
    by: z.string(),
    reason: z.string(),
    gatewayId: z.string().optional(),
    /**
     * Follow-ups of `gatewayId` before an operator named it as this payment's booking: they count, lest an amount is
     * refunded twice.
     */
    followed: z.array(followUpSchema).optional(),
  }),
  z.object({ fact: z.literal("ending"), at, outcome: z.enum(["DECLINED", "CANCELLED", "FAILED"]), reason: z.string() }),
  z.object({ fact: z.literal("concluded"), at, outcome: outcomeSchema }),
  z.object({ fact: z.literal("released"), at }),
]);
export type Fact = z.infer<typeof factSchema>;
