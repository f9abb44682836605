import { z } from "zod";
import { isLoopback } from "../kit/loopback.ts";
import type { Answer, LinkSight } from "../payment/exchange.ts";
import type { HttpOutcome } from "./http-exchange.ts";
import { descriptionOf, parseReply, replySchema } from "./reply.ts";
import { classOf } from "./result-codes.ts";
import { answerOf } from "./verdict.ts";

/** Longest address of a link, in bytes of UTF-8; a QR code holds little more. */
const MAX_URL_BYTES = 2048;
const id = z.string().regex(/^[A-Za-z0-9]{1,64}$/);

const madeSchema = replySchema.extend({
  id,
  link: z.string().refine((url) => new TextEncoder().encode(url).length <= MAX_URL_BYTES),
});

/**
 * The answer to the request for a link (gateway-facts 5). It needs an id, an address that is safe for a customer, and a
 * code of an open session (000.200) or a success. No money has moved.
 */
export function linkAnswerOf(outcome: HttpOutcome, environment: "test" | "live"): Answer {
  const answer = answerOf(outcome, { environment, paymentType: "DB" });
  if (outcome.is !== "answered") return answer;
  const made = parseReply(outcome.body, madeSchema);
  const codeClass = made.ok ? classOf(made.value.result.code) : "unmatched";
  if (made.ok && (codeClass === "pending-session" || codeClass === "success")) {
    const said = { id: made.value.id, resultCode: made.value.result.code, description: descriptionOf(made.value) };
    return isSafe(made.value.link)
      ? { is: "link", ...said, url: made.value.link }
      : { is: "unknown", ...said, description: "a link whose address is not https" };
  }
  // The request was for a link, so nothing can be booked or partly reversed.
  if (
    answer.is !== "approved" &&
    answer.is !== "pending" &&
    answer.is !== "half-reversed" &&
    answer.is !== "auto-reversed"
  )
    return answer;
  return { is: "unknown", resultCode: answer.resultCode, description: `no link in the reply (${answer.description})` };
}

function isSafe(link: string): boolean {
  const url = URL.parse(link);
  return url !== null && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)));
}

const READ = /^000\./;
const THROTTLED = "800.120.100";

const sightSchema = z.object({
  result: replySchema.shape.result,
  paymentLinks: z
    .array(
      z.object({
        id: id.optional().catch(""),
        status: z.string().max(64),
        transactionId: id.optional().catch(undefined),
      }),
    )
    .max(1000)
    .optional(),
});

/** The state of a link. An unknown state is no answer: a query shows the bookings in any case. */
export function linkSightOf(outcome: HttpOutcome, link: string): LinkSight {
  if (outcome.is !== "answered") return { is: "no-answer", description: outcome.detail };
  const read = parseReply(outcome.body, sightSchema);
  if (!read.ok)
    return outcome.status === 429
      ? { is: "throttled" }
      : { is: "no-answer", description: `HTTP ${outcome.status}: ${read.problem}` };
  const { result, paymentLinks = [] } = read.value;
  if (result.code === THROTTLED) return { is: "throttled" };
  const [first, ...others] = paymentLinks;
  // The link was queried by id. An entry that repeats the id is not published (gateway-facts 5).
  const isUnnamed = first !== undefined && first.id === undefined && others.length === 0;
  const found = isUnnamed ? first : paymentLinks.find((one) => one.id === link);
  if (!READ.test(result.code) || found === undefined)
    return { is: "no-answer", description: `${result.code} ${descriptionOf(read.value)}`.trim() };
  return sightOf(found.status, found.transactionId);
}

/**
 * The gateway publishes no list of states; these are known (gateway-facts 5). `PENDING`: the customer is paying now.
 */
function sightOf(status: string, transactionId: string | undefined): LinkSight {
  switch (status.toUpperCase()) {
    case "CREATED":
      return { is: "open", opened: false };
    case "OPENED":
    case "PENDING":
      return { is: "open", opened: true };
    case "PAID":
      return { is: "paid", ...(transactionId !== undefined && { transactionId }) };
    case "EXPIRED":
      return { is: "expired" };
    default:
      return { is: "no-answer", description: "the link is in a state that this version does not know" };
  }
}
