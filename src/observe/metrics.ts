import { createFigures, type Figures } from "./figures.ts";
import { describeNow, type MetricsSources, type Watches, watches } from "./metrics-now.ts";
import { stepTimes, type Took } from "./metrics-steps.ts";

/** Figures for Prometheus. No reference, card or amount ever becomes a label. */
export interface Metrics extends Refusals, Lines, GatewayFailures, SpanCounts, Watches {
  /** A payment became final. */
  paymentFinished(type: string, outcome: string): void;
  /** A gateway request was answered, or not. */
  gatewayAnswered(paymentType: string, answer: string): void;
  alarmRaised(): void;
  took(what: Took): void;
  /** A webhook was delivered, with this result. */
  webhookReceived(reception: string): void;
  /** Starts the figures of this process. Called once. */
  watchProcess(): void;
  /** The Prometheus text format. */
  text(): Promise<string>;
}

export function createMetrics(sources: MetricsSources): Metrics {
  const figures = createFigures();
  const payments = figures.counter("posbridge_payments_total", "Payments that became final", ["type", "outcome"]);
  const answers = figures.counter("posbridge_gateway_answers_total", "Gateway requests by what came back", [
    "payment_type",
    "answer",
  ]);
  const alarms = figures.counter("posbridge_alarms_total", "Times a person had to be told");
  const webhooks = figures.counter("posbridge_webhooks_total", "Deliveries of webhooks by what became of them", [
    "reception",
  ]);
  describeNow(figures, sources);
  return {
    ...refusals(figures),
    ...lines(figures),
    ...gatewayFailures(figures),
    ...spanCounts(figures),
    ...watches(figures),
    took: stepTimes(figures),
    watchProcess: figures.ofProcess,
    paymentFinished: (type, outcome) => payments({ type, outcome }),
    gatewayAnswered: (paymentType, answer) => answers({ payment_type: paymentType, answer }),
    alarmRaised: () => alarms(),
    webhookReceived: (reception) => webhooks({ reception }),
    text: figures.text,
  };
}

interface Refusals {
  /** The result of a session request: `opened`, or the refusal. */
  sessionAsked(result: string): void;
  callRefused(method: string, code: string): void;
  /** An HTTP request or connection was refused before its content was read. */
  requestRefused(why: string): void;
  /** The bridge closed a register's socket. */
  socketEnded(why: string): void;
  tokensChanged(change: "created" | "revoked", count: number): void;
}

function refusals({ counter }: Figures): Refusals {
  const sessions = counter("posbridge_sessions_total", "Sessions that were asked for, by what came of it", ["result"]);
  const calls = counter("posbridge_calls_refused_total", "Calls of registers that were refused", ["method", "code"]);
  const requests = counter("posbridge_requests_refused_total", "HTTP requests and connections that were refused", [
    "why",
  ]);
  const sockets = counter("posbridge_sockets_ended_total", "Register sockets that the bridge has ended", ["why"]);
  const tokens = counter("posbridge_token_changes_total", "Tokens that were made or taken away while the bridge ran", [
    "change",
  ]);
  return {
    sessionAsked: (result) => sessions({ result }),
    callRefused: (method, code) => calls({ method, code }),
    requestRefused: (why) => requests({ why }),
    socketEnded: (why) => sockets({ why }),
    tokensChanged: (change, count) => tokens({ change }, count),
  };
}

interface Lines {
  /** A link to a terminal was opened; every one after the first is a reconnect. */
  linkOpened(terminal: string): void;
  /** An open link to a terminal was lost. */
  linkLost(terminal: string): void;
  /** A frame error on a terminal's line. */
  frameFailed(terminal: string, error: FrameError): void;
}

const frameErrors = ["corrupted", "repeated", "refused", "unacknowledged"] as const;
type FrameError = (typeof frameErrors)[number];

function lines({ counter }: Figures): Lines {
  const losses = counter("posbridge_terminal_link_losses_total", "Links to terminals that were open and are gone", [
    "terminal",
  ]);
  const reconnects = counter("posbridge_terminal_reconnects_total", "Links to terminals that were opened again", [
    "terminal",
  ]);
  const frames = counter("posbridge_terminal_frame_errors_total", "Frames on the lines of terminals that went wrong", [
    "terminal",
    "error",
  ]);
  const known = new Set<string>();
  return {
    linkOpened: (terminal) => {
      reconnects({ terminal }, known.has(terminal) ? 1 : 0);
      losses({ terminal }, 0);
      for (const error of frameErrors) frames({ terminal, error }, 0);
      known.add(terminal);
    },
    linkLost: (terminal) => losses({ terminal }),
    frameFailed: (terminal, error) => frames({ terminal, error }),
  };
}

/** `http-4xx`, `http-5xx`: the body was no reply of the gateway; `unreadable`: the same with another status. */
export const gatewayErrors = ["network", "timeout", "tls", "http-4xx", "http-5xx", "unreadable", "throttled"] as const;
export type GatewayError = (typeof gatewayErrors)[number];

interface GatewayFailures {
  /** A request had no usable answer. */
  gatewayFailed(error: GatewayError): void;
  /** The gateway answered with a result code of that class. */
  gatewayCoded(codeClass: string, by?: number): void;
}

function gatewayFailures({ counter }: Figures): GatewayFailures {
  const known = gatewayErrors.map((error) => ({ error }));
  const errors = counter(
    "posbridge_gateway_errors_total",
    "Gateway requests without a usable answer, by what was wrong",
    ["error"],
    known,
  );
  const codes = counter(
    "posbridge_gateway_result_codes_total",
    "Answers of the gateway by the published class of their result code",
    ["class"],
  );
  return {
    gatewayFailed: (error) => errors({ error }),
    gatewayCoded: (codeClass, by = 1) => codes({ class: codeClass }, by),
  };
}

/**
 * Why a span was not delivered. `full`: the queue was full; `refused`: by the collector; `stopped`: the bridge ended
 * first.
 */
const spanLosses = ["full", "refused", "stopped"] as const;

interface SpanCounts {
  spansSent(count: number): void;
  spansDropped(why: (typeof spanLosses)[number], count: number): void;
}

function spanCounts({ counter }: Figures): SpanCounts {
  const known = spanLosses.map((why) => ({ why }));
  const sent = counter("posbridge_trace_spans_sent_total", "Spans of traces that the collector took");
  const dropped = counter(
    "posbridge_trace_spans_dropped_total",
    "Spans of traces that were not delivered",
    ["why"],
    known,
  );
  return { spansSent: (count) => sent({}, count), spansDropped: (why, count) => dropped({ why }, count) };
}
