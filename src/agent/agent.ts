import manifest from "../../package.json" with { type: "json" };
import type { Configuration, LogLevel } from "../config/configuration.ts";
import type { ConfigurationReading } from "../config/parse.ts";
import type { StartedBy } from "../control/stop.ts";
import type { Appended } from "../engine/appended.ts";
import { createDeletions, type Deletions } from "../engine/deletions.ts";
import { createEngine, type Engine, type EnginePorts } from "../engine/engine.ts";
import { createPayments, type PaymentsDesk } from "../engine/payments.ts";
import type { PaymentsPorts } from "../engine/payments-ports.ts";
import { type Alarms, type DeletionBook, type Gateway, type Journal, JournalBroken, type NameBegins } from "../engine/ports.ts";
import { type OpenDeletionBook, openDeletionBook } from "../journal/deletion-book.ts";
import { systemFolderAccess } from "../journal/folder-access.ts";
import { type KnownTerminals, openKnownTerminals } from "../journal/known-terminals.ts";
import { isDamage, mendOf } from "../journal/sqlite-error.ts";
import { type OpenJournal, openJournal } from "../journal/sqlite-journal.ts";
import { storageOf } from "../journal/storage.ts";
import { systemClock } from "../kit/system-clock.ts";
import { systemLocalTime, systemStartOfDay, systemWallTime } from "../kit/system-local-time.ts";
import { systemRandom } from "../kit/system-random.ts";
import { systemUpMs } from "../kit/system-uptime.ts";
import type { Log } from "../observe/log.ts";
import { watchLoop } from "../observe/loop-delay.ts";
import { createMetrics, type Metrics } from "../observe/metrics.ts";
import { watchOverdue } from "../observe/overdue.ts";
import type { RecentLines } from "../observe/recent-lines.ts";
import { openTokens, type TokenStore } from "../register/tokens.ts";
import type { DriverModel } from "../terminal/driver.ts";
import type { TerminalSet } from "../terminal/terminals.ts";
import type { Trace } from "../terminal/trace.ts";
import { type Closers, createClosers } from "./closing.ts";
import { openGateway } from "./gateway.ts";
import { looksWaiting, openNow } from "./open.ts";
import type { PairedStore } from "./pairing-desk.ts";
import type { Reload } from "./reload.ts";
import { requireConfirmed } from "./restored.ts";
import { openRollback, tellOfConfirmation, tellOfOpenRollback, tellOfPast } from "./rollback.ts";
import { openPairedStore, openRoster } from "./roster.ts";
import { type ServedPages, type Shown, serveAll } from "./serving.ts";
import { openTelemetry } from "./telemetry.ts";
import { certificatesOf, lookAtFolder, tellOfAccess, tellOfElsewhere, tellOfSteps, timedGateway, timedJournal } from "./telling.ts";
import { channelsOf, paymentSettings } from "./terminals.ts";
import { watchWaking } from "./waking.ts";

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
  /** Reads the configuration anew and takes up what can change; `by`: who asks. */
  readonly reload: Reload;
  /** Why payments cannot be taken, as /readyz says it. */
  ready(): Promise<readonly string[]>;
  /** Resolves when a command of this machine asks the bridge to stop (`posbridge stop`). Whoever started the agent then stops it. */
  readonly stopAsked: Promise<void>;
  /** Resolves, with the problem and its mend in one line, when going on would be unsafe: the process must end with a failure, and the next one recovers. */
  readonly broken: Promise<string>;
}

/** Where the bridge says what it does, and shows itself. */
export interface AgentFace {
  readonly log: Log;
  /** The least important lines that are written from now on; absent: the level stays. */
  setLevel?(level: LogLevel): void;
  /** The service manager whose service this process is; absent: none. */
  readonly startedBy?: StartedBy | undefined;
  /** Reads and checks the configuration file anew; absent: it does not change while the bridge runs. */
  reread?(): ConfigurationReading;
  /** Lines of it that could not be written. */
  linesLost(): number;
  /** The last lines of it, in memory. */
  readonly recent: RecentLines;
  /** The web pages; without them `/` says in words what is here. */
  readonly pages?: ServedPages | undefined;
}

/** The one place where every port meets its adapter. Rejects with the error of whatever could not be opened, everything opened before closed again. */
export async function startAgent(file: Configuration, models: readonly DriverModel[], face: AgentFace): Promise<Agent> {
  const { log } = face;
  const closers = createClosers(ports.clock, log);
  try {
    const shown: Shown = { terminals: () => [], registerSockets: () => 0 };
    const metrics = openMetrics(file, shown, face.linesLost, closers);
    const books = await openBooks(file, closers, log, metrics);
    const { known, paired: store } = books;
    const traces = new Map<string, Trace>();
    const roster = openRoster({ file, models, store, ports: { ...ports, log, metrics, traces, known, localTime: systemLocalTime } });
    const { configuration, terminals } = roster;
    closers.add("terminals", () => terminals.stop());
    const broken = Promise.withResolvers<string>();
    const asked = Promise.withResolvers<void>();
    let graceMs = STOP_GRACE_MS;
    const breaks = (payment: string, cause: unknown): void => {
      const isJournal = cause instanceof JournalBroken;
      // Each step of what runs would have to be written: nothing comes to its end any more, and whoever waits for it keeps the next process from starting.
      if (isJournal) graceMs = 0;
      broken.resolve(isJournal ? cause.message : `payment ${payment} could not go on; start the bridge again, it recovers what is open`);
    };
    metrics.watchCertificates(() => certificatesOf(roster.current()));
    const opened = openGateway(roster.current, ports.clock, log, metrics);
    closers.add("gateway", () => opened.close());
    const { gateway, probe } = opened;
    const traced = openTelemetry(configuration, { clock: ports.clock, log, metrics, version, bridge: books.journal.bridge }, closers);
    const till = openTill({ ports: tillPorts, configuration, models, log, metrics, books, terminals, gateway, traced, broken: breaks });
    shown.terminals = till.payments.terminals;
    const tellOfFolder = await lookAtFolder(books.journal, configuration.dataDir, ports.clock);
    const recovered = await till.engine.recover();
    await till.deletions.recover();
    terminals.start();
    tellOfElsewhere(till.engine.active(), till.gateway, log);
    const open = () => openNow(till.engine, till.gateway);
    metrics.watchLooks(() => looksWaiting(till.engine));
    metrics.watchRollback(() => openRollback(books.journal.cursors) !== undefined);
    const { holderOf } = till.payments;
    closers.add("waking", watchWaking({ clock: ports.clock, upMs: systemUpMs, log, terminals, holderOf, forgetConnections: opened.forgetConnections }));
    closers.add("overdue payments", watchOverdue({ open, clock: ports.clock, log, metrics }));
    const faces = { version, ...ports, ...face, metrics, traces, shown, books, till, roster, probe, closers, stopAsked: asked.resolve };
    const { server, reload, ready } = await serveAll(configuration, faces);
    tellOfFolder(log);
    tellOfOpenRollback(books.journal.cursors, log, metrics);
    log.info({ host: server.host, port: server.port, environment: configuration.environment, recovered }, "posbridge is ready");
    const stop = async (): Promise<void> => {
      till.payments.close();
      till.deletions.stop();
      await till.engine.stop(() => graceMs);
      await closers.closeAll();
      log.info({}, "posbridge has stopped");
    };
    return { host: server.host, port: server.port, recovered, reload, ready, stopAsked: asked.promise, broken: broken.promise, stop };
  } catch (cause) {
    await closers.closeAll();
    throw cause;
  }
}

function openMetrics(file: Configuration, shown: Shown, logLinesLost: () => number, closers: Closers): Metrics {
  const [terminals, registerSockets] = [() => shown.terminals(), () => shown.registerSockets()];
  const metrics = createMetrics({ version, environment: file.environment, terminals, registerSockets, logLinesLost });
  metrics.watchProcess();
  closers.add(
    "event loop",
    watchLoop(ports.clock, (ms) => metrics.took({ of: "loop", ms })),
  );
  metrics.watchStorage(() => storageOf(file.dataDir));
  return metrics;
}

export interface Books {
  readonly journal: OpenJournal;
  readonly tokens: TokenStore;
  readonly deletions: OpenDeletionBook;
  readonly known: KnownTerminals;
  readonly paired: PairedStore;
}

/** Everything that lies in the data folder. */
async function openBooks({ dataDir, environment }: Configuration, closers: Closers, log: Log, metrics: Pick<Metrics, "took">): Promise<Books> {
  const say = { info: (message: string) => log.info({}, message), warn: (message: string) => log.warn({}, message) };
  const journal = await openJournal({ ...ports, dataDir, environment, ...say, synced: (ms) => metrics.took({ of: "sync", ms }) });
  closers.add("journal", () => journal.close());
  requireConfirmed(journal.cursors, dataDir);
  tellOfAccess(systemFolderAccess.look(dataDir), dataDir, log);
  const tokens = openTokens({ ...ports, dataDir, disk: { isDamage, mendOf }, warn: (message) => log.warn({}, message) });
  closers.add("tokens", () => tokens.close());
  const deletions = openDeletionBook(dataDir);
  closers.add("deletions", () => deletions.close());
  return { journal, tokens, deletions, known: openKnownTerminals(dataDir), paired: openPairedStore(dataDir) };
}

export interface Till {
  readonly engine: Engine;
  readonly payments: PaymentsDesk;
  readonly deletions: Deletions;
  readonly gateway: Gateway;
  /** The terminals, and what new payments begin with, are these from here on. */
  equip(configuration: Configuration): void;
}

type TillPorts = Pick<PaymentsPorts, "clock" | "random" | "wallTime" | "startOfDay"> & Pick<EnginePorts, "localTime">;

interface TillParts {
  readonly ports: TillPorts;
  readonly configuration: Configuration;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly models: readonly DriverModel[];
  readonly books: { readonly journal: Journal & { readonly nameBegins?: NameBegins }; readonly deletions: DeletionBook };
  readonly terminals: TerminalSet;
  readonly gateway: Gateway;
  /** Hears what the journal has taken, for traces. */
  readonly traced?: ((step: Appended) => void) | undefined;
  readonly broken: (payment: string, cause: unknown) => void;
}

/** The engine between terminals, gateway and journal, and the counter at which registers ask. Nothing in it knows whether what it is given is real. */
export function openTill({ ports, configuration, models, log, metrics, books: { deletions: book, ...books }, terminals, ...parts }: TillParts): Till {
  let now = configuration;
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
    ...{ journal, gateway, terminals, removalMs: configuration.timeouts.removalMs, alarms, nameBegins: books.journal.nameBegins },
    appended: inTurn(tellOfSteps(log, metrics, ports.clock), parts.traced),
    broken: engineBroken,
  });
  const settings = new Map(paymentSettings(configuration, models));
  const channels = [...channelsOf(settings)];
  const deletions = createDeletions({
    ...ports,
    ...{ book, gateway, alarms, budget: engine.budget, channels },
    get hostAnswerMs() {
      return now.timeouts.hostAnswerMs;
    },
  });
  const payments = createPayments({
    ...ports,
    ...{ engine, journal, gateway, terminals, settings, deletions },
    // A payment keeps what it was accepted with.
    get rules() {
      const { cardMs, pinMs, hostAnswerMs, unknownWindowMs } = now.timeouts;
      return { cardMs, pinMs, hostAnswerMs, unknownWindowMs, fallback: { ...now.fallback } };
    },
    get merchant() {
      return now.merchant;
    },
    broken: (_payment, cause) => engineBroken("journal", cause),
    nameBegins: books.journal.nameBegins,
    pastMissing: tellOfPast(log, metrics),
    rollbackConfirmed: tellOfConfirmation(log),
    reidentify: async (terminal) => (await terminals.test(terminal)).ok,
  });
  const equip = (equipped: Configuration): void => {
    now = equipped;
    settings.clear();
    for (const [terminal, one] of paymentSettings(equipped, models)) settings.set(terminal, one);
    channels.splice(0, channels.length, ...channelsOf(settings));
  };
  return { engine, payments, deletions, gateway, equip };
}

function inTurn(first: (step: Appended) => void, second: ((step: Appended) => void) | undefined): (step: Appended) => void {
  return (step) => {
    first(step);
    second?.(step);
  };
}

function errorText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
