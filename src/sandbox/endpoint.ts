import type { ParameterProblem, Sent } from "../gateway/parameters/chapter.ts";
import type { Context } from "./context.ts";
import type { Reply, SandboxRequest } from "./exchange.ts";
import type { Prepared } from "./prepared.ts";

/** One address of the gateway: who may call it, what it takes, what it does. A resource is a folder that exports a list of them. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  /** As the specification writes it: "/v1/payments/{id}"; what stands in braces is one step of letters, digits, dots and hyphens. */
  readonly path: string;
  /**
   * A merchant's server comes with an access token and says which entity it is. A shopper's browser has neither: what it may do hangs on an id that it was given, and a
   * page of any origin may send it here.
   */
  readonly caller: "merchant" | "shopper";
  /** What the ledger and the faults call such a request where it does not say so itself. */
  readonly paymentType?: string;
  /** Whether such a request comes to a result, which a fault could change; a page that is only looked at does not. Absent: it always does. */
  hasOutcome?(sent: Sent): boolean;
  /** What the gateway would answer with 200.300.404; empty: the parameters are good. */
  problems(sent: Sent): readonly ParameterProblem[];
  prepare(context: Context, call: Call): Prepared | Reply;
}

/** A request whose address is known and whose parameters are in order. */
export interface Call {
  readonly request: SandboxRequest;
  readonly sent: Sent;
  /** What stands in the address in place of that name's braces. */
  id(name?: string): string;
  /** The address by which the caller reached this gateway, without a slash at its end: what links in replies begin with. */
  readonly base: string;
}

/** An endpoint that fits a request, and what its address says. */
export interface Match {
  readonly endpoint: Endpoint;
  id(name?: string): string;
}

const STEP = "([A-Za-z0-9.-]{1,64})";

/** Compiled once for each list of endpoints: a card waits for every request. */
export function matcherOf(endpoints: readonly Endpoint[]): (method: string, pathname: string) => Match | undefined {
  const patterns = endpoints.map((endpoint) => ({
    endpoint,
    names: [...endpoint.path.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name = ""]) => name),
    pattern: new RegExp(`^${endpoint.path.replaceAll(".", "\\.").replaceAll(/\{[A-Za-z]+\}/g, STEP)}$`),
  }));
  return (method, pathname) => {
    for (const { endpoint, names, pattern } of patterns) {
      const found = endpoint.method === method ? pattern.exec(pathname) : null;
      if (found !== null) return { endpoint, id: (name = "id") => found[names.indexOf(name) + 1] ?? "" };
    }
    return undefined;
  };
}
