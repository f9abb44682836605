import type { Configuration } from "../config/configuration.ts";
import type { Appended } from "../engine/shell/appended.ts";
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import { otlpRequest, type Resource } from "../telemetry/otlp.ts";
import { postOtlp } from "../telemetry/otlp-http.ts";
import { spansOf } from "../telemetry/payment-spans.ts";
import { createSpanExporter } from "../telemetry/span-exporter.ts";
import type { Closers } from "./closing.ts";

interface TelemetryPorts extends Omit<Resource, "environment"> {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "spansSent" | "spansDropped">;
}

/** Sends the journal's steps as spans; undefined if no collector is configured. */
export function openTelemetry(
  { telemetry, environment }: Pick<Configuration, "telemetry" | "environment">,
  { clock, log, metrics, version, bridge }: TelemetryPorts,
  closers: Pick<Closers, "add">,
): ((step: Appended) => void) | undefined {
  if (telemetry === undefined) return undefined;
  const { otlpEndpoint: endpoint, headers } = telemetry;
  const sent = { endpoint, headers: headersIn(headers?.reveal() ?? ""), clock };
  const resource = { version, bridge, environment };
  const exporter = createSpanExporter({
    clock,
    log,
    counts: metrics,
    deliver: (spans) => postOtlp(sent, otlpRequest(spans, resource)),
  });
  closers.add("traces", exporter.stop);
  return (step) => exporter.add(spansOf(step));
}

function headersIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").filter((pair) => pair !== "");
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), decodeURIComponent(pair.slice(pair.indexOf("=") + 1))]),
  );
}
