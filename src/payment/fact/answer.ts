import { z } from "zod";

/** Why an issuer or the gateway said no, in the register API's words (contract, section 3, `reason.code`). */
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

/** What the card's scheme advises with a decline. `hours`: not before so many have gone by. */
const schemeAdviceSchema = z.discriminatedUnion("is", [
  z.object({ is: z.literal("never-again") }),
  z.object({ is: z.literal("agreement-ended") }),
  z.object({ is: z.literal("new-card-data") }),
  z.object({ is: z.literal("later"), hours: z.int().positive().optional() }),
]);
export type SchemeAdvice = z.infer<typeof schemeAdviceSchema>;

/** What every reply of the gateway says besides its verdict. */
const said = {
  id: z.string().optional(),
  resultCode: z.string(),
  description: z.string(),
};

/** What the issuer sent back for card and receipt (specification, "Point of sale", response fields). */
const issuerAnswerSchema = z.object({
  /** pos.iccDataResponse, upper-case hexadecimal TLV: 8A, 91, 71, 72. */
  iccDataResponse: z.string().optional(),
  approvalCode: z.string().optional(),
  responseCode: z.string().optional(),
  rrn: z.string().optional(),
  merchantId: z.string().optional(),
  /** First six and last four digits of the card's number, for a terminal that shows less of it. */
  bin: z.string().optional(),
  last4: z.string().optional(),
});
export type IssuerAnswer = z.infer<typeof issuerAnswerSchema>;

/** What later payments of the same agreement have to name (specification, "Card on file"). */
const agreementSchema = z.object({ initialTransactionId: z.string().optional(), agreementId: z.string().optional() });
export type Agreement = z.infer<typeof agreementSchema>;

/**
 * One operation's outcome, read from the gateway's body alone (never from the HTTP status). Closed: whatever is not
 * clearly something else is `unknown`.
 * - `approved`: right payment type, an id, and an amount (RV, RG and DR name none); `registrationId` where a registration was made besides;
 * - `link`: a link was made that the customer may pay, under this id and address: no money has moved yet;
 * - `declined`: refused by issuer, risk or acquirer; nothing booked (but see `held`); `wantsCardholder`: of a tap the issuer would have more (another.ts);
 * - `soft-declined`: the issuer wants the cardholder authenticated;
 * - `pending`: booked perhaps, decided later;
 * - `not-booked`: nothing reached the acquirer: the connection was never made, or the gateway refused the request as
 * such, because its channel is not set up for what was
 *   asked for (`lacks: "setup"`), because it does not let the bridge in (`lacks: "access"`: its token, key or address),
 * because of the booking that it refers to, which is not
 *   there or of which too little is left (`lacks: "original"`), or for another reason; `tooLate`: the gateway was not even asked, because nobody waits for it any more;
 * - `throttled`: says nothing about the payment;
 * - `duplicate`: the gateway has seen this request before, or a purchase like it: what became of the first is the answer, whatever its own row says;
 * - `already-reversed`, `not-reversible`, `still-pending`: answers to CP, RV and RF alone, the first also to DR, where it means that no such registration is there;
 * - `auto-reversed`: the gateway timed out and took its booking back (900.100.301), to be confirmed by a query;
 * - `half-reversed`: it tried and failed (000.400.030): money may be held; of a reversal or refund also that it was of a part, which `reversed` then names;
 * - `unknown`: no answer, half an answer, or one that this table does not know.
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
  z.object({ is: z.literal("link"), ...said, id: z.string(), url: z.string() }),
  z.object({
    is: z.literal("declined"),
    ...said,
    why: declineReasonSchema,
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
    lacks: z.enum(["setup", "access", "original"]).optional(),
    tooLate: z.literal(true).optional(),
    ...said,
  }),
  z.object({ is: z.literal("throttled"), ...said }),
  z.object({ is: z.literal("duplicate"), ...said }),
  z.object({ is: z.literal("already-reversed"), ...said }),
  /**
   * `certain`: because of its type, its age or the channel, and not of how it stands, which the first of two arrivals
   * may have changed.
   */
  z.object({ is: z.literal("not-reversible"), ...said, certain: z.literal(true).optional() }),
  z.object({ is: z.literal("still-pending"), ...said }),
  z.object({ is: z.literal("auto-reversed"), ...said }),
  /**
   * `reversed`: minor units that a reversal, or a refund in its place, gave back, where it named them and they are less
   * than was to be.
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

/** One booking that a query showed. */
const foundSchema = z.object({
  id: z.string(),
  merchantTransactionId: z.string().optional(),
  referencedId: z.string().optional(),
  paymentType: z.string(),
  answer: answerSchema,
});
export type Found = z.infer<typeof foundSchema>;

/**
 * What a query said. `absent`: this entity knows nothing of it now, which is no proof yet. `not-asked`: a fact of
 * earlier versions, which changes nothing.
 */
export const searchResultSchema = z.discriminatedUnion("is", [
  z.object({ is: z.literal("found"), bookings: z.array(foundSchema).readonly() }),
  z.object({ is: z.literal("absent") }),
  z.object({ is: z.literal("throttled") }),
  z.object({ is: z.literal("no-answer"), description: z.string() }),
  z.object({ is: z.literal("not-asked") }),
]);
export type SearchResult = z.infer<typeof searchResultSchema>;

/**
 * What the gateway tells of a link (gateway-facts 5). Only a hint: what was booked by it is what a query shows.
 * - `open`: it may be paid; `opened`: somebody has it on a screen; - `paid`, with the gateway's id of the booking where
 * it names one; - `expired`: it takes no payment any more.
 */
export const linkSightSchema = z.discriminatedUnion("is", [
  z.object({ is: z.literal("open"), opened: z.boolean() }),
  z.object({ is: z.literal("paid"), transactionId: z.string().optional() }),
  z.object({ is: z.literal("expired") }),
  z.object({ is: z.literal("throttled") }),
  z.object({ is: z.literal("no-answer"), description: z.string() }),
]);
export type LinkSight = z.infer<typeof linkSightSchema>;
