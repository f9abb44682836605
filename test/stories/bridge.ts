import { driverModels } from "../../drivers/index.ts";
import { createFindings } from "../../src/agent/findings.ts";
import { gatewayOver } from "../../src/agent/gateway.ts";
import { knownModels } from "../../src/agent/models.ts";
import { openPairedStore, openRoster } from "../../src/agent/roster.ts";
import { tellOfSocket } from "../../src/agent/serving.ts";
import { createTechnician } from "../../src/agent/technician.ts";
import { tellOfElsewhere } from "../../src/agent/telling.ts";
import { openTill } from "../../src/agent/till.ts";
import { watchWaking } from "../../src/agent/waking.ts";
import type { Configuration, TerminalSettings } from "../../src/config/configuration.ts";
import { loadConfiguration } from "../../src/config/load.ts";
import type { DeletionBook, Gateway, Journal } from "../../src/engine/ports.ts";
import type { PaymentsDesk } from "../../src/engine/service/payment-service.ts";
import type { Engine } from "../../src/engine/shell/engine.ts";
import type { HttpExchange } from "../../src/gateway/http-exchange.ts";
import { createProbe } from "../../src/gateway/probe.ts";
import { openKnownTerminals } from "../../src/journal/known-terminals.ts";
import { isDamage, mendOf } from "../../src/journal/sqlite-error.ts";
import type { Clock } from "../../src/kit/clock.ts";
import { seededRandom } from "../../src/kit/seeded-random.ts";
import { createAudit } from "../../src/observe/audit.ts";
import type { Log } from "../../src/observe/log.ts";
import { createMetrics, type Metrics } from "../../src/observe/metrics.ts";
import type { RecentLines } from "../../src/observe/recent-lines.ts";
import { createRegisterPairing } from "../../src/register/pairing/desk.ts";
import { type Connection, type Outlet, openConnection } from "../../src/register/rpc/connection.ts";
import { openTokens, type TokenStore } from "../../src/register/tokens/tokens.ts";
import { clockDigits } from "../../src/simulator/request-text.ts";
import { LinkError } from "../../src/terminal/link.ts";
import type { Trace } from "../../src/terminal/trace.ts";
import { BRIDGE_KEY } from "../contract/fake-registers.ts";
import { HERE } from "../contract/talk.ts";
import type { Plug } from "../support/cable.ts";
import { createMortal, type Sleeper } from "../support/mortal.ts";

export interface LifeOn {
  readonly clock: Clock;
  readonly configFile: string;
  readonly dataDir: string;
  readonly journal: Journal;
  readonly deletions: DeletionBook;
  readonly http: HttpExchange;
  /** By the paths of their serial devices. */
  readonly plugs: ReadonlyMap<string, Plug>;
  readonly log: Log;
  /** The last lines of the log. */
  readonly recent: RecentLines;
  /** No two lives of a shop have the same. */
  readonly seed: number;
}

/**
 * One life of a bridge: what a daemon runs between its journal, its lines and its sockets, until it is stopped or
 * killed.
 */
export interface Life {
  readonly tokens: TokenStore;
  /** As a visitor of /metrics reads them. */
  figures(): Promise<string>;
  /** What goes over each terminal's line, by its id. */
  readonly traces: ReadonlyMap<string, Trace>;
  isAlive(): boolean;
  /** Payments in memory: those of which something is still owed, or looked at once more. */
  active(): number;
  /** Open register sockets. */
  sockets(): number;
  /** A register's socket that has just been opened. */
  accept(outlet: Outlet): Connection;
  /** As after SIGTERM. */
  stop(): Promise<void>;
  /** As after SIGKILL: nothing of it goes on. */
  die(): void;
  /** As after SIGSTOP, or as the whole machine sleeps; the function that is returned wakes it. */
  sleep(what: Sleeper): () => void;
  /** Calls at its death; what is returned stops waiting for that. */
  whenDead(run: () => void): () => void;
}

/** What a daemon that is told to stop gives a running payment (src/agent/agent.ts). */
const STOP_GRACE_MS = 20_000;

export async function beginLife(on: LifeOn): Promise<Life> {
  const { dataDir, plugs, log } = on;
  const file = configurationIn(on.configFile);
  const mortal = createMortal(on.clock);
  const { clock } = mortal;
  const random = seededRandom(on.seed);
  const tokens = openTokens({ clock, random, dataDir, disk: { isDamage, mendOf } });
  const localTime = () => clockDigits(clock.now());
  const lineTo = (terminal: TerminalSettings) => ({
    open: () => mortal.link(async () => plugOf(plugs, terminal).open()),
    place: () => ({}),
  });
  const { environment } = file;
  const metrics = createMetrics({
    version: "0",
    environment,
    terminals: () => [],
    registerSockets: () => 0,
    logLinesLost: () => 0,
  });
  const traces = new Map<string, Trace>();
  const sessions = { clock, random, log, metrics, traces, localTime, lineTo, known: openKnownTerminals(dataDir) };
  const look = async () => ({ devices: [], notes: [] });
  const roster = openRoster({ file, models: driverModels, store: openPairedStore(dataDir), ports: sessions, look });
  const { configuration, terminals } = roster;
  const { engine, payments, deletions, gateway, equip } = openTill({
    ports: { clock, random, localTime, wallTime, startOfDay: (at) => at - (at % 86_400_000) },
    ...{ configuration, models: driverModels, log, metrics, terminals },
    books: {
      journal: { ...on.journal, append: (...appended) => mortal.survived(on.journal.append(...appended)) },
      deletions: on.deletions,
    },
    gateway: gatewayOver(mortal.exchange(on.http), configuration.gateway, clock, log),
    broken: (payment, cause) => log.error({ payment, error: String(cause) }, "the bridge broke"),
  });
  const technician = technicianIn({ ...on, clock }, configuration, {
    engine,
    payments,
    gateway,
    traces,
    metrics,
    http: mortal.exchange(on.http),
  });
  const connections = new Set<Connection>();
  const mourners = new Set<() => void>();
  const audit = createAudit({ log, metrics, clock });
  const told = tellOfSocket(log, audit);
  const pairing = roster.pairing({
    heldBy: payments.holderOf,
    changed: equip,
    audit: (change) => audit.note({ on: "terminal-changed", ...change }),
  });
  const registers = createRegisterPairing({ clock, tokens, audit: audit.note });
  const died = (): void => {
    if (!mortal.isAlive()) return;
    mortal.die();
    tokens.close();
    for (const plug of plugs.values()) plug.drop();
    for (const run of mourners) run();
  };
  const life: Life = {
    tokens,
    figures: metrics.text,
    traces,
    isAlive: mortal.isAlive,
    active: () => engine.active().length,
    sockets: () => connections.size,
    accept: (outlet) => {
      const bridge = { name: "posbridge", version: "0", id: "brg_story" };
      const problem = (error: unknown, where: string): void =>
        log.error({ where, error: String(error) }, "a call failed");
      const connection = openConnection(
        {
          payments,
          pairing,
          technician,
          tokens,
          clock,
          problem,
          bridge,
          environment,
          registers,
          key: BRIDGE_KEY,
          socket: { nonce: "n0", place: HERE, isLocal: true, from: "story" },
          audit: told,
        },
        outlet,
      );
      connections.add(connection);
      return {
        ...connection,
        receive: (frame) => mortal.whenAwake(() => connection.receive(frame)),
        closed: () => {
          connections.delete(connection);
          connection.closed();
        },
      };
    },
    sleep: mortal.sleep,
    stop: async () => {
      stopWatching();
      payments.close();
      deletions.stop();
      await engine.stop(() => STOP_GRACE_MS);
      for (const connection of connections) connection.end("stopping");
      pairing.stop();
      await terminals.stop();
      log.info({}, "posbridge has stopped");
      died();
    },
    die: died,
    whenDead: (run) => {
      mourners.add(run);
      return () => void mourners.delete(run);
    },
  };
  await mortal.survived(engine.recover());
  await mortal.survived(deletions.recover());
  terminals.start();
  const { holderOf } = payments;
  const stopWatching = watchWaking({
    clock,
    upMs: on.clock.monotonic,
    log,
    terminals,
    holderOf,
    forgetConnections: () => undefined,
  });
  tellOfElsewhere(engine.active(), gateway, log);
  log.info({}, "posbridge is ready");
  return life;
}

interface Insides {
  readonly engine: Engine;
  readonly payments: PaymentsDesk;
  readonly gateway: Gateway;
  readonly traces: ReadonlyMap<string, Trace>;
  readonly metrics: Metrics;
  readonly http: HttpExchange;
}

function technicianIn(
  { clock, journal, recent, dataDir }: LifeOn,
  configuration: Configuration,
  { engine, payments, gateway, traces, metrics, http }: Insides,
) {
  const { baseUrl, accessToken } = configuration.gateway;
  const findings = createFindings({
    ...{
      configuration,
      clock,
      budget: engine.budget,
      terminals: payments.terminals,
      isRolledBack: () => false,
      port: () => 7717,
      linesLost: () => 0,
      needsRestart: () => [],
      devices: async () => [],
    },
    probe: createProbe({ http, clock, baseUrl, accessToken }),
    journal: { probe: async () => undefined, lastNumber: journal.lastNumber },
    journalFile: `${dataDir}/journal.db`,
  });
  return createTechnician({
    ...{ version: "0", bridge: "brg_story", configuration, clock, payments, gateway, traces, recent, findings },
    metrics: metrics.text,
  });
}

function configurationIn(file: string): Configuration {
  const reading = loadConfiguration(file, knownModels(driverModels), {});
  if (!reading.ok) throw new Error(reading.problems.map(({ path, message }) => `${path}: ${message}`).join("; "));
  return reading.configuration;
}

function plugOf(plugs: ReadonlyMap<string, Plug>, { connection }: TerminalSettings): Plug {
  const path = connection.kind === "serial" ? connection.path : "";
  const plug = plugs.get(path);
  if (plug === undefined) throw new LinkError("not-found", `there is no ${path}; plug the terminal in`);
  return plug;
}

/** A shop in London in winter. */
function wallTime(epochMs: number): { readonly date: string; readonly time: string } {
  const text = new Date(epochMs).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 19) };
}
