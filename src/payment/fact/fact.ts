import { z } from "zod";
import { outcomeSchema, paymentTypes } from "../view-schema.ts";
import { answerSchema, linkSightSchema, searchResultSchema } from "./answer.ts";
import { askSchema, interfaceSchema } from "./entry-request.ts";
import { channelSchema, deviceSchema, entryModeSchema, operationSchema } from "./operation.ts";
import { followUpSchema, originalSchema, targetSchema } from "./original.ts";
import { parametersSchema } from "./parameters.ts";

/**
 * What happened to a payment, as the journal keeps it for ever. Times are epoch milliseconds. A field once written
 * keeps its meaning; new ones are optional.
 */
const at = z.int();

/**
 * Time limits in milliseconds, fixed when the payment is accepted, so that a restart with another configuration judges
 * it by its own.
 */
const rulesSchema = z.object({
  cardMs: z.int(),
  pinMs: z.int(),
  hostAnswerMs: z.int(),
  /** How long this terminal's model waits for the host with a card in it. */
  hostWaitMs: z.int(),
  unknownWindowMs: z.int(),
  /** When a card whose chip cannot be read may be swiped; absent: never. */
  fallback: z.object({ allowed: z.boolean(), chipTries: z.int(), withinMs: z.int() }).optional(),
});
export type Rules = z.infer<typeof rulesSchema>;

/** Printable EMV data (emv/receipt-data). */
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
  /** Clear, allow-listed EMV objects for pos.iccDataRequest, upper-case hexadecimal; empty where the card has none. */
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
  /** Empty where there is none (card-present.ts). */
  terminal: z.string(),
  /**
   * The stored card that pays, by the gateway's id of its registration; absent where a card is presented, and in
   * follow-ups.
   */
  registration: z.string().optional(),
  /** The customer pays by a link on his own phone: until when that is wanted. */
  link: z.object({ until: z.int() }).optional(),
  /** Minor units; nothing for a registration. */
  amount: z.int().nonnegative(),
  currency: z.string(),
  tip: z.int().nonnegative().optional(),
  entryModes: z.array(z.enum(["chip", "contactless", "magstripe", "manual"])).optional(),
  allowPartialApproval: z.boolean(),
  createRegistration: z.literal(true).optional(),
  /** How often a reservation may be captured, as its register said. */
  numberOfCaptures: z.int().positive().optional(),
  /** Of a stored card that has none: its holder, for this payment alone. */
  holder: z.string().optional(),
  /**
   * Ways a card may be presented: what the terminal has and the register allows. Absent in follow-ups, which need no
   * card.
   */
  interfaces: z.array(interfaceSchema).optional(),
  /** The terminal can take a PIN for a card that was tapped and is gone. */
  pinAfterTap: z.literal(true).optional(),
  /** A capture after which nothing of its reservation is left, or may be captured. */
  last: z.literal(true).optional(),
  /** What a capture, void, refund or increment is about. */
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
  /** The link's state as the gateway told it, where that is not what it told before. */
  z.object({ fact: z.literal("link-seen"), at, sight: linkSightSchema }),
  z.object({ fact: z.literal("issuer-told"), at, issuer: issuerResponseSchema }),
  /** `removed`: the chip was not in the slot any more, and said nothing. */
  z.object({
    fact: z.literal("card-finished"),
    at,
    verdict: z.enum(["approved", "declined", "read"]),
    chip: chipDataSchema,
    /**
     * As the card's `icc`, with the TC that it has said now in place of the ARQC. Absent where it said none, or nothing
     * of it is clear.
     */
    icc: z.string().optional(),
    removed: z.literal(true).optional(),
  }),
  z.object({ fact: z.literal("card-lost"), at, detail: z.string() }),
  z.object({ fact: z.literal("signature-judged"), at, accepted: z.boolean() }),
  z.object({ fact: z.literal("interrupted"), at }),
  /** On a capture, void, refund or increment: what it refers to, once that cannot change any more. */
  z.object({ fact: z.literal("original-known"), at, targets: z.array(targetSchema) }),
  z.object({ fact: z.literal("original-told"), at }),
  /** On an original: its own capture is not posted any more, because the payment named voids it. */
  z.object({ fact: z.literal("capture-withdrawn"), at, by: z.string() }),
  /** On an original: a capture, void, refund or increment of it came to its end. */
  z.object({ fact: z.literal("followed"), at, by: followUpSchema }),
  /** An operator closed what the gateway could not tell anything about. */
  z.object({
    fact: z.literal("resolved"),
    at,
    as: z.enum(["reversed", "approved", "declined"]),
    by: z.string(),
    reason: z.string(),
    gatewayId: z.string().optional(),
    /** What had been booked on the booking that he names, by its id alone, before it was known to be this payment's. */
    followed: z.array(followUpSchema).optional(),
  }),
  z.object({ fact: z.literal("ending"), at, outcome: z.enum(["DECLINED", "CANCELLED", "FAILED"]), reason: z.string() }),
  z.object({ fact: z.literal("concluded"), at, outcome: outcomeSchema }),
  z.object({ fact: z.literal("released"), at }),
]);
export type Fact = z.infer<typeof factSchema>;
