import type { Gateway, GatewayOrder, GatewaySearch } from "../engine/ports.ts";
import type { Clock } from "../kit/clock.ts";
import { isGatewayId } from "../kit/ids.ts";
import type { Secret } from "../kit/secret.ts";
import type { Answer } from "../payment/exchange.ts";
import { gatewayBase } from "./base-url.ts";
import { resultCodeIn } from "./exchange-failure.ts";
import { encodeForm, type FormFields, lengthsOf } from "./form.ts";
import type { HttpExchange, HttpOutcome, HttpRequest } from "./http-exchange.ts";
import { linkAnswerOf, linkSightOf } from "./links.ts";
import { paymentForm } from "./payment-form.ts";
import { searchResultOf } from "./query-reply.ts";
import { answerOf, type Expected } from "./verdict.ts";

/** A pino logger fits. */
export interface GatewayLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface GatewayPorts {
  readonly http: HttpExchange;
  /** Ends with a slash; https, or http on loopback. */
  readonly baseUrl: string;
  /** Read for each request, because the token may be replaced. */
  readonly accessToken: Secret<string>;
  readonly clock: Clock;
  readonly log: GatewayLog;
}

/** Most redirects (HTTP 307) that one request follows. */
const MAX_REDIRECTS = 3;

interface Sending {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the base URL, without the query. */
  readonly path: string;
  /** The path for the log. A link's id must not reach the log: its address can be derived from it. */
  readonly loggedPath?: string;
  readonly query: string;
  readonly body?: Secret<string>;
  /** Length of each field's value, by name, for the log. */
  readonly lengths: Readonly<Record<string, number>>;
}

/** `merchantTransactionId` names the request in the log; empty if the request has no name. */
interface Errand {
  readonly merchantTransactionId: string;
  readonly deadlineMs: number;
}

/**
 * The gateway as the engine sees it. One request a call: the payment decides about repetitions. No call rejects. Throws
 * a RangeError for an invalid base URL (base-url.ts).
 */
export function createGateway(on: GatewayPorts): Gateway {
  const base = gatewayBase(on.baseUrl);
  return {
    reaches: () => true,
    warm: () => on.http.warm(),
    post: async (order, deadlineMs) => {
      const form = paymentForm(order);
      if (!form.ok) return refusedHere(on, order, form.problems);
      const { merchantTransactionId, link } = order.operation;
      const outcome = await send(on, base, form, { merchantTransactionId, deadlineMs });
      return link === undefined
        ? answerOf(outcome, expectedOf(order))
        : linkAnswerOf(outcome, order.channel.environment);
    },
    search: async (search, deadlineMs) => {
      const { of, channel } = search;
      // The gateway's ids are letters and digits. Any other id cannot exist there and would change the address.
      if ("id" in of && !isGatewayId(of.id)) return { is: "absent" };
      const fields = queryFields(search);
      const lengths = lengthsOf(fields);
      const [path, merchantTransactionId] =
        "id" in of ? [`v1/query/${of.id}`, ""] : ["v1/query", of.merchantTransactionId];
      const outcome = await send(
        on,
        base,
        { method: "GET", path, query: `?${encodeForm(fields)}`, lengths },
        { merchantTransactionId, deadlineMs },
      );
      return searchResultOf(outcome, { environment: channel.environment, ...of });
    },
    look: async ({ channel, link }, deadlineMs) => {
      if (!isGatewayId(link)) return { is: "no-answer", description: "the link's id is none of the gateway's" };
      const fields: FormFields = [["entityId", channel.entityId]];
      const [path, query, lengths] = [`paybylink/v1/${link}`, `?${encodeForm(fields)}`, lengthsOf(fields)];
      const request = { method: "GET", path, loggedPath: "paybylink/v1/...", query, lengths } as const;
      return linkSightOf(await send(on, base, request, { merchantTransactionId: "", deadlineMs }), link);
    },
  };
}

function expectedOf({ operation, channel }: GatewayOrder): Expected {
  const { paymentType, amount, currency, merchantTransactionId, referencedId, industryPractice } = operation;
  const { environment } = channel;
  return { environment, paymentType, amount, currency, merchantTransactionId, referencedId, industryPractice };
}

/**
 * Specification, "Query parameters". The entity must be the payment's own: a query sees no other (gateway-facts 2.4).
 */
function queryFields({ channel, of }: GatewaySearch): FormFields {
  return [
    ["entityId", channel.entityId],
    ...("id" in of ? [] : [["merchantTransactionId", of.merchantTransactionId] as const]),
    ["includeLinkedTransactions", "true"],
  ];
}

/** An order that violates the specification is never sent. */
function refusedHere({ log }: GatewayPorts, { operation }: GatewayOrder, problems: readonly string[]): Answer {
  const { merchantTransactionId, paymentType } = operation;
  log.warn({ merchantTransactionId, paymentType, problems }, "order not sent to the gateway");
  return { is: "not-booked", why: "refused", resultCode: "", description: `not sent: ${problems.join("; ")}` };
}

async function send(
  on: GatewayPorts,
  base: URL,
  sending: Sending,
  { merchantTransactionId, deadlineMs }: Errand,
): Promise<HttpOutcome> {
  const { method, path, loggedPath = path, lengths: fields } = sending;
  const started = on.clock.monotonic();
  const outcome = await follow(on, base, sending, started + deadlineMs);
  const durationMs = Math.round(on.clock.monotonic() - started);
  // A card may wait for the answer, so the line is made once it was handed on.
  on.clock.after(0, () => {
    const said = { method, path: loggedPath, merchantTransactionId, fields, durationMs, ...told(outcome) };
    if (outcome.is === "answered") on.log.debug(said, "gateway exchange");
    else on.log.warn(said, "gateway exchange without an answer");
  });
  return outcome;
}

/** For the log. Of the body, only its first result code is safe to print. */
function told(outcome: HttpOutcome): object {
  if (outcome.is !== "answered") return { outcome: outcome.is, detail: outcome.detail };
  const resultCode = resultCodeIn(outcome.body);
  return {
    outcome: outcome.is,
    status: outcome.status,
    length: outcome.body.length,
    ...(resultCode !== undefined && { resultCode }),
  };
}

/** Follows redirects on the same origin only: no other server may receive the token and the card's data. */
async function follow(on: GatewayPorts, base: URL, sending: Sending, until: number): Promise<HttpOutcome> {
  // Ids and encoded forms hold no character that needs resolving below a base with a closing slash.
  let url = `${base.href}${sending.path}${sending.query}`;
  for (let redirects = 0; ; redirects += 1) {
    const outcome = await exchange(on.http, request(on, sending, url, until - on.clock.monotonic()));
    const next =
      outcome.is === "answered" && outcome.status === 307 && outcome.location !== undefined
        ? URL.parse(outcome.location, url)
        : null;
    if (next === null || next.origin !== base.origin || redirects === MAX_REDIRECTS)
      return redirects === 0 ? outcome : afterRedirect(outcome);
    url = next.href;
  }
}

/** The redirecting server has seen the request, so "not sent" can no longer be proven. */
function afterRedirect(outcome: HttpOutcome): HttpOutcome {
  return outcome.is === "not-sent" ? { is: "broken", detail: `after a redirect: ${outcome.detail}` } : outcome;
}

function request(
  { accessToken }: GatewayPorts,
  { method, body }: Sending,
  url: string,
  deadlineMs: number,
): HttpRequest {
  const [authorization, accept] = [`Bearer ${accessToken.reveal()}`, "application/json"];
  if (body === undefined) return { method, url, headers: { authorization, accept }, deadlineMs };
  const headers = { authorization, accept, "content-type": "application/x-www-form-urlencoded; charset=UTF-8" };
  return { method, url, headers, body: body.reveal(), deadlineMs };
}

/** The port promises not to reject. If it does, the request may have left. */
async function exchange(http: HttpExchange, request: HttpRequest): Promise<HttpOutcome> {
  try {
    return await http.exchange(request);
  } catch (cause) {
    return { is: "broken", detail: `the exchange failed: ${cause instanceof Error ? cause.name : "unknown cause"}` };
  }
}
