import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type OpenFor, OVERDUE_MS, states } from "./open-payment.ts";

/** Figures for Prometheus. Names and labels only: no reference, no card, no amount ever becomes a label. */
export interface Metrics {
  /** A payment became final. */
  paymentFinished(type: string, outcome: string): void;
  /** A gateway request had its answer, or none. */
  gatewayAnswered(paymentType: string, answer: string): void;
  alarmRaised(): void;
  took(what: Took): void;
  /** The link to a terminal that was open is gone. */
  linkLost(terminal: string): void;
  /** A session was asked for: `opened`, or why it was refused. */
  sessionAsked(result: string): void;
  callRefused(method: string, code: string): void;
  /** An HTTP request, or a connection, was refused before anything of it was heard. */
  requestRefused(why: string): void;
  /** The bridge has ended a register's socket. */
  socketEnded(why: string): void;
  tokensChanged(change: "created" | "revoked", count: number): void;
  /** A delivery of a webhook came; what became of it. */
  webhookReceived(reception: string): void;
  /** Shows what this process takes of the machine, and how late its event loop is, from now on. Called once. */
  watchProcess(): void;
  /** Shows how many payments are open, in which states, and for how long, from now on. Called once. */
  watchOpen(open: () => readonly OpenFor[]): void;
  /** Shows whether the data folder was put back to an earlier moment, and nobody has confirmed that, from now on. Called once. */
  watchRollback(isOpen: () => boolean): void;
  /** Shows how many looks of precaution are due, and for how long, from now on. `waiting`: for how many milliseconds each of them has been. Called once. */
  watchLooks(waiting: () => readonly number[]): void;
  /** The Prometheus text format. */
  text(): Promise<string>;
}

/** How long a step took, by a clock that only goes forward. Every word is one of a list that no register and no card can make longer. */
export type Took = { readonly ms: number } & (
  | { readonly of: "card"; readonly entryMode: string }
  | { readonly of: "terminal"; readonly terminal: string }
  | { readonly of: "gateway"; readonly operation: string }
  | { readonly of: "journal" }
  | { readonly of: "payment"; readonly type: string; readonly outcome: string }
);

/** What is counted at the moment somebody asks. */
export interface MetricsSources {
  readonly version: string;
  readonly environment: "test" | "live";
  terminals(): readonly { readonly id: string; readonly model: string; readonly state: string }[];
  registerSockets(): number;
  /** Lines of the log that could not be written. */
  logLinesLost(): number;
}

const terminalStates = ["ready", "busy", "offline", "out-of-service"] as const;

export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const payments = new Counter({ name: "posbridge_payments_total", help: "Payments that became final", labelNames: ["type", "outcome"], registers });
  const answers = new Counter({
    name: "posbridge_gateway_answers_total",
    help: "Gateway requests by what came back",
    labelNames: ["payment_type", "answer"],
    registers,
  });
  const alarms = new Counter({ name: "posbridge_alarms_total", help: "Times a person had to be told", registers });
  const webhooks = new Counter({
    name: "posbridge_webhooks_total",
    help: "Deliveries of webhooks by what became of them",
    labelNames: ["reception"],
    registers,
  });
  const losses = new Counter({
    name: "posbridge_terminal_link_losses_total",
    help: "Links to terminals that were open and are gone",
    labelNames: ["terminal"],
    registers,
  });
  describeNow(registry, sources);
  return {
    ...refusals(registers),
    took: histograms(registry),
    linkLost: (terminal) => losses.inc({ terminal }),
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    paymentFinished: (type, outcome) => payments.inc({ type, outcome }),
    gatewayAnswered: (paymentType, answer) => answers.inc({ payment_type: paymentType, answer }),
    alarmRaised: () => alarms.inc(),
    webhookReceived: (reception) => webhooks.inc({ reception }),
    watchOpen: (open) => describeOpen(registry, open),
    watchRollback: (isOpen) => describeRollback(registry, isOpen),
    watchLooks: (waiting) => describeLooks(registry, waiting),
    text: () => registry.metrics(),
  };
}

type Refusals = Pick<Metrics, "sessionAsked" | "callRefused" | "requestRefused" | "socketEnded" | "tokensChanged">;

function refusals(registers: Registry[]): Refusals {
  const counter = <L extends string>(name: string, help: string, labelNames: L[]): Counter<L> => new Counter({ name, help, labelNames, registers });
  const sessions = counter("posbridge_sessions_total", "Sessions that were asked for, by what came of it", ["result"]);
  const calls = counter("posbridge_calls_refused_total", "Calls of registers that were refused", ["method", "code"]);
  const requests = counter("posbridge_requests_refused_total", "HTTP requests and connections that were refused", ["why"]);
  const sockets = counter("posbridge_sockets_ended_total", "Register sockets that the bridge has ended", ["why"]);
  const tokens = counter("posbridge_token_changes_total", "Tokens that were made or taken away while the bridge ran", ["change"]);
  return {
    sessionAsked: (result) => sessions.inc({ result }),
    callRefused: (method, code) => calls.inc({ method, code }),
    requestRefused: (why) => requests.inc({ why }),
    socketEnded: (why) => sockets.inc({ why }),
    tokensChanged: (change, count) => tokens.inc({ change }, count),
  };
}

function describeNow(registry: Registry, { version, environment, terminals, registerSockets, logLinesLost }: MetricsSources): void {
  const registers = [registry];
  new Gauge({ name: "posbridge_info", help: "Always 1", labelNames: ["version", "environment"], registers }).set({ version, environment }, 1);
  new Gauge({
    name: "posbridge_register_sockets",
    help: "Register sockets that are open",
    registers,
    collect() {
      this.set(registerSockets());
    },
  });
  new Counter({
    name: "posbridge_log_lines_lost_total",
    help: "Lines of the log that could not be written",
    registers,
    collect() {
      this.reset();
      this.inc(logLinesLost());
    },
  });
  new Gauge({
    name: "posbridge_terminal_state",
    help: "1 for the state a terminal is in, 0 for the others",
    labelNames: ["terminal", "model", "state"],
    registers,
    collect() {
      this.reset();
      for (const { id, model, state } of terminals()) {
        for (const each of terminalStates) this.set({ terminal: id, model, state: each }, each === state ? 1 : 0);
      }
    },
  });
}

function describeRollback(registry: Registry, isOpen: () => boolean): void {
  new Gauge({
    name: "posbridge_data_folder_rolled_back",
    help: "1 while nothing is accepted because the data folder was put back to an earlier moment, 0 otherwise",
    registers: [registry],
    collect() {
      this.set(isOpen() ? 1 : 0);
    },
  });
}

function describeLooks(registry: Registry, waiting: () => readonly number[]): void {
  const registers = [registry];
  new Gauge({
    name: "posbridge_looks_due",
    help: "Final payments whose turn has come to be looked at once more, in case their request was booked twice",
    registers,
    collect() {
      this.set(waiting().length);
    },
  });
  new Gauge({
    name: "posbridge_oldest_look_due_seconds",
    help: "How long the oldest of these has waited for the gateway's few queries; 0 where none has",
    registers,
    collect() {
      this.set(Math.max(0, ...waiting()) / 1000);
    },
  });
}

function describeOpen(registry: Registry, open: () => readonly OpenFor[]): void {
  const registers = [registry];
  new Gauge({
    name: "posbridge_payments_open",
    help: "Payments that are not final, or final with a capture or a reversal still owed",
    labelNames: ["state"],
    registers,
    collect() {
      const payments = open();
      for (const state of states) this.set({ state }, payments.filter((one) => one.state === state).length);
    },
  });
  new Gauge({
    name: "posbridge_payments_open_overdue",
    help: `Payments that have been open for ${OVERDUE_MS / 1000} seconds or more`,
    registers,
    collect() {
      this.set(open().filter(({ openMs }) => openMs >= OVERDUE_MS).length);
    },
  });
  new Gauge({
    name: "posbridge_oldest_open_payment_seconds",
    help: "How long the oldest open payment has been open; 0 where none is",
    registers,
    collect() {
      this.set(Math.max(0, ...open().map(({ openMs }) => openMs)) / 1000);
    },
  });
}

/** Upper bounds in seconds, close where a shop's own figures lie. */
const BUCKETS = {
  /** People. */
  card: [1, 2, 5, 10, 15, 20, 30, 45, 60, 120, 300, 600],
  /** A completion takes a tenth of a second on a quick device, and some seconds on a slow one. */
  terminal: [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60],
  /** A network and an issuer; time limits are 45 s usually and 120 s at most. */
  gateway: [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 45, 90, 120],
  /** One sync of a disk. */
  journal: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  /** From a stored card to one that is sought in a bag; what is longer waited for a link to be paid, or for an unknown outcome. */
  payment: [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 300, 600, 1800, 3600],
};

function histograms(registry: Registry): Metrics["took"] {
  const seconds = <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]): Histogram<L> =>
    new Histogram({ name, help, labelNames, buckets, registers: [registry] });
  const card = seconds("posbridge_card_seconds", "From asking for a card until it was read", ["entry_mode"], BUCKETS.card);
  const terminal = seconds("posbridge_terminal_seconds", "From the issuer's answer until the card's last word", ["terminal"], BUCKETS.terminal);
  const gateway = seconds("posbridge_gateway_seconds", "Gateway requests from sending to answer, or to the time limit", ["operation"], BUCKETS.gateway);
  const journal = seconds("posbridge_journal_append_seconds", "Appends to the journal, from the call until they are durable", [], BUCKETS.journal);
  const payment = seconds("posbridge_payment_seconds", "Payments from acceptance to their final state", ["type", "outcome"], BUCKETS.payment);
  return (what) => {
    const took = what.ms / 1000;
    switch (what.of) {
      case "card":
        return card.observe({ entry_mode: what.entryMode }, took);
      case "terminal":
        return terminal.observe({ terminal: what.terminal }, took);
      case "gateway":
        return gateway.observe({ operation: what.operation }, took);
      case "journal":
        return journal.observe(took);
      case "payment":
        return payment.observe({ type: what.type, outcome: what.outcome }, took);
    }
  };
}
