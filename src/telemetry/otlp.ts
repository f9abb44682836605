import type { Span } from "./span.ts";

/** Attributes common to all spans of a process (OpenTelemetry, resource conventions). */
export interface Resource {
  readonly version: string;
  readonly bridge: string;
  readonly environment: string;
}

const KINDS = { internal: 1, server: 2, client: 3 } as const;
const ERROR = 2;

/** An ExportTraceServiceRequest in the JSON form of OTLP 1: ids in hexadecimal, 64-bit numbers as text. */
export function otlpRequest(spans: readonly Span[], { version, bridge, environment }: Resource): string {
  const resource = {
    "service.name": "posbridge",
    "service.version": version,
    "service.instance.id": bridge,
    "deployment.environment.name": environment,
  };
  const scopeSpans = [{ scope: { name: "posbridge", version }, spans: spans.map(spanJson) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: attributesJson(resource) }, scopeSpans }] });
}

function spanJson({ traceId, spanId, parentId, name, kind, from, to, attributes, error, link }: Span): object {
  return {
    ...{ traceId, spanId, ...(parentId !== undefined && { parentSpanId: parentId }), name, kind: KINDS[kind] },
    ...{
      startTimeUnixNano: nanos(from),
      endTimeUnixNano: nanos(Math.max(from, to)),
      attributes: attributesJson(attributes),
    },
    ...(link !== undefined && { links: [link] }),
    ...(error !== undefined && { status: { code: ERROR, message: error } }),
  };
}

function nanos(ms: number): string {
  return `${ms}000000`;
}

function attributesJson(attributes: Span["attributes"]): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }));
}
