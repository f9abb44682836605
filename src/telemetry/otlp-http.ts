import { type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Clock } from "../kit/clock.ts";
import type { Delivery } from "./span-exporter.ts";

export interface OtlpHttpOptions {
  /** As OTEL_EXPORTER_OTLP_ENDPOINT: `v1/traces` is appended. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

const DEADLINE_MS = 10_000;
/** Statuses for which OTLP asks clients to retry. */
const AGAIN: readonly number[] = [429, 502, 503, 504];

/** One POST of OTLP over HTTP, JSON. The reply's body is not read: the status suffices, and a body could be endless. */
export function postOtlp({ endpoint, headers, clock }: OtlpHttpOptions, body: string): Promise<Delivery> {
  const url = new URL("v1/traces", endpoint.endsWith("/") ? endpoint : `${endpoint}/`);
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const fields = { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve) => {
    let posted: ClientRequest | undefined;
    const settle = (delivery: Delivery): void => {
      cancel();
      posted?.destroy();
      resolve(delivery);
    };
    const cancel = clock.after(DEADLINE_MS, () =>
      settle({ is: "again", detail: `no answer within ${DEADLINE_MS} ms` }),
    );
    try {
      posted = send(url, { method: "POST", agent: false, headers: fields });
      posted.on("error", (error) => settle({ is: "again", detail: error.message.slice(0, 200) }));
      posted.on("response", ({ statusCode = 0 }) => settle(deliveryOf(statusCode)));
      posted.end(body);
    } catch (cause) {
      // Node rejects some headers, such as `trailer`; no retry helps.
      settle({ is: "refused", detail: cause instanceof Error ? cause.message : String(cause) });
    }
  });
}

function deliveryOf(status: number): Delivery {
  if (status >= 200 && status < 300) return { is: "taken" };
  return { is: AGAIN.includes(status) ? "again" : "refused", detail: `HTTP ${status}` };
}
