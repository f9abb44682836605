import { currencyOf, type Minor } from "../kit/money.ts";
import type { Agreement, Answer } from "../payment/exchange.ts";
import type { HttpOutcome } from "./http-exchange.ts";
import { issuerAnswerOf } from "./issuer-answer.ts";
import { declineReasonOf, meaningOf } from "./meaning.ts";
import { descriptionOf, parseReply, type Reply, replySchema } from "./reply.ts";
import { schemeAdviceOf } from "./scheme-advice.ts";
import { wantsCardholder } from "./soft-declines.ts";

/** The request, against which an approval is checked. */
export interface Expected {
  readonly environment: "test" | "live";
  readonly paymentType: string;
  /**
   * Minor units. An approval may be for less, never for more. Absent: a full reversal, a registration, or a query for
   * an unknown amount.
   */
  readonly amount?: Minor | undefined;
  readonly currency?: string | undefined;
  readonly merchantTransactionId?: string | undefined;
  /** The registration to delete. */
  readonly referencedId?: string | undefined;
  /** Present for an increment only. */
  readonly industryPractice?: string | undefined;
}

/**
 * The answer to a request (gateway-facts 1.2 and 1.3). The body decides, not the HTTP status. Exception: a 429 without
 * a readable body is a throttle, which says nothing about the payment. Everything that is not clear is `unknown`.
 */
export function answerOf(outcome: HttpOutcome, expected: Expected): Answer {
  switch (outcome.is) {
    case "not-sent":
      return { is: "not-booked", why: "not-sent", resultCode: "", description: outcome.detail };
    case "broken":
      return { is: "unknown", description: outcome.detail };
    case "answered": {
      const reply = parseReply(outcome.body, replySchema);
      if (reply.ok) return answerOfReply(reply.value, expected);
      if (outcome.status === 429) return { is: "throttled", resultCode: "", description: "HTTP 429" };
      return { is: "unknown", description: `HTTP ${outcome.status}: ${reply.problem}` };
    }
  }
}

export function answerOfReply(reply: Reply, expected: Expected): Answer {
  const resultCode = reply.result.code;
  const said = { ...(reply.id !== undefined && { id: reply.id }), resultCode, description: descriptionOf(reply) };
  const issuer = issuerAnswerOf(reply);
  const meaning = meaningOf(resultCode, expected.paymentType);
  const { merchantTransactionId = expected.merchantTransactionId } = reply;
  // A reply mixed up on the way says nothing about this request.
  if (expected.merchantTransactionId !== undefined && merchantTransactionId !== expected.merchantTransactionId)
    return doubt(reply, "answered under another merchantTransactionId");
  switch (meaning) {
    case "approved":
    case "approved-review":
    case "approved-in-test":
      if (meaning === "approved-in-test" && expected.environment === "live")
        return doubt(reply, "A TEST SYSTEM APPROVED IN environment: live, no money moved");
      return approvalOf(reply, expected, meaning === "approved-review");
    case "declined":
      return { is: "declined", ...said, ...declineOf(reply), held: false, issuer };
    case "declined-held":
      return { is: "declined", ...said, ...declineOf(reply), held: true, issuer };
    case "soft-declined":
      return { is: meaning, ...said, issuer };
    case "not-set-up":
      return { is: "not-booked", why: "refused", lacks: "setup", ...said };
    case "not-referable":
      return { is: "not-booked", why: "refused", lacks: "original", ...said };
    case "not-let-in":
      return { is: "not-booked", why: "refused", lacks: "access", ...said };
    case "refused":
    case "not-sent":
    case "gateway-down":
      return { is: "not-booked", why: meaning, ...said };
    case "pending":
    case "throttled":
    case "duplicate":
    case "already-reversed":
    case "not-reversible":
    case "still-pending":
    case "auto-reversed":
    case "half-reversed":
    case "unknown":
      return { is: meaning, ...said };
  }
}

function declineOf(
  reply: Reply,
): Pick<Extract<Answer, { is: "declined" }>, "why" | "schemeAdvice" | "wantsCardholder"> {
  const schemeAdvice = schemeAdviceOf(reply);
  return {
    why: declineReasonOf(reply.result.code),
    ...(schemeAdvice !== undefined && { schemeAdvice }),
    ...(wantsCardholder(reply) && schemeAdvice?.is !== "never-again" && { wantsCardholder: true as const }),
  };
}

/**
 * An approving code is not enough: the reply must be about this request, for at most its amount. The endpoint of a
 * registration or deletion implies the type; a deletion's reply may also omit the id.
 */
function approvalOf(reply: Reply, expected: Expected, review: boolean): Answer {
  const { paymentType, referencedId, currency } = reply;
  const isDeletion = expected.paymentType === "DR";
  const isTypeKnown = isDeletion || expected.paymentType === "RG";
  const id = reply.id ?? (isDeletion ? expected.referencedId : undefined);
  if (id === undefined) return doubt(reply, "approved without an id");
  if (paymentType !== expected.paymentType && !(isTypeKnown && paymentType === undefined))
    return doubt(reply, `approved as ${paymentType ?? "no payment type"} instead of ${expected.paymentType}`);
  if (
    isDeletion &&
    referencedId !== undefined &&
    expected.referencedId !== undefined &&
    referencedId !== expected.referencedId
  )
    return doubt(reply, "approved for another registration than was asked about");
  const amount = amountOf(reply);
  const doubtful = amountDoubt(amount, currency, expected);
  if (doubtful !== undefined) return doubt(reply, doubtful);
  const money = amount === undefined || currency === undefined || isTypeKnown ? {} : { amount, currency };
  const registrationId = expected.paymentType === "RG" ? id : (reply.registrationId ?? reply.registration?.id);
  const registration = registrationId === undefined ? {} : { registrationId };
  const said = { id, resultCode: reply.result.code, description: descriptionOf(reply) };
  return {
    is: "approved",
    ...said,
    ...money,
    review,
    ...registration,
    ...agreementOf(reply),
    issuer: issuerAnswerOf(reply),
  };
}

function agreementOf({ standingInstruction, resultDetails }: Reply): { readonly agreement?: Agreement } {
  const initialTransactionId =
    standingInstruction?.initialTransactionId ?? resultDetails?.CardholderInitiatedTransactionID;
  const agreementId = standingInstruction?.agreementId;
  if (initialTransactionId === undefined && agreementId === undefined) return {};
  return {
    agreement: {
      ...(initialTransactionId !== undefined && { initialTransactionId }),
      ...(agreementId !== undefined && { agreementId }),
    },
  };
}

/**
 * Issuers approve a part of a PA or DB. For the other types, a partial approval is doubtful and the gateway must be
 * queried.
 */
function isWhole({ paymentType, industryPractice }: Expected): boolean {
  return paymentType === "CP" || paymentType === "RF" || paymentType === "CD" || industryPractice !== undefined;
}

function amountDoubt(amount: Minor | undefined, currency: string | undefined, expected: Expected): string | undefined {
  if (expected.paymentType === "RV") return undefined;
  if (expected.paymentType === "RG" || expected.paymentType === "DR")
    return amount === undefined || amount === 0 ? undefined : "a card's registration with an amount";
  if (expected.currency !== undefined && currency !== expected.currency)
    return "approved in another currency, or in none";
  if (amount === undefined) return "approved without a readable amount";
  if (expected.amount === undefined) return undefined;
  if (amount > expected.amount) return "approved for more than was asked for";
  if (amount < expected.amount && isWhole(expected)) return "approved for less than was asked for";
  return amount === 0 && expected.amount > 0 ? "approved for nothing" : undefined;
}

/**
 * Minor units of the reply's amount. The specification writes two decimals for every currency, even for one without
 * decimals.
 */
function amountOf({ amount, currency }: Reply): Minor | undefined {
  const known = currency === undefined ? undefined : currencyOf(currency);
  if (amount === undefined || known === undefined) return undefined;
  const [whole = "", fraction = "00"] = amount.split(".");
  if (known.decimals === 0) return fraction === "00" ? Number(whole) : undefined;
  return Number(whole) * 100 + Number(fraction);
}

/** Approved by its code, but not proven: a query must show the booking. */
function doubt(reply: Reply, why: string): Answer {
  return {
    is: "unknown",
    ...(reply.id !== undefined && { id: reply.id }),
    resultCode: reply.result.code,
    description: `${why} (${descriptionOf(reply)})`,
  };
}
