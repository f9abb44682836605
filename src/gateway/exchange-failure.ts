import type { HttpExchange, HttpOutcome } from "./http-exchange.ts";
import { meaningOf } from "./meaning.ts";
import { type CodeClass, classOf, codeClasses } from "./result-codes.ts";

/** Failures of an exchange: on the way, or an answer that is no reply of the gateway. A decline is not a failure. */
export type ExchangeFailure = "network" | "timeout" | "tls" | "http-4xx" | "http-5xx" | "unreadable" | "throttled";

export interface ExchangeSeen {
  readonly failure?: ExchangeFailure;
  /** The published class of the result code. Absent: the answer had no code. */
  readonly codeClass?: CodeClass;
}

/** The first result code of a body answers the request. Undefined: the body has none. */
export function resultCodeIn(body: string): string | undefined {
  return /"code"\s*:\s*"([0-9.]{2,11})"/.exec(body)?.[1];
}

export function exchangeSeen(outcome: HttpOutcome): ExchangeSeen {
  if (outcome.is !== "answered") return { failure: outcome.fault ?? "network" };
  const code = resultCodeIn(outcome.body);
  if (code !== undefined)
    return { codeClass: classOf(code), ...(meaningOf(code, "") === "throttled" && { failure: "throttled" }) };
  // A redirect is followed, so it is not a failure.
  if (outcome.status === 307 && outcome.location !== undefined) return {};
  return { failure: failureOf(outcome.status) };
}

function failureOf(status: number): ExchangeFailure {
  if (status === 429) return "throttled";
  if (status >= 500) return "http-5xx";
  return status >= 400 ? "http-4xx" : "unreadable";
}

export interface ExchangeCounts {
  gatewayFailed(failure: ExchangeFailure): void;
  gatewayCoded(codeClass: CodeClass, by?: number): void;
}

/** Counts the outcome of each request. Every class starts at 0, so that a rate includes the first code of its class. */
export function countedExchange(http: HttpExchange, counts: ExchangeCounts): HttpExchange {
  for (const codeClass of codeClasses) counts.gatewayCoded(codeClass, 0);
  return {
    ...http,
    exchange: async (request) => {
      const outcome = await http.exchange(request);
      const { failure, codeClass } = exchangeSeen(outcome);
      if (failure !== undefined) counts.gatewayFailed(failure);
      if (codeClass !== undefined) counts.gatewayCoded(codeClass);
      return outcome;
    },
  };
}
