import type { Clock } from "../kit/clock.ts";
import type { Secret } from "../kit/secret.ts";
import { gatewayBase } from "./base-url.ts";
import { encodeForm } from "./form.ts";
import type { HttpExchange, HttpOutcome } from "./http-exchange.ts";
import { meaningOf } from "./meaning.ts";
import { envelopeSchema, parseReply } from "./reply.ts";

/** Whether the gateway's address answers, and its clock. */
export interface Reached {
  readonly address: string;
  readonly answered: boolean;
  readonly detail?: string;
  readonly tookMs: number;
  /** The gateway's clock minus this machine's, in milliseconds. */
  readonly clockAheadMs?: number;
}

/** Whether the gateway accepts the credentials. `refused`: it accepts them, but refuses the query. */
export interface Asked {
  readonly is: "let-in" | "not-let-in" | "refused" | "no-answer" | "throttled";
  readonly resultCode?: string;
  readonly detail?: string;
}

/** Checks of the gateway that move no money. No call rejects. */
export interface GatewayProbe {
  /** Requests the base address, without a token. */
  reach(): Promise<Reached>;
  /** Queries a payment that does not exist. This takes one of the entity's two queries a minute. */
  ask(entityId: string): Promise<Asked>;
}

interface ProbeOn {
  readonly http: Pick<HttpExchange, "exchange">;
  readonly clock: Clock;
  readonly baseUrl: string;
  /** Read for each request, because the token may be replaced. */
  readonly accessToken: Secret<string>;
}

const DEADLINE_MS = 5_000;
/** No bridge has a payment with this name: theirs have 32 digits. */
const NOBODYS_NAME = "posbridge-checks-its-credentials";
/** The Date header has whole seconds, truncated. */
const HALF_SECOND_MS = 500;

export function createProbe(on: ProbeOn): GatewayProbe {
  const { http, clock, baseUrl } = on;
  const base = gatewayBase(baseUrl);
  const get = (url: string, headers: Readonly<Record<string, string>>): Promise<HttpOutcome> =>
    http
      .exchange({ method: "GET", url, headers, deadlineMs: DEADLINE_MS })
      .catch((): HttpOutcome => ({ is: "broken", detail: "the exchange failed" }));
  return {
    reach: async () => {
      const began = clock.monotonic();
      const outcome = await get(base.href, { accept: "*/*" });
      const tookMs = clock.monotonic() - began;
      if (outcome.is !== "answered") return { address: base.origin, answered: false, detail: outcome.detail, tookMs };
      const there = Date.parse(outcome.date ?? "");
      // The header was written about halfway through the exchange.
      const clockAheadMs = Math.round(there + HALF_SECOND_MS - (clock.now() - tookMs / 2));
      return { address: base.origin, answered: true, tookMs, ...(!Number.isNaN(there) && { clockAheadMs }) };
    },
    ask: async (entityId) => {
      const query = encodeForm([
        ["entityId", entityId],
        ["merchantTransactionId", NOBODYS_NAME],
      ]);
      const headers = { authorization: `Bearer ${on.accessToken.reveal()}`, accept: "application/json" };
      return askedOf(await get(`${base.href}v1/query?${query}`, headers));
    },
  };
}

/** The query was answered, whether or not the payment exists (gateway-facts 2.4). */
const ANSWERED = /^(?:000\.000\.100|700\.400\.580)$/;

function askedOf(outcome: HttpOutcome): Asked {
  if (outcome.is !== "answered") return { is: "no-answer", detail: outcome.detail };
  const envelope = parseReply(outcome.body, envelopeSchema);
  const isKeptOut = outcome.status === 401 || outcome.status === 403;
  if (!envelope.ok && outcome.status === 429) return { is: "throttled" };
  if (!envelope.ok)
    return isKeptOut
      ? { is: "not-let-in", detail: `HTTP ${outcome.status}` }
      : { is: "no-answer", detail: `HTTP ${outcome.status}` };
  const { code } = envelope.value.result;
  if (ANSWERED.test(code)) return { is: "let-in" };
  const resultCode = /^[0-9.]{2,11}$/.test(code) ? { resultCode: code } : {};
  const meaning = meaningOf(code, "");
  if (isKeptOut || meaning === "not-let-in") return { is: "not-let-in", ...resultCode };
  if (meaning === "throttled") return { is: "throttled" };
  if (meaning === "gateway-down") return { is: "no-answer", detail: "it is out of order just now" };
  return { is: "refused", ...resultCode };
}
