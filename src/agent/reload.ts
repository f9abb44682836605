import type { Configuration, TlsIdentity } from "../config/configuration.ts";
import type { ConfigurationReading } from "../config/parse.ts";
import { problemLines } from "../config/problem.ts";
import { reloading } from "../config/reload.ts";
import { createTurns } from "../kit/turns.ts";
import type { Log } from "../observe/log.ts";
import type { TerminalsReloaded } from "./pairing-reload.ts";

/** The result of a newly read configuration. */
export type Reloaded =
  | {
      readonly ok: true;
      readonly file: string;
      readonly applied: readonly string[];
      readonly needsRestart: readonly string[];
      /** Changes that cannot be made now, one line each with the fix. */
      readonly waiting: readonly string[];
    }
  | { readonly ok: false; readonly file: string; readonly problems: readonly string[] };

export interface ReloadPorts {
  /** The effective configuration file. */
  current(): Configuration;
  reread(): ConfigurationReading;
  terminals(wanted: { readonly file: Configuration; readonly dryRun: boolean }): Promise<TerminalsReloaded>;
  certify(tls: TlsIdentity): void;
  setLevel(level: Configuration["log"]["level"]): void;
  /** Gets the keys that wait for a restart, after each reload. */
  needsRestart(keys: readonly string[]): void;
  readonly log: Pick<Log, "info" | "error">;
}

export type Reload = (by: string, dryRun: boolean) => Promise<Reloaded>;

/** Changes of the configuration in effect, one at a time. */
export interface Reloads {
  /**
   * Reads the configuration anew and applies what can change while the bridge runs. A file with a problem changes
   * nothing.
   */
  readonly reload: Reload;
  /** Serves registers with another certificate, without reading the file. */
  certify(tls: TlsIdentity): Promise<void>;
}

export function createReloads(ports: ReloadPorts): Reloads {
  const turns = createTurns();
  return {
    reload: (by, dryRun) => turns("reload", () => reload(ports, by, dryRun)),
    certify: (tls) => turns("reload", () => certify(ports, tls)),
  };
}

async function certify({ current, terminals, certify: serve }: ReloadPorts, tls: TlsIdentity): Promise<void> {
  const before = current();
  const kept = await terminals({ file: { ...before, listen: { ...before.listen, tls } }, dryRun: false });
  if (!kept.ok) throw new Error(`the certificate is not in effect: ${kept.problems.join("; ")}`);
  serve(tls);
}

async function reload(ports: ReloadPorts, by: string, dryRun: boolean): Promise<Reloaded> {
  const { log } = ports;
  const before = ports.current();
  const { file } = before;
  const refused = (problems: readonly string[]): Reloaded => {
    if (!dryRun) log.error({ audit: true, by, problems }, "the configuration is not valid: nothing was changed");
    return { ok: false, file, problems };
  };
  const reading = ports.reread();
  if (!reading.ok) return refused(problemLines(file, reading.problems));
  const { configuration, applied: keys, needsRestart } = reloading(before, reading.configuration);
  const terminals = await ports.terminals({ file: configuration, dryRun });
  if (!terminals.ok) return refused(terminals.problems);
  const { waiting } = terminals;
  const applied = waiting.length > 0 ? keys.filter((key) => key !== "terminals") : keys;
  const { tls } = configuration.listen;
  if (!dryRun) {
    if (tls !== undefined && applied.some((key) => key.startsWith("listen.tls."))) ports.certify(tls);
    ports.setLevel(configuration.log.level);
    ports.needsRestart(needsRestart);
    log.info({ audit: true, by, applied, needsRestart, waiting }, "the configuration was read anew");
  }
  return { ok: true, file, applied, needsRestart, waiting };
}

/** The result as lines for a person. */
export function reloadedLines(reloaded: Reloaded): readonly string[] {
  if (!reloaded.ok) return [...reloaded.problems, `${reloaded.file} is not valid: nothing was changed`];
  const { file, applied, needsRestart, waiting } = reloaded;
  const changes = [
    ...applied.map((key) => `${key}: applied`),
    ...needsRestart.map((key) => `${key}: restart to apply`),
    ...waiting,
  ];
  return changes.length > 0 ? changes : [`${file} says nothing new`];
}
