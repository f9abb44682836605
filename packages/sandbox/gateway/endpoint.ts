import type { ParameterProblem, Sent } from "../../../src/gateway/parameters/chapter.ts";
import type { Context } from "./context.ts";
import type { Reply, SandboxRequest } from "./exchange.ts";
import type { Prepared } from "./prepared.ts";

/** One address of the gateway: its callers, parameters and work. Each resource folder exports a list of endpoints. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "DELETE";
  /**
   * As in the specification: "/v1/payments/{id}". A placeholder matches one step of letters, digits, dots and hyphens.
   */
  readonly path: string;
  /**
   * A merchant's server sends an access token and its entity. A shopper's browser has neither: the id in the address
   * authorizes it, from pages of any origin.
   */
  readonly caller: "merchant" | "shopper";
  /** Payment type for ledger and faults if the request does not name one. */
  readonly paymentType?: string;
  /** Whether the request has a result that a fault could change; merely showing a page has none. Absent: always. */
  hasOutcome?(sent: Sent): boolean;
  /** Answered with 200.300.404; empty: the parameters are valid. */
  problems(sent: Sent): readonly ParameterProblem[];
  prepare(context: Context, call: Call): Prepared | Reply;
}

/** A request with a known address and valid parameters. */
export interface Call {
  readonly request: SandboxRequest;
  readonly sent: Sent;
  /** The address part at that placeholder. */
  id(name?: string): string;
  /** The address by which the caller reached the gateway, without a final slash; links in replies begin with it. */
  readonly base: string;
}

/** The endpoint of a request, with the address's placeholders. */
export interface Match {
  readonly endpoint: Endpoint;
  id(name?: string): string;
}

/** Target of a request line. */
export interface Target {
  readonly path: string;
  /** Without question mark; empty if there is none. */
  readonly query: string;
}

/**
 * Reads the two forms of RFC 9112, section 3.2, that such a server receives: a path or a whole address. Undefined:
 * neither.
 */
export function targetOf(line: string): Target | undefined {
  if (!line.startsWith("/")) {
    const url = URL.parse(line);
    return url === null ? undefined : { path: url.pathname, query: url.search.slice(1) };
  }
  const end = line.indexOf("?");
  return end < 0 ? { path: line, query: "" } : { path: line.slice(0, end), query: line.slice(end + 1) };
}

const STEP = "([A-Za-z0-9.-]{1,64})";

interface Pattern {
  readonly endpoint: Endpoint;
  readonly names: readonly string[];
  readonly pattern: RegExp;
}

/** Compiled once for each list, because a card waits for every request. */
export function matcherOf(endpoints: readonly Endpoint[]): (method: string, path: string) => Match | undefined {
  const byMethod: ReadonlyMap<string, readonly Pattern[]> = Map.groupBy(
    endpoints.map(patternOf),
    ({ endpoint }) => endpoint.method,
  );
  return (method, path) => {
    for (const { endpoint, names, pattern } of byMethod.get(method) ?? []) {
      if (names.length === 0 && path === endpoint.path) return { endpoint, id: () => "" };
      const found = names.length === 0 ? null : pattern.exec(path);
      if (found !== null) return { endpoint, id: (name = "id") => found[names.indexOf(name) + 1] ?? "" };
    }
    return undefined;
  };
}

function patternOf(endpoint: Endpoint): Pattern {
  return {
    endpoint,
    names: [...endpoint.path.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name = ""]) => name),
    pattern: new RegExp(`^${endpoint.path.replaceAll(".", "\\.").replaceAll(/\{[A-Za-z]+\}/g, STEP)}$`),
  };
}
