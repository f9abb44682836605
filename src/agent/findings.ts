import fs from "node:fs";
import type { CredentialsFound, DeviceFound, Findings, FolderFound, PortFound } from "../checks/findings.ts";
import type { Configuration } from "../config/configuration.ts";
import { namesNotIn, validityOf } from "../config/pem.ts";
import type { Budget } from "../engine/gateway/query-budget.ts";
import type { GatewayProbe } from "../gateway/probe.ts";
import { type FolderLook, systemFolderAccess } from "../journal/folder-access.ts";
import type { Cancel, Clock } from "../kit/clock.ts";
import { runtimeProblem } from "../kit/runtime.ts";
import { servedNames } from "../kit/served-names.ts";
import { userName } from "../kit/system-accounts.ts";
import { systemMachineNames } from "../kit/system-machine-names.ts";
import { systemUser } from "../kit/system-path-access.ts";
import type { TerminalView } from "../register/ports.ts";
import { certificatesIn } from "./certificate-store.ts";

export interface FindingsPorts {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly probe: GatewayProbe;
  readonly budget: Pick<Budget, "ask" | "heard">;
  readonly journal: { probe(): Promise<void>; lastNumber(): Promise<number> };
  /** The journal's file. */
  readonly journalFile: string;
  isRolledBack(): boolean;
  terminals(): readonly TerminalView[];
  devices(): Promise<readonly DeviceFound[]>;
  /** The listening port. */
  port(): number;
  linesLost(): number;
  /** Keys that wait for the next start after a reload. */
  needsRestart(): readonly string[];
}

/** Examines everything that the bridge depends on. Simultaneous callers share one examination. */
export function createFindings(ports: FindingsPorts): () => Promise<Findings> {
  const credentials = createCredentials(ports);
  let running: Promise<Findings> | undefined;
  return () => {
    running ??= look(ports, credentials).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function look(ports: FindingsPorts, credentials: () => Promise<CredentialsFound>): Promise<Findings> {
  const { configuration, probe, journal } = ports;
  const looks = [writeProblemOf(journal), journal.lastNumber(), probe.reach(), credentials(), ports.devices()] as const;
  const [writeProblem, facts, gateway, asked, devices] = await Promise.all(looks);
  const problem = runtimeProblem(process.versions.node);
  const bytes = fs.statSync(ports.journalFile, { throwIfNoEntry: false })?.size;
  return {
    environment: configuration.environment,
    runtime: { version: process.versions.node, ...(problem !== undefined && { problem }) },
    folder: folderOf(configuration.dataDir),
    journal: { ...(writeProblem !== undefined && { writeProblem }), bytes, facts, rolledBack: ports.isRolledBack() },
    disk: diskOf(configuration.dataDir),
    gateway,
    credentials: asked,
    terminals: ports
      .terminals()
      .map(({ id, model, state, reason }) => ({ id, model, state, ...(reason !== undefined && { reason }) })),
    devices,
    port: portOf(ports),
    authority: await authorityOf(configuration.dataDir, ports.clock),
    log: { linesLost: ports.linesLost() },
    reload: { needsRestart: ports.needsRestart() },
  };
}

export async function writeProblemOf({ probe }: Pick<FindingsPorts["journal"], "probe">): Promise<string | undefined> {
  try {
    await probe();
    return undefined;
  } catch (cause) {
    return wordsOf(cause);
  }
}

export function folderOf(path: string): FolderFound {
  try {
    const { uid, mode } = fs.statSync(path);
    const user = systemUser();
    return user === undefined
      ? listedFolder(path, systemFolderAccess.look(path))
      : { path, owner: { uid, name: userName(uid) }, user, mode: mode & 0o7777 };
  } catch (cause) {
    return { problem: wordsOf(cause) };
  }
}

function listedFolder(path: string, look: FolderLook): FolderFound {
  switch (look.is) {
    case "closed":
      return { path };
    case "open":
      return { path, openTo: look.to, close: look.fix };
    case "untold":
      return { path, untold: look.why };
    case "foreign":
      return { problem: look.why };
  }
}

export function diskOf(path: string): Findings["disk"] {
  try {
    const { bavail, blocks, bsize } = fs.statfsSync(path);
    return { freeBytes: bavail * bsize, allBytes: blocks * bsize };
  } catch (cause) {
    return { problem: wordsOf(cause) };
  }
}

function portOf({ configuration: { listen }, port, clock }: FindingsPorts): Findings["port"] {
  return { host: listen.host, port: port(), ...certificateOf(listen, clock.now(), askedNames(listen)) };
}

/** Names by which registers may ask for the listener. */
export function askedNames(listen: Configuration["listen"]): readonly string[] {
  return servedNames(listen, systemMachineNames());
}

/** The listener's certificate, if any. `asked`: names by which clients may ask for it. */
export function certificateOf(
  { tls }: { readonly tls?: { readonly cert: string } },
  now: number,
  asked: readonly string[],
): Pick<PortFound, "tls"> {
  const validity = tls && validityOf(tls.cert);
  if (tls === undefined || validity === undefined) return {};
  const unnamed = namesNotIn(tls.cert, asked);
  return { tls: { ...validity, now, ...(unnamed.length > 0 && { unnamed }) } };
}

/** The certificate authority in a data folder. */
export async function authorityOf(dataDir: string, clock: Pick<Clock, "now">): Promise<Findings["authority"]> {
  const certificates = certificatesIn(dataDir, clock);
  if (!certificates.isMade()) return { is: "none" };
  const listed = (await certificates.book()).list();
  if (!listed.ok) return { is: "refused", problem: listed.message };
  const authority = listed.value.find(({ is }) => is === "authority");
  return authority === undefined
    ? { is: "none" }
    : { is: "sound", subject: authority.subject, validTo: Date.parse(authority.validTo), now: clock.now() };
}

export function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** How long an answer is reused: each question takes one of the few queries that payments need too. */
const ANSWER_COUNTS_MS = 60_000;
/** Time limit for getting a turn. */
const TURN_MS = 3_000;
/** The checks wait for queries like registers. No register's name ends with a blank. */
const TURN = { register: "checks " };

function createCredentials({
  configuration,
  clock,
  probe,
  budget,
  terminals,
}: FindingsPorts): () => Promise<CredentialsFound> {
  const { entityId } = configuration.gateway;
  let last: { readonly found: CredentialsFound; readonly at: number } | undefined;
  const ask = (): Promise<CredentialsFound> =>
    new Promise((resolve) => {
      let stop: Cancel = () => undefined;
      let isAsked = false;
      const leave = budget.ask(entityId, TURN, () => {
        isAsked = true;
        stop();
        void probe.ask(entityId).then((found) => {
          budget.heard(entityId, found.is === "throttled");
          resolve(found);
        });
      });
      if (isAsked) return;
      stop = clock.after(TURN_MS, () => {
        leave();
        resolve({ is: "not-asked" });
      });
    });
  return async () => {
    if (last !== undefined && clock.monotonic() - last.at < ANSWER_COUNTS_MS) return last.found;
    // The card at a terminal may need the query itself.
    if (terminals().some(({ state }) => state === "busy")) return { is: "not-asked" };
    const found = await ask();
    if (found.is !== "not-asked") last = { found, at: clock.monotonic() };
    return found;
  };
}
