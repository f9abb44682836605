import manifest from "../package.json" with { type: "json" };
import { type Closers, createClosers } from "./agent-closing.ts";
import { openGateway } from "./agent-gateway.ts";
import { looksWaiting, openNow } from "./agent-open.ts";
import { createReadiness } from "./agent-ready.ts";
import { lookAtFolder, tellOfElsewhere, tellOfPast, tellOfSteps, timedGateway, timedJournal } from "./agent-telling.ts";
import { channelsOf, paymentSettings, terminalSessions } from "./agent-terminals.ts";
import { hearWebhooks } from "./agent-webhooks.ts";
import type { Configuration, TlsIdentity } from "./config/configuration.ts";
import { resolveHandlers } from "./control/resolve.ts";
import { serveControl } from "./control/server.ts";
import { tokenHandlers } from "./control/tokens.ts";
import { createDeletions, type Deletions } from "./engine/deletions.ts";
import { createEngine, type Engine, type EnginePorts } from "./engine/engine.ts";
import { createPayments, type PaymentsDesk } from "./engine/payments.ts";
import type { PaymentsPorts } from "./engine/payments-ports.ts";
import { type Alarms, type DeletionBook, type Gateway, type Journal, JournalBroken } from "./engine/ports.ts";
import { type HttpPorts, type HttpServer, startHttp } from "./http/server.ts";
import { type OpenDeletionBook, openDeletionBook } from "./journal/deletion-book.ts";
import { type KnownTerminals, openKnownTerminals } from "./journal/known-terminals.ts";
import { isDamage, mendOf } from "./journal/sqlite-error.ts";
import { type OpenJournal, openJournal } from "./journal/sqlite-journal.ts";
import { servedNames } from "./kit/served-names.ts";
import { systemClock } from "./kit/system-clock.ts";
import { systemLocalTime, systemStartOfDay, systemWallTime } from "./kit/system-local-time.ts";
import { systemMachineNames } from "./kit/system-machine-names.ts";
import { systemRandom } from "./kit/system-random.ts";
import type { Log } from "./observe/log.ts";
import { createMetrics, type Metrics, type MetricsSources } from "./observe/metrics.ts";
import { watchOverdue } from "./observe/overdue.ts";
import { openRpcDocument } from "./register/openrpc.ts";
import { openRegisterSockets } from "./register/socket.ts";
import { tokensProblem } from "./register/token-database.ts";
import { openTokens, type TokenStore } from "./register/tokens.ts";
import type { DriverModel } from "./terminal/driver.ts";
import { createTerminals, type TerminalSet } from "./terminal/terminals.ts";

/** How long running payments may go on after the bridge was asked to stop; what is open then is picked up by the next start. */
const STOP_GRACE_MS = 20_000;

/** The two ports that everything shares. */
const ports = { clock: systemClock, random: systemRandom };
const tillPorts: TillPorts = { ...ports, localTime: systemLocalTime, wallTime: systemWallTime, startOfDay: systemStartOfDay };
const { version } = manifest;

export interface Agent {
  readonly host: string;
  readonly port: number;
  /** Payments that were open when the bridge started; what is only looked at once more is not. */
  readonly recovered: number;
  /** Takes no new payment, finishes or safely parks the running ones, closes everything; ends within a minute whoever holds on. */
  stop(): Promise<void>;
  /** Resolves, with the problem and its mend in one line, when going on would be unsafe: the process must end with a failure, and the next one recovers. */
  readonly broken: Promise<string>;
}

/** Where the bridge says what it does. */
export interface AgentLog {
  readonly log: Log;
  /** Lines of it that could not be written. */
  linesLost(): number;
}

/** The one place where every port meets its adapter. Rejects with the error of whatever could not be opened, everything opened before closed again. */
export async function startAgent(configuration: Configuration, models: readonly DriverModel[], { log, linesLost }: AgentLog): Promise<Agent> {
  const closers = createClosers(ports.clock, log);
  try {
    const books = await openBooks(configuration, closers, log);
    const shown: Shown = { terminals: () => [], registerSockets: () => 0 };
    const metrics = openMetrics(configuration, shown, linesLost);
    const { known } = books;
    const terminals = createTerminals(terminalSessions(configuration, models, { ...ports, log, metrics, known, localTime: systemLocalTime }));
    closers.add("terminals", () => terminals.stop());
    const broken = Promise.withResolvers<string>();
    let graceMs = STOP_GRACE_MS;
    const breaks = (payment: string, cause: unknown): void => {
      const isJournal = cause instanceof JournalBroken;
      // Each step of what runs would have to be written: nothing comes to its end any more, and whoever waits for it keeps the next process from starting.
      if (isJournal) graceMs = 0;
      broken.resolve(isJournal ? cause.message : `payment ${payment} could not go on; start the bridge again, it recovers what is open`);
    };
    const opened = openGateway(configuration, ports.clock, log);
    closers.add("gateway", () => opened.close());
    const { gateway } = opened;
    const till = openTill({ ports: tillPorts, configuration, models, log, metrics, books, terminals, gateway, broken: breaks });
    shown.terminals = till.payments.terminals;
    const tellOfFolder = await lookAtFolder(books.journal, configuration.dataDir, ports.clock);
    const recovered = await till.engine.recover();
    await till.deletions.recover();
    terminals.start();
    tellOfElsewhere(till.engine.active(), till.gateway, log);
    const open = () => openNow(till.engine, till.gateway);
    metrics.watchLooks(() => looksWaiting(till.engine));
    closers.add("overdue payments", watchOverdue({ open, clock: ports.clock, log, metrics }));
    const server = await serve(configuration, { log, metrics, shown, books, till, closers });
    tellOfFolder(log);
    log.info({ host: server.host, port: server.port, environment: configuration.environment, recovered }, "posbridge is ready");
    const stop = async (): Promise<void> => {
      till.payments.close();
      till.deletions.stop();
      await till.engine.stop(() => graceMs);
      await closers.closeAll();
      log.info({}, "posbridge has stopped");
    };
    return { host: server.host, port: server.port, recovered, broken: broken.promise, stop };
  } catch (cause) {
    await closers.closeAll();
    throw cause;
  }
}

/** What is looked at when somebody asks for figures; known once it is opened. */
type Shown = { -readonly [K in "terminals" | "registerSockets"]: MetricsSources[K] };

function openMetrics({ environment }: Configuration, shown: Shown, logLinesLost: () => number): Metrics {
  const [terminals, registerSockets] = [() => shown.terminals(), () => shown.registerSockets()];
  const metrics = createMetrics({ version, environment, terminals, registerSockets, logLinesLost });
  metrics.watchProcess();
  return metrics;
}

interface Books {
  readonly journal: OpenJournal;
  readonly tokens: TokenStore;
  readonly deletions: OpenDeletionBook;
  readonly known: KnownTerminals;
}

/** Everything that lies in the data folder. */
async function openBooks({ dataDir, environment }: Configuration, closers: Closers, log: Log): Promise<Books> {
  const journal = await openJournal({ ...ports, dataDir, environment, warn: (message) => log.warn({}, message) });
  closers.add("journal", () => journal.close());
  const tokens = openTokens({ ...ports, dataDir, disk: { isDamage, mendOf }, warn: (message) => log.warn({}, message) });
  closers.add("tokens", () => tokens.close());
  const deletions = openDeletionBook(dataDir);
  closers.add("deletions", () => deletions.close());
  return { journal, tokens, deletions, known: openKnownTerminals(dataDir) };
}

interface Till {
  readonly engine: Engine;
  readonly payments: PaymentsDesk;
  readonly deletions: Deletions;
  readonly gateway: Gateway;
}

type TillPorts = Pick<PaymentsPorts, "clock" | "random" | "wallTime" | "startOfDay"> & Pick<EnginePorts, "localTime">;

interface TillParts {
  readonly ports: TillPorts;
  readonly configuration: Configuration;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly models: readonly DriverModel[];
  readonly books: { readonly journal: Journal; readonly deletions: DeletionBook };
  readonly terminals: TerminalSet;
  readonly gateway: Gateway;
  readonly broken: (payment: string, cause: unknown) => void;
}

/** The engine between terminals, gateway and journal, and the counter at which registers ask. Nothing in it knows whether what it is given is real. */
export function openTill({ ports, configuration, models, log, metrics, books: { deletions: book, ...books }, terminals, ...parts }: TillParts): Till {
  const { timeouts, merchant } = configuration;
  const { cardMs, pinMs, hostAnswerMs, removalMs, unknownWindowMs } = timeouts;
  const journal = timedJournal(books.journal, metrics, ports.clock);
  const gateway = timedGateway(parts.gateway, metrics, ports.clock);
  const engineBroken = (payment: string, cause: unknown): void => {
    log.error({ payment, error: errorText(cause) }, "a payment cannot go on in this process; the bridge ends, and recovers at its next start");
    parts.broken(payment, cause);
  };
  const alarms: Alarms = {
    raise: ({ what, ...fields }) => {
      metrics.alarmRaised();
      log.error({ alarm: true, ...fields }, what);
    },
  };
  const engine = createEngine({
    ...ports,
    ...{ journal, gateway, terminals, removalMs, alarms },
    appended: tellOfSteps(log, metrics, ports.clock),
    broken: engineBroken,
  });
  const settings = paymentSettings(configuration, models);
  const deletions = createDeletions({ ...ports, ...{ book, gateway, alarms, hostAnswerMs, budget: engine.budget, channels: channelsOf(settings) } });
  const payments = createPayments({
    ...ports,
    ...{ engine, journal, gateway, terminals, merchant, settings, deletions },
    rules: { cardMs, pinMs, hostAnswerMs, unknownWindowMs, fallback: { ...configuration.fallback } },
    broken: (_payment, cause) => engineBroken("journal", cause),
    pastMissing: tellOfPast(log, metrics),
    reidentify: async (terminal) => (await terminals.test(terminal)).ok,
  });
  return { engine, payments, deletions, gateway };
}

/** What is served to others. */
interface Served {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly shown: Shown;
  readonly books: Books;
  readonly till: Till;
  readonly closers: Closers;
}

/** The faces of the bridge: the control socket for this machine's commands, and the one port for registers and people. */
async function serve(configuration: Configuration, { log, metrics, shown, books, till, closers }: Served): Promise<HttpServer> {
  const { environment, dataDir, listen, origins } = configuration;
  const { journal, tokens } = books;
  const { payments, engine } = till;
  const problem = (error: unknown, where: string): void => log.error({ where, error: errorText(error) }, "a call failed");
  const ping = async () => ({ ok: true, value: { bridge: journal.bridge, version, pid: process.pid } }) as const;
  const handlers = { ...tokenHandlers(tokens, tokensProblem), ...resolveHandlers(payments), ping };
  const control = await serveControl({ dataDir, clock: ports.clock, problem, handlers });
  closers.add("control socket", () => control.close());
  const bridge = { name: "posbridge", version, id: journal.bridge };
  const sockets = openRegisterSockets({ ...ports, payments, tokens, problem, environment, bridge });
  shown.registerSockets = sockets.count;
  const server = await startHttp({
    names: () => servedNames(listen, systemMachineNames()),
    ...{ listen: listenerOf(listen), origins, sockets, clock: ports.clock, problem, page: { version, environment } },
    openRpc: JSON.stringify(openRpcDocument(version)),
    metrics: () => metrics.text(),
    ready: createReadiness(journal, ports.clock),
  });
  closers.add("register port", () => server.close());
  if (configuration.webhooks !== undefined) {
    const heard = await hearWebhooks(configuration.webhooks, { engine, metrics, log, clock: ports.clock });
    closers.add("webhooks", () => heard.close());
  }
  return server;
}

/** Where to listen, as a server is told it: the one place at which the private key is looked at. */
function listenerOf({ host, port, tls }: { readonly host: string; readonly port: number; readonly tls?: TlsIdentity }): HttpPorts["listen"] {
  return { host, port, ...(tls && { tls: { cert: tls.cert, key: tls.key.reveal() } }) };
}

function errorText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
