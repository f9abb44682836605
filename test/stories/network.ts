import type { Handled, Reply, SandboxRequest } from "../../packages/sandbox/gateway/exchange.ts";
import type { HttpExchange, HttpOutcome, HttpRequest } from "../../src/gateway/http-exchange.ts";
import { type Clock, sleep } from "../../src/kit/clock.ts";

/** What listens at an address. */
export interface Host {
  handle(request: SandboxRequest): Promise<Handled>;
  /**
   * Calls when it stops listening: what it was asked and has not answered is cut. What is returned stops waiting for
   * that.
   */
  whenGone(run: () => void): () => void;
}

/** The network of a story: hosts by their port on 127.0.0.1, and what becomes of requests on their way. */
export interface Network {
  readonly http: HttpExchange;
  listen(port: number, host: Host): void;
  leave(port: number): void;
  /**
   * A request of somebody else than the bridge: a customer's browser, the gateway's people. Rejects where no whole
   * reply comes.
   */
  request(
    method: string,
    url: string,
    more?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string },
  ): Promise<Reply>;
  /** The bridge's next request of that payment type goes nowhere and is never answered. */
  swallow(paymentType: string): void;
  /** The way out is gone, and no name can be looked up; or it is back. */
  cut(isCut: boolean): void;
  /** How many requests the bridge has made. */
  requests(): number;
  /** Resolves when nothing is left to be swallowed. */
  swallowed(): Promise<void>;
}

/** One way through the network, in milliseconds. */
const WAY_MS = 5;

export function createNetwork(clock: Clock): Network {
  const hosts = new Map<number, Host>();
  let unwanted: readonly string[] = [];
  const waiting: (() => void)[] = [];
  let isCut = false;
  let requests = 0;
  const swallows = ({ body }: HttpRequest): boolean => {
    const type = new URLSearchParams(body ?? "").get("paymentType") ?? "";
    if (!unwanted.includes(type)) return false;
    unwanted = unwanted.filter((one) => one !== type);
    if (unwanted.length === 0) for (const resolve of waiting.splice(0)) resolve();
    return true;
  };
  const answer = async (request: HttpRequest): Promise<HttpOutcome> => {
    const { port } = new URL(request.url);
    requests += 1;
    if (isCut)
      return {
        is: "not-sent",
        detail: "no connection to gateway.example: EAI_AGAIN getaddrinfo EAI_AGAIN gateway.example",
      };
    if (swallows(request)) return new Promise(() => undefined);
    await sleep(clock, WAY_MS);
    const host = hosts.get(Number(port));
    if (host === undefined) return { is: "not-sent", detail: "connection refused" };
    const cut = Promise.withResolvers<undefined>();
    const forget = host.whenGone(() => cut.resolve(undefined));
    const handled = await Promise.race([host.handle(asServed(request)), cut.promise]).finally(forget);
    await sleep(clock, WAY_MS);
    if (handled?.is !== "reply") return { is: "broken", detail: "connection cut" };
    const location = handled.headers["location"];
    return { is: "answered", status: handled.status, body: handled.body, ...(location !== undefined && { location }) };
  };
  const exchange = (request: HttpRequest): Promise<HttpOutcome> => {
    const late = Promise.withResolvers<HttpOutcome>();
    const stop = clock.after(request.deadlineMs, () => late.resolve({ is: "broken", detail: "no answer in time" }));
    return Promise.race([answer(request), late.promise]).finally(stop);
  };
  return {
    http: { exchange, warm: () => undefined, close: async () => undefined },
    listen: (port, host) => void hosts.set(port, host),
    leave: (port) => void hosts.delete(port),
    request: async (method, url, { headers = {}, body = "" } = {}) => {
      const host = hosts.get(Number(new URL(url).port));
      const handled = await host?.handle(asServed({ method, url, headers, body }));
      if (handled?.is !== "reply") throw new Error(`no reply from ${url}`);
      return handled;
    },
    swallow: (paymentType) => {
      unwanted = [...unwanted, paymentType];
    },
    cut: (now) => {
      isCut = now;
    },
    requests: () => requests,
    swallowed: () => (unwanted.length === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

/** The request as its host gets it. */
function asServed({
  method,
  url,
  headers,
  body = "",
}: {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}): SandboxRequest {
  const { host, pathname, search } = new URL(url);
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { method, path: `${pathname}${search}`, headers: { host, ...named }, body };
}
