import type { HttpExchange, HttpOutcome, HttpRequest } from "../../src/gateway/http-exchange.ts";
import { type Clock, sleep } from "../../src/kit/clock.ts";
import type { Handled } from "../../src/sandbox/exchange.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";

/** One way through the network, in milliseconds. */
const WAY_MS = 15;

/** The way from the bridge to the gateway, in memory: latency, a deadline, and what a cut connection looks like from here. `refusing` is a gateway that is down. */
export function wireTo(sandbox: Sandbox, clock: Clock, refusing: () => boolean): HttpExchange {
  const exchange = async (request: HttpRequest): Promise<HttpOutcome> => {
    await sleep(clock, WAY_MS);
    if (refusing()) return { is: "not-sent", detail: "connection refused" };
    const url = new URL(request.url);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
    const handled = await sandbox.handle({ method: request.method, path: url.pathname + url.search, headers, body: request.body ?? "" });
    await sleep(clock, WAY_MS);
    return outcomeOf(handled);
  };
  return {
    warm: () => undefined,
    close: async () => undefined,
    exchange: (request) => Promise.race([exchange(request), late(clock, request.deadlineMs)]),
  };
}

function outcomeOf(handled: Handled): HttpOutcome {
  if (handled.is === "cut") return { is: "broken", detail: "connection cut" };
  const location = handled.headers["location"];
  return { is: "answered", status: handled.status, body: handled.body, ...(location !== undefined && { location }) };
}

async function late(clock: Clock, deadlineMs: number): Promise<HttpOutcome> {
  await sleep(clock, deadlineMs);
  return { is: "broken", detail: "no answer in time" };
}
