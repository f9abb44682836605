import { z } from "zod";

/** Codes of `reason.code` in the register API. */
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

/** `hours`: how long to wait before another try. */
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

/** Specification, "Point of sale", response fields. */
const issuerAnswerSchema = z.object({
  /** pos.iccDataResponse, upper-case hexadecimal TLV: 8A, 91, 71, 72. */
  iccDataResponse: z.string().optional(),
  approvalCode: z.string().optional(),
  responseCode: z.string().optional(),
  rrn: z.string().optional(),
  merchantId: z.string().optional(),
  /** The card's first and last digits: a terminal may show fewer. */
  bin: z.string().optional(),
  last4: z.string().optional(),
});
export type IssuerAnswer = z.infer<typeof issuerAnswerSchema>;

/** Later payments of the agreement must name it (specification, "Card on file"). */
const agreementSchema = z.object({ initialTransactionId: z.string().optional(), agreementId: z.string().optional() });
export type Agreement = z.infer<typeof agreementSchema>;

/**
 * An unclear reply is `unknown` (docs/gateway.md). `not-booked`: the acquirer got nothing; `duplicate`: the outcome of
 * the other copy counts; `still-pending`: the original is not decided; `auto-reversed`: 900.100.301; `half-reversed`:
 * 000.400.030, or a reversal of a part.
 */
export const answerSchema = z.discriminatedUnion("is", [
  z.object({
    is: z.literal("approved"),
    ...said,
    id: z.string(),
    /** RV, RG and DR need not name it. */
    amount: z.int().nonnegative().optional(),
    currency: z.string().optional(),
    review: z.boolean(),
    registrationId: z.string().optional(),
    agreement: agreementSchema.optional(),
    issuer: issuerAnswerSchema,
  }),
  /** A payment link was made; no money has moved. */
  z.object({ is: z.literal("link"), ...said, id: z.string(), url: z.string() }),
  z.object({
    is: z.literal("declined"),
    ...said,
    why: declineReasonSchema,
    /** The issuer declined but keeps the amount reserved for days (800.100.192, 800.400.110). */
    held: z.boolean(),
    schemeAdvice: schemeAdviceSchema.optional(),
    /** The issuer wants a PIN or the chip. `isSoftDecline` heeds it only after a tap. */
    wantsCardholder: z.literal(true).optional(),
    issuer: issuerAnswerSchema,
  }),
  z.object({ is: z.literal("soft-declined"), ...said, issuer: issuerAnswerSchema }),
  z.object({ is: z.literal("pending"), ...said }),
  z.object({
    is: z.literal("not-booked"),
    why: z.enum(["not-sent", "refused", "gateway-down"]),
    /**
     * The refusal's cause: the channel's setup, the bridge's access (token, key, address), or too little left of the
     * original.
     */
    lacks: z.enum(["setup", "access", "original"]).optional(),
    /** The bridge did not send it: nobody waits for it any more. */
    tooLate: z.literal(true).optional(),
    ...said,
  }),
  z.object({ is: z.literal("throttled"), ...said }),
  z.object({ is: z.literal("duplicate"), ...said }),
  /** Also captured or refunded (700.300.300, 700.400.300). To a DR: there is no such registration. */
  z.object({ is: z.literal("already-reversed"), ...said }),
  z.object({ is: z.literal("not-reversible"), ...said }),
  z.object({ is: z.literal("still-pending"), ...said }),
  z.object({ is: z.literal("auto-reversed"), ...said }),
  /** `reversed`: minor units, if only a part was reversed; absent: unknown. */
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

/** `absent` alone proves nothing (decision 7). `not-asked`: only in old journals, without effect. */
export const searchResultSchema = z.discriminatedUnion("is", [
  z.object({ is: z.literal("found"), bookings: z.array(foundSchema).readonly() }),
  z.object({ is: z.literal("absent") }),
  z.object({ is: z.literal("throttled") }),
  z.object({ is: z.literal("no-answer"), description: z.string() }),
  z.object({ is: z.literal("not-asked") }),
]);
export type SearchResult = z.infer<typeof searchResultSchema>;

/** Only a query shows the booking of a paid link. `opened`: the customer has opened its page. */
export const linkSightSchema = z.discriminatedUnion("is", [
  z.object({ is: z.literal("open"), opened: z.boolean() }),
  z.object({ is: z.literal("paid"), transactionId: z.string().optional() }),
  z.object({ is: z.literal("expired") }),
  z.object({ is: z.literal("throttled") }),
  z.object({ is: z.literal("no-answer"), description: z.string() }),
]);
export type LinkSight = z.infer<typeof linkSightSchema>;
