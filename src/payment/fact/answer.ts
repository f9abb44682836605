import { z } from "zod";

const declineReasonSchema = z.enum([
  ...[
    "host-declined",
    "wrong-pin",
    "pin-tries-exceeded",
    "insufficient-funds",
    "expired-card",
    "blocked-card",
    "card-not-stored",
    "retry-blocked",
  ],
] as const);
export type DeclineReason = z.infer<typeof declineReasonSchema>;

const schemeAdviceSchema = z.discriminatedUnion("is", [
  z.object({ is: z.literal("never-again") }),
  z.object({ is: z.literal("agreement-ended") }),
  z.object({ is: z.literal("new-card-data") }),
  z.object({ is: z.literal("later"), hours: z.int().positive().optional() }),
]);
export type SchemeAdvice = z.infer<typeof schemeAdviceSchema>;

const said = {
  id: z.string().optional(),
  resultCode: z.string(),
  description: z.string(),
};

/** Specification, "Point of sale", response fields. Acquirers differ in what they send. */
const issuerAnswerSchema = z.object({
  /** Upper-case hexadecimal TLV with 8A, 91, 71 and 72, which the card needs for the second GENERATE AC. */
  iccDataResponse: z.string().optional(),
  approvalCode: z.string().optional(),
  responseCode: z.string().optional(),
  rrn: z.string().optional(),
  merchantId: z.string().optional(),
  bin: z.string().optional(),
  last4: z.string().optional(),
});
export type IssuerAnswer = z.infer<typeof issuerAnswerSchema>;

const agreementSchema = z.object({ initialTransactionId: z.string().optional(), agreementId: z.string().optional() });
export type Agreement = z.infer<typeof agreementSchema>;

/**
 * `not-booked`: nothing reached the acquirer. `duplicate`: the first copy's outcome counts. `still-pending`: the
 * original is undecided. `auto-reversed`: 900.100.301. `half-reversed`: perhaps (000.400.030) or partly reversed.
 * `unknown`: an unclear reply, which may be booked (docs/gateway.md).
 */
export const answerSchema = z.discriminatedUnion("is", [
  z.object({
    is: z.literal("approved"),
    ...said,
    id: z.string(),
    amount: z.int().nonnegative().optional(),
    currency: z.string().optional(),
    review: z.boolean(),
    registrationId: z.string().optional(),
    agreement: agreementSchema.optional(),
    issuer: issuerAnswerSchema,
  }),
  /** A payment link was made. No money moves until a customer pays by it, so the request stays open. */
  z.object({ is: z.literal("link"), ...said, id: z.string(), url: z.string() }),
  z.object({
    is: z.literal("declined"),
    ...said,
    why: declineReasonSchema,
    /**
     * The issuer keeps the declined amount reserved for days (800.100.192, 800.400.110). No second PIN is asked for,
     * which might reserve it twice.
     */
    held: z.boolean(),
    schemeAdvice: schemeAdviceSchema.optional(),
    wantsCardholder: z.literal(true).optional(),
    issuer: issuerAnswerSchema,
  }),
  z.object({ is: z.literal("soft-declined"), ...said, issuer: issuerAnswerSchema }),
  z.object({ is: z.literal("pending"), ...said }),
  z.object({
    is: z.literal("not-booked"),
    why: z.enum(["not-sent", "refused", "gateway-down"]),
    /** What the gateway misses: the channel's setup, the bridge's access, or an original that allows this amount. */
    lacks: z.enum(["setup", "access", "original"]).optional(),
    tooLate: z.literal(true).optional(),
    ...said,
  }),
  z.object({ is: z.literal("throttled"), ...said }),
  z.object({ is: z.literal("duplicate"), ...said }),
  /**
   * The booking is already reversed, captured or refunded (700.300.300, 700.400.300): nothing is left of it. To a DR:
   * there is no such registration.
   */
  z.object({ is: z.literal("already-reversed"), ...said }),
  z.object({ is: z.literal("not-reversible"), ...said }),
  z.object({ is: z.literal("still-pending"), ...said }),
  z.object({ is: z.literal("auto-reversed"), ...said }),
  /**
   * `reversed`: minor units, if only a part was reversed. Absent: the gateway does not know whether its reversal worked
   * (000.400.030).
   */
  z.object({ is: z.literal("half-reversed"), ...said, reversed: z.int().nonnegative().optional() }),
  z.object({
    is: z.literal("unknown"),
    id: z.string().optional(),
    resultCode: z.string().optional(),
    description: z.string(),
  }),
]);
export type Answer = z.infer<typeof answerSchema>;

const foundSchema = z.object({
  id: z.string(),
  merchantTransactionId: z.string().optional(),
  referencedId: z.string().optional(),
  paymentType: z.string(),
  answer: answerSchema,
});
export type Found = z.infer<typeof foundSchema>;

/**
 * `absent` alone proves nothing: queries may show a booking late (decision 7). `not-asked` is in old journals only, and
 * has no effect.
 */
export const searchResultSchema = z.discriminatedUnion("is", [
  z.object({ is: z.literal("found"), bookings: z.array(foundSchema).readonly() }),
  z.object({ is: z.literal("absent") }),
  z.object({ is: z.literal("throttled") }),
  z.object({ is: z.literal("no-answer"), description: z.string() }),
  z.object({ is: z.literal("not-asked") }),
]);
export type SearchResult = z.infer<typeof searchResultSchema>;

/** `paid` is not yet an approval: only a query shows the booking. `opened`: the customer has opened the link's page. */
export const linkSightSchema = z.discriminatedUnion("is", [
  z.object({ is: z.literal("open"), opened: z.boolean() }),
  z.object({ is: z.literal("paid"), transactionId: z.string().optional() }),
  z.object({ is: z.literal("expired") }),
  z.object({ is: z.literal("throttled") }),
  z.object({ is: z.literal("no-answer"), description: z.string() }),
]);
export type LinkSight = z.infer<typeof linkSightSchema>;
