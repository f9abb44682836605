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

/** What a request line asks for. */
export interface Target {
  readonly path: string;
  /** Without its question mark; empty where there is none. */
  readonly query: string;
}

/** The two forms of RFC 9112, section 3.2, that a server of this kind is sent: a path as it stands, or a whole address. Undefined: neither. */
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

/** Compiled once for each list of endpoints: a card waits for every request. */
export function matcherOf(endpoints: readonly Endpoint[]): (method: string, path: string) => Match | undefined {
  const byMethod: ReadonlyMap<string, readonly Pattern[]> = Map.groupBy(endpoints.map(patternOf), ({ endpoint }) => endpoint.method);
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
