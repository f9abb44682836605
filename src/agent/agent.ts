import manifest from "../../package.json" with { type: "json" };
import type { Configuration, LogLevel } from "../config/configuration.ts";
import type { ConfigurationReading } from "../config/parse.ts";
import type { StartedBy } from "../control/stop.ts";
import { JournalBroken } from "../engine/ports.ts";
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
import type { DriverModel } from "../terminal/driver.ts";
import type { TerminalSet } from "../terminal/terminals.ts";
import type { Trace } from "../terminal/trace.ts";
import { type Books, openBooks } from "./books.ts";
import { certificatesIn } from "./certificate-store.ts";
import { withRenewedCertificate } from "./certificates.ts";
import { type Closers, createClosers } from "./closing.ts";
import { lookAtStorage, watchDisk } from "./disk-watch.ts";
import { openGateway } from "./gateway.ts";
import { watchJournal } from "./journal-upkeep.ts";
import { looksWaiting, openNow } from "./open.ts";
import type { Reload } from "./reload.ts";
import { openRollback, tellOfOpenRollback } from "./rollback.ts";
import { openRoster } from "./roster.ts";
import { type ServedPages, type Shown, serveAll } from "./serving.ts";
import { openTelemetry } from "./telemetry.ts";
import { certificatesOf, lookAtFolder, tellOfElsewhere } from "./telling.ts";
import { openTill, type Till, type TillPorts } from "./till.ts";
import { watchWaking } from "./waking.ts";

/** Time for running payments after the bridge was asked to stop; the next start continues payments still open. */
const STOP_GRACE_MS = 20_000;

/** Clock and randomness, used everywhere. */
const ports = { clock: systemClock, random: systemRandom };
const tillPorts: TillPorts = {
  ...ports,
  localTime: systemLocalTime,
  wallTime: systemWallTime,
  startOfDay: systemStartOfDay,
};
const { version } = manifest;

export interface Agent {
  readonly host: string;
  readonly port: number;
  /** Payments open at the start, without those that only await another query. */
  readonly recovered: number;
  /** Refuses new payments, finishes or safely stores the running ones, and closes everything within a minute. */
  stop(): Promise<void>;
  /** Reads the configuration anew and applies what can change; `by`: the caller. */
  readonly reload: Reload;
  /** Why payments cannot be taken, as in /readyz. */
  ready(): Promise<readonly string[]>;
  /**
   * Resolves when a command of this machine asks the bridge to stop (`posbridge stop`). The agent's starter must then
   * stop it.
   */
  readonly stopAsked: Promise<void>;
  /**
   * Resolves with the problem and its fix in one line if going on would be unsafe. The process must then end with a
   * failure; the next one recovers.
   */
  readonly broken: Promise<string>;
}

/** Log and pages of the bridge. */
export interface AgentFace {
  readonly log: Log;
  /** Changes the log's level; absent: it is fixed. */
  setLevel?(level: LogLevel): void;
  /** The service manager that runs this process; absent: none. */
  readonly startedBy?: StartedBy | undefined;
  /** Reads and checks the configuration file anew; absent: it cannot change while the bridge runs. */
  reread?(): ConfigurationReading;
  /** Lines of the log that could not be written. */
  linesLost(): number;
  /** The last lines of the log, in memory. */
  readonly recent: RecentLines;
  /** The web pages; without them `/` is a text page. */
  readonly pages?: ServedPages | undefined;
}

/**
 * The only place that connects every port with its adapter. If a part cannot be opened, closes the earlier ones and
 * rejects with its error.
 */
export async function startAgent(file: Configuration, models: readonly DriverModel[], face: AgentFace): Promise<Agent> {
  const closers = createClosers(ports.clock, face.log);
  try {
    return await startParts(await openParts(file, models, face, closers), models, face, closers);
  } catch (cause) {
    await closers.closeAll();
    throw cause;
  }
}

type Parts = Awaited<ReturnType<typeof openParts>>;

/** Opens the data folder, the terminals' roster, the gateway and telemetry. Nothing runs yet. */
async function openParts(
  file: Configuration,
  models: readonly DriverModel[],
  { log, linesLost }: AgentFace,
  closers: Closers,
) {
  const shown: Shown = { terminals: () => [], registerSockets: () => 0 };
  const metrics = openMetrics(file, shown, linesLost, closers);
  const breakage = watchBreakage();
  const damaged = (damage: Error): void => {
    metrics.alarmRaised();
    log.error(
      { alarm: true, error: damage.message },
      "the journal is damaged: the bridge ends, and its next start refuses",
    );
    breakage.ends(damage.message);
  };
  const books = await openBooks(file, { ...ports, closers, log, metrics, damaged });
  const { known, paired: store } = books;
  const traces = new Map<string, Trace>();
  const roster = openRoster({
    file: await withRenewedCertificate(file, { ...certificatesIn(file.dataDir), log }),
    models,
    store,
    ports: { ...ports, log, metrics, traces, known, localTime: systemLocalTime },
  });
  closers.add("terminals", () => roster.terminals.stop());
  metrics.watchCertificates(() => certificatesOf(roster.current()));
  const opened = openGateway(roster.current, ports.clock, log, metrics);
  closers.add("gateway", () => opened.close());
  const traced = openTelemetry(
    roster.configuration,
    { clock: ports.clock, log, metrics, version, bridge: books.journal.bridge },
    closers,
  );
  return { shown, metrics, books, traces, roster, opened, traced, breakage };
}

/** Recovers open payments, connects the terminals, and serves registers last. */
async function startParts(
  { shown, metrics, books, traces, roster, opened, traced, breakage }: Parts,
  models: readonly DriverModel[],
  face: AgentFace,
  closers: Closers,
): Promise<Agent> {
  const { log } = face;
  const { configuration, terminals } = roster;
  const { gateway, probe, forgetConnections } = opened;
  const asked = Promise.withResolvers<void>();
  const till = openTill({
    ports: tillPorts,
    configuration,
    models,
    log,
    metrics,
    books,
    terminals,
    gateway,
    traced,
    broken: breakage.breaks,
  });
  shown.terminals = till.payments.terminals;
  const tellOfFolder = await lookAtFolder(books.journal, configuration.dataDir, ports.clock);
  const recovered = await till.engine.recover();
  await till.deletions.recover();
  terminals.start();
  tellOfElsewhere(till.engine.active(), till.gateway, log);
  const afterDays = () => roster.current().journal.archiveAfterDays;
  closers.add(
    "journal upkeep",
    watchJournal({ clock: ports.clock, journal: books.journal, engine: till.engine, afterDays, log }),
  );
  watchOver({ configuration, log, metrics, books, till, terminals, closers, forgetConnections });
  const faces = {
    version,
    ...ports,
    ...face,
    metrics,
    traces,
    shown,
    books,
    till,
    roster,
    probe,
    closers,
    stopAsked: asked.resolve,
  };
  const { server, reload, ready } = await serveAll(configuration, faces);
  tellOfFolder(log);
  tellOfOpenRollback(books.journal.cursors, log, metrics);
  log.info(
    { host: server.host, port: server.port, environment: configuration.environment, recovered },
    "posbridge is ready",
  );
  const stop = async (): Promise<void> => {
    till.payments.close();
    till.deletions.stop();
    await till.engine.stop(breakage.graceMs);
    await closers.closeAll();
    log.info({}, "posbridge has stopped");
  };
  return {
    host: server.host,
    port: server.port,
    recovered,
    reload,
    ready,
    stopAsked: asked.promise,
    broken: breakage.broken,
    stop,
  };
}

interface Breakage {
  readonly broken: Promise<string>;
  breaks(payment: string, cause: unknown): void;
  /** The process must end, with this problem and its fix. Running payments may finish. */
  ends(problem: string): void;
  /** Time that the engine may still wait for running payments. */
  graceMs(): number;
}

function watchBreakage(): Breakage {
  const broken = Promise.withResolvers<string>();
  let graceMs = STOP_GRACE_MS;
  return {
    broken: broken.promise,
    graceMs: () => graceMs,
    ends: broken.resolve,
    breaks: (payment, cause) => {
      const isJournal = cause instanceof JournalBroken;
      // No step can be written, so nothing can finish: waiting would only delay the next process.
      if (isJournal) graceMs = 0;
      broken.resolve(
        isJournal
          ? cause.message
          : `payment ${payment} could not go on; start the bridge again, it recovers what is open`,
      );
    },
  };
}

interface Watched {
  readonly configuration: Configuration;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly books: Books;
  readonly till: Till;
  readonly terminals: TerminalSet;
  readonly closers: Closers;
  forgetConnections(): void;
}

/** Watches overdue payments, the disk, and sleep of the machine. */
function watchOver({ configuration, log, metrics, books, till, terminals, closers, forgetConnections }: Watched): void {
  const { clock } = ports;
  const { holderOf } = till.payments;
  metrics.watchLooks(() => looksWaiting(till.engine));
  metrics.watchRollback(() => openRollback(books.journal.cursors) !== undefined);
  closers.add("waking", watchWaking({ clock, upMs: systemUpMs, log, terminals, holderOf, forgetConnections }));
  closers.add(
    "overdue payments",
    watchOverdue({ open: () => openNow(till.engine, till.gateway), clock, log, metrics }),
  );
  closers.add(
    "disk",
    watchDisk({ clock, log, metrics, look: () => lookAtStorage(configuration.dataDir, books.journal) }),
  );
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
