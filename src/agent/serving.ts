import path from "node:path";
import type { Configuration, LogLevel, TlsIdentity } from "../config/configuration.ts";
import { followed } from "../config/load.ts";
import type { ConfigurationReading } from "../config/parse.ts";
import { type CertificateHandlers, certificateHandlers } from "../control/certificates.ts";
import { checksHandlers } from "../control/checks.ts";
import type { ControlHandlers } from "../control/methods.ts";
import { type RegisterHandlers, registerHandlers } from "../control/registers.ts";
import { resolveHandlers } from "../control/resolve.ts";
import { rollbackHandlers } from "../control/rollbacks.ts";
import { serveControl } from "../control/server.ts";
import { type StartedBy, stopHandlers } from "../control/stop.ts";
import { bundleHandlers } from "../control/support-bundle.ts";
import { terminalHandlers } from "../control/terminals.ts";
import { type TokenHandlers, tokenHandlers } from "../control/tokens.ts";
import { traceHandlers } from "../control/trace.ts";
import type { GatewayProbe } from "../gateway/probe.ts";
import { type BuiltPages, type PageMeta, servePages } from "../http/pages.ts";
import { type HttpPorts, type HttpServer, startHttp } from "../http/server.ts";
import type { Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import { servedNames } from "../kit/served-names.ts";
import { systemMachineNames } from "../kit/system-machine-names.ts";
import { type Audit, createAudit } from "../observe/audit.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { MetricsSources } from "../observe/metrics-now.ts";
import type { RecentLines } from "../observe/recent-lines.ts";
import { createRegisterPairing, type RegisterPairing } from "../register/pairing/desk.ts";
import { openRpcText } from "../register/rpc/openrpc-text.ts";
import { openRegisterSockets } from "../register/rpc/socket.ts";
import type { SocketEvent } from "../register/rpc/socket-event.ts";
import type { Technician } from "../register/technician.ts";
import { tokensProblem } from "../register/tokens/token-database.ts";
import type { TokenStore } from "../register/tokens/tokens.ts";
import type { Trace } from "../terminal/trace.ts";
import { systemDeviceWitness } from "../transport/device-access.ts";
import { lookAtDevices } from "../transport/devices.ts";
import type { Books } from "./books.ts";
import { certificatesIn } from "./certificate-store.ts";
import { serveMade, watchCertificate } from "./certificates.ts";
import type { Closers } from "./closing.ts";
import { deviceFindings } from "./device-findings.ts";
import { createFindings, type FindingsPorts } from "./findings.ts";
import type { OpenPairing } from "./pairing.ts";
import { createReadiness } from "./ready.ts";
import { createReloads, type Reload, type Reloads, reloadedLines } from "./reload.ts";
import { openRollback, rollbackReasons } from "./rollback.ts";
import type { Roster } from "./roster.ts";
import { statusHandler } from "./status.ts";
import { createTechnician } from "./technician.ts";
import type { Till } from "./till.ts";
import { hearWebhooks } from "./webhooks.ts";

/** Sources of figures, set once they are open. */
export type Shown = { -readonly [K in "terminals" | "registerSockets"]: MetricsSources[K] };

/** Ports of the bridge's interfaces. */
export interface ServedPorts {
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly traces: ReadonlyMap<string, Trace>;
  readonly shown: Shown;
  readonly books: Books;
  readonly till: Till;
  readonly roster: Roster;
  readonly probe: GatewayProbe;
  readonly recent: RecentLines;
  linesLost(): number;
  readonly closers: Closers;
  reread?(): ConfigurationReading;
  setLevel?(level: LogLevel): void;
  readonly startedBy?: StartedBy | undefined;
  /** A command of this machine asks the bridge to stop. */
  stopAsked(): void;
  /** The web pages and their data, besides version and environment. */
  readonly pages?: ServedPages | undefined;
}

/** The web pages of this program. `meta` is called for each page request. */
export interface ServedPages {
  readonly built: BuiltPages;
  meta(path: string): PageMeta;
  /** Other origins that a page may contact; default none. */
  reaches?(path: string): readonly string[];
}

/** The opened server, and functions for others. */
interface Served {
  readonly server: HttpServer;
  readonly reload: Reload;
  readonly ready: Ready;
}

/** Opens the control socket for this machine's commands, and the one port for registers and people. */
export async function serveAll(configuration: Configuration, ports: ServedPorts): Promise<Served> {
  const { clock, log, metrics, till, books, closers } = ports;
  const audit = createAudit({ log, metrics, clock });
  closers.add("audit", audit.stop);
  const pairing = ports.roster.pairing({
    heldBy: till.payments.holderOf,
    changed: till.equip,
    audit: (change) => audit.note({ on: "terminal-changed", ...change }),
  });
  closers.add("pairing", pairing.stop);
  let { port } = configuration.listen;
  let waiting: readonly string[] = [];
  const technician = technicianOf(configuration, ports, pairing, { port: () => port, needsRestart: () => waiting });
  const registers = createRegisterPairing({ clock, tokens: books.tokens, audit: audit.note });
  const bundles = bundleHandlers(technician, (by) => audit.note({ on: "support-bundle-made", by }));
  const ready = readinessOf(ports);
  let certify: HttpServer["certify"] = () => undefined;
  const { reload, certify: serveCertificate } = reloadsOf(ports, pairing, {
    certify: (tls) => certify(tls),
    needsRestart: (keys) => {
      waiting = keys;
    },
  });
  const handlers = {
    "bridge.reload": reloadHandler(reload),
    ...{
      ...controlHandlers(ports, audit, pairing),
      ...bundles,
      ...checksHandlers(technician),
      ...registerHandlers(registers, tokensProblem),
      "bridge.status": statusOf(ports, ready),
    },
    ...ownCertificates(configuration, ports, serveCertificate),
    ...stopHandlers(ports.stopAsked, process.pid, log, ports.startedBy),
  };
  const control = await serveControl({ dataDir: configuration.dataDir, clock, problem: problemOf(log), handlers });
  closers.add("control socket", () => control.close());
  const server = await serveRegisters(configuration, ports, audit, { pairing, registers, technician, ready });
  ({ port, certify } = server);
  closers.add("register port", () => server.close());
  if (configuration.webhooks !== undefined) {
    const heard = await hearWebhooks(configuration.webhooks, { engine: till.engine, metrics, log, clock });
    closers.add("webhooks", () => heard.close());
  }
  tellOfTokens(books.tokens, log);
  return { server, reload, ready };
}

function ownCertificates(
  { dataDir }: Configuration,
  { roster, clock, log, closers }: ServedPorts,
  certify: Reloads["certify"],
): CertificateHandlers {
  const certificates = certificatesIn(dataDir, clock);
  const served = () => roster.current().listen.tls;
  closers.add("certificate", watchCertificate({ ...certificates, clock, log, served, certify }));
  return certificateHandlers(certificates.book, async (by) => {
    log.info({ audit: true, by }, "certificates were made for the bridge");
    return serveMade(certificates.store, { served, certify });
  });
}

interface ReloadHeard {
  certify(...tls: Parameters<HttpServer["certify"]>): void;
  needsRestart(keys: readonly string[]): void;
}

function reloadsOf(
  { roster, log, reread, setLevel }: ServedPorts,
  pairing: OpenPairing,
  { certify, needsRestart }: ReloadHeard,
): Reloads {
  return createReloads({
    ...{ log, current: pairing.file, terminals: pairing.reload },
    reread: reread ?? (() => ({ ok: true, configuration: roster.current() })),
    certify: ({ cert, key }) => certify({ cert, key: key.reveal() }),
    setLevel: (level) => setLevel?.(level),
    needsRestart,
  });
}

function reloadHandler(reload: Reload): ControlHandlers["bridge.reload"] {
  return async ({ by, dryRun }) => {
    const reloaded = await reload(by, dryRun);
    return { ok: true, value: { ok: reloaded.ok && reloaded.waiting.length === 0, lines: reloadedLines(reloaded) } };
  };
}

/** Tokens made while no bridge ran have no log line of their own; this line shows them. */
function tellOfTokens(tokens: Pick<TokenStore, "list">, log: Pick<Log, "info">): void {
  const made = tokens.list().flatMap((token) => ("createdAt" in token ? [token.createdAt] : []));
  const newest = made.toSorted().at(-1);
  log.info({ audit: true, tokens: made.length, ...(newest !== undefined && { newest }) }, "tokens of this data folder");
}

function problemOf(log: Log): (error: unknown, where: string) => void {
  return (error, where) =>
    log.error({ where, error: error instanceof Error ? error.message : String(error) }, "a call failed");
}

function controlHandlers(
  { version, books: { journal, tokens }, till, traces, log }: ServedPorts,
  audit: Audit,
  pairing: OpenPairing,
): Omit<
  ControlHandlers,
  | keyof RegisterHandlers
  | keyof CertificateHandlers
  | "bridge.supportBundle"
  | "bridge.checks"
  | "bridge.status"
  | "bridge.stop"
  | "bridge.reload"
> {
  const ping = async () => ({ ok: true, value: { bridge: journal.bridge, version, pid: process.pid } }) as const;
  return {
    ...auditedTokens(tokenHandlers(tokens, tokensProblem), audit),
    ...resolveHandlers(till.payments),
    ...rollbackHandlers(till.payments),
    ...traceHandlers(traces, log),
    ...terminalHandlers({ pairing, terminals: till.payments.terminals, test: till.payments.testTerminal }),
    ping,
  };
}

type Ready = () => Promise<readonly string[]>;

/** A single instance, so that all callers share the check of the disk. */
function readinessOf({ clock, till, books: { journal } }: ServedPorts): Ready {
  return createReadiness(
    { journal, connecting: till.engine.devices.connecting, known: () => rollbackReasons(journal.cursors) },
    clock,
  );
}

function statusOf(
  { version, recent, clock, books: { journal } }: ServedPorts,
  ready: Ready,
): ControlHandlers["bridge.status"] {
  return statusHandler({ version, bridge: journal.bridge, pid: process.pid, startedAt: clock.now(), recent, ready });
}

/** Adds the audit to the handlers for tokens. */
function auditedTokens(handlers: TokenHandlers, audit: Audit): TokenHandlers {
  return {
    ...handlers,
    "tokens.create": async (params) => {
      const created = await handlers["tokens.create"](params);
      if (!created.ok) return created;
      const { register, scopes, refundLimits } = created.value;
      audit.note({ on: "token-created", by: params.by, register, scopes, ...(refundLimits && { refundLimits }) });
      return created;
    },
    "tokens.revoke": async (params) => {
      const { by, register } = params;
      const revoked = await handlers["tokens.revoke"](params);
      if (revoked.ok) audit.note({ on: "tokens-revoked", by, register, revoked: revoked.value.revoked });
      return revoked;
    },
    "tokens.revokeDamaged": async (params) => {
      const revoked = await handlers["tokens.revokeDamaged"](params);
      if (revoked.ok) audit.note({ on: "tokens-revoked", by: params.by, revoked: revoked.value.revoked });
      return revoked;
    },
  };
}

interface RegisterParts {
  readonly pairing: OpenPairing;
  readonly registers: RegisterPairing;
  readonly technician: Technician;
  readonly ready: Ready;
}

function serveRegisters(
  configuration: Configuration,
  ports: ServedPorts,
  audit: Audit,
  { pairing, registers, technician, ready }: RegisterParts,
): Promise<HttpServer> {
  const { environment, listen } = configuration;
  const { current } = ports.roster;
  const { version, clock, random, log, metrics, shown, till, books, pages } = ports;
  const { journal, tokens } = books;
  const problem = problemOf(log);
  const bridge = { name: "posbridge", version, id: journal.bridge };
  const told = tellOfSocket(log, audit);
  const sockets = openRegisterSockets({
    clock,
    random,
    payments: till.payments,
    ...{ pairing, registers, tokens, technician, problem, environment, bridge },
    key: tokens.bridgeKey(),
    audit: told,
  });
  shown.registerSockets = sockets.count;
  return startHttp({
    names: () => servedNames(current().listen, systemMachineNames()),
    get origins() {
      return current().origins;
    },
    ...{ listen: listenerOf(listen), sockets, clock, problem, page: { version, environment } },
    pages: pages && servePages(pages.built, (path) => ({ version, environment, ...pages.meta(path) }), pages.reaches),
    openRpc: () => openRpcText(version),
    metrics: () => metrics.text(),
    ready,
    refused: (event) => audit.note({ on: "request-refused", ...event }),
  });
}

function technicianOf(
  configuration: Configuration,
  ports: ServedPorts,
  pairing: OpenPairing,
  now: Pick<FindingsPorts, "port" | "needsRestart">,
): Technician {
  const { version, clock, metrics, traces, recent, linesLost, probe, till } = ports;
  const { journal } = ports.books;
  const { payments, gateway, engine } = till;
  const isRolledBack = (): boolean => openRollback(journal.cursors) !== undefined;
  const witness = systemDeviceWitness();
  const devices = () =>
    deviceFindings(
      { models: [], terminals: pairing.inPlace(), followed, plugged: lookAtDevices, witness },
      { others: false },
    );
  const findings = createFindings({
    devices,
    get configuration() {
      return ports.roster.current();
    },
    ...{ clock, probe, journal, isRolledBack, linesLost, ...now, terminals: payments.terminals, budget: engine.budget },
    journalFile: path.join(configuration.dataDir, "journal.db"),
  });
  return createTechnician({
    get configuration() {
      return ports.roster.current();
    },
    ...{ version, bridge: journal.bridge, clock, payments, gateway, traces, recent, findings, metrics: metrics.text },
  });
}

/** Logs every call at `debug`; the audit decides about refused calls and sessions. */
export function tellOfSocket(log: Pick<Log, "debug">, audit: Pick<Audit, "note">): (event: SocketEvent) => void {
  return (event) => {
    if (event.on !== "call") {
      audit.note(event);
      return;
    }
    const { on: _, ms, code, ...call } = event;
    log.debug({ ...call, ...(code !== undefined && { code }), ms: Math.round(ms) }, "call");
    if (code !== undefined) audit.note({ on: "call-refused", ...call, code });
  };
}

/** The listener's settings; the only place that reads the private key. */
function listenerOf({
  host,
  port,
  tls,
}: {
  readonly host: string;
  readonly port: number;
  readonly tls?: TlsIdentity;
}): HttpPorts["listen"] {
  return { host, port, ...(tls && { tls: { cert: tls.cert, key: tls.key.reveal() } }) };
}
