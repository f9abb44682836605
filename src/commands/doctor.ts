import { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { knownModels } from "../agent/models.ts";
import type { Check } from "../checks/check.ts";
import type { Findings, OutsideFindings } from "../checks/findings.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Problem } from "../config/problem.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { checkLines, checksSummary } from "./check-lines.ts";
import { loadAddonsBy, usualFolders } from "./packed-addons.ts";
import { OperationFailed, type Output } from "./terminal-output.ts";

const EXAMPLE = `
Each line is ok, warn or fail, what was seen, and the fix. Where a bridge runs on the configuration's data folder, it is asked; else this
command looks by itself. It writes nothing, starts no payment, opens no device, and sends nothing to a terminal. A terminal in the
network is connected to and left again. The gateway is asked for a payment that does not exist.

Without --config: the configuration at /etc/posbridge/posbridge.yaml or ./posbridge.yaml; where there is none, this machine alone.

Exit code 0: nothing fails (warnings are allowed); 1: something fails.

Example:
  posbridge doctor
  sudo -u posbridge posbridge doctor --config /etc/posbridge/posbridge.yaml
  posbridge doctor --json`;

interface DoctorOptions {
  readonly config?: string;
  readonly json?: true;
}

/** Ports of the command besides the command line. */
export interface DoctorStand {
  /** Places searched for an unnamed configuration. */
  readonly places: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Found = Partial<Findings & OutsideFindings>;

/** `doctor [--config FILE] [--json]`: checks everything that the bridge depends on, each finding with its fix. */
export function doctorCommand(output: Output, models: readonly DriverModel[], stand?: DoctorStand): Command {
  return new Command("doctor")
    .description("look at what the bridge stands on, and say what to do where it is not well")
    .option("--config <file>", "the bridge's configuration")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action(async ({ config, json }: DoctorOptions) => {
      output.progress?.("Looking at gateway, clock, disk, journal, devices and ports (20 s at most) ...");
      const checks = await checksOf(config, models, stand ?? (await systemStand())).finally(() => output.progress?.());
      if (json === true) output.out(JSON.stringify({ ok: !checks.some(isFailed), checks }, null, 2));
      else for (const line of checkLines(checks, output.tty && process.env["NO_COLOR"] === undefined)) output.out(line);
      const failed = checks.filter(isFailed);
      if (failed.length > 0)
        throw new OperationFailed(`${checksSummary(checks)}: do what stands behind "Fix:", then run it again`);
      if (json !== true) output.out(checksSummary(checks));
    });
}

function isFailed({ state }: Check): boolean {
  return state === "fail";
}

async function systemStand(): Promise<DoctorStand> {
  const { DEFAULT_PLACES } = await import("./default-configuration.ts");
  return { places: DEFAULT_PLACES, env: process.env };
}

/** Checks the named configuration, or the one at a usual place. */
export async function checksOf(
  named: string | undefined,
  models: readonly DriverModel[],
  { places, env }: DoctorStand,
): Promise<readonly Check[]> {
  const [{ judge }, { foundConfiguration }, machine] = await Promise.all([
    import("../checks/judge.ts"),
    import("./default-configuration.ts"),
    openMachine(models),
  ]);
  const file = named ?? foundConfiguration(places);
  if (file === undefined)
    return judge({ ...machine.runtime, configuration: { is: "absent", places }, ...(await machine.alone()) });
  const [{ loadConfiguration, loadDataDir }, { dataFolderTerminals }] = await Promise.all([
    import("../config/load.ts"),
    import("../agent/roster.ts"),
  ]);
  loadAddonsBy(usualFolders(env));
  const known = knownModels(models);
  const reading = loadConfiguration(file, known, env);
  const dataDir = reading.ok ? reading.configuration.dataDir : dataDirIn(loadDataDir(file));
  const paired = reading.ok ? dataFolderTerminals(reading.configuration, known) : undefined;
  const outside = {
    ...machine.runtime,
    configuration: configurationFound(
      file,
      reading.ok ? [] : reading.problems,
      paired?.ok === false ? paired.problems : [],
    ),
    user: await userOf(dataDir),
  };
  const running = dataDir === undefined ? undefined : await askBridge(dataDir, outside.user);
  if (running?.checks !== undefined) {
    // The bridge's own report about its runtime counts.
    const { runtime: _, ...seen } = outside;
    return [...judge({ ...seen, bridge: running.bridge }), ...running.checks];
  }
  const bridge = running?.bridge ?? { is: "none" as const };
  const found: Found =
    reading.ok && bridge.is === "none" ? await machine.atRest(reading.configuration) : await machine.alone();
  // The holder of the control socket also has the port.
  const { port: _, ...withoutPort } = found;
  return judge({
    ...outside,
    ...(dataDir !== undefined && { bridge }),
    ...(bridge.is === "silent" || bridge.is === "hidden" ? withoutPort : found),
  });
}

function dataDirIn(
  reading: { readonly ok: true; readonly dataDir: string } | { readonly ok: false },
): string | undefined {
  return reading.ok ? reading.dataDir : undefined;
}

function configurationFound(
  file: string,
  problems: readonly Problem[],
  paired: readonly string[],
): OutsideFindings["configuration"] {
  const found = [
    ...problems.map(({ line, path, message }) => ({
      where: `${file}:${line === undefined ? "" : `${line}:`}${path === "" ? "" : ` ${path}`}`,
      ...halves(message),
    })),
    ...paired.map((message) => ({ where: "", ...halves(message) })),
  ];
  return found.length === 0 ? { is: "sound", file } : { is: "wrong", file, problems: found };
}

/** A problem's message consists of the problem, a semicolon and the fix. */
function halves(message: string): { readonly problem: string; readonly mend: string } {
  const at = message.indexOf("; ");
  if (at === -1) return { problem: message, mend: "Correct it, then try: posbridge check-config FILE" };
  const mend = message.slice(at + 2);
  return { problem: message.slice(0, at), mend: `${mend.charAt(0).toUpperCase()}${mend.slice(1)}` };
}

async function userOf(dataDir: string | undefined): Promise<OutsideFindings["user"]> {
  const [fs, { systemUser }, { userName }] = await Promise.all([
    import("node:fs"),
    import("../kit/system-path-access.ts"),
    import("../kit/system-accounts.ts"),
  ]);
  const owner = dataDir === undefined ? undefined : ownerOf(fs, dataDir);
  return {
    isRoot: systemUser() === 0,
    ...(owner !== undefined && owner !== 0 && { owner: { uid: owner, name: userName(owner) } }),
  };
}

/** Undefined: there is no folder, or a parent is closed; asking the bridge reports that. */
function ownerOf({ statSync }: Pick<typeof import("node:fs"), "statSync">, dataDir: string): number | undefined {
  try {
    return statSync(dataDir, { throwIfNoEntry: false })?.uid;
  } catch {
    return undefined;
  }
}

interface Asked {
  readonly bridge: OutsideFindings["bridge"];
  /** The bridge's own checks. */
  readonly checks?: readonly Check[];
}

/** Undefined: no bridge runs. */
async function askBridge(dataDir: string, { owner }: OutsideFindings["user"]): Promise<Asked | undefined> {
  const [{ askDaemon }, { ControlFailed }, { bridgeChecks, ping }, { systemClock }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/address.ts"),
    import("../control/methods.ts"),
    import("../kit/system-clock.ts"),
  ]);
  const on = { dataDir, clock: systemClock };
  try {
    const here = await askDaemon(on, ping, {});
    if (here.is === "no-daemon") return undefined;
    if (!here.reply.ok) return { bridge: { is: "silent", problem: here.reply.message } };
    const { pid, version } = here.reply.value;
    const asked = await askDaemon(on, bridgeChecks, {});
    const bridge = { is: "running", pid, version, own: manifest.version } as const;
    return asked.is === "answered" && asked.reply.ok
      ? { bridge, checks: asked.reply.value.checks.map(checkOf) }
      : { bridge: { is: "silent", problem: "it gave no checks" } };
  } catch (cause) {
    if (cause instanceof ControlFailed && cause.isForbidden)
      return { bridge: { is: "hidden", dataDir, ...(owner !== undefined && { owner }) } };
    if (cause instanceof ControlFailed) return { bridge: { is: "silent", problem: cause.message } };
    throw cause;
  }
}

function checkOf({ fix, ...check }: Omit<Check, "fix"> & { readonly fix?: string | undefined }): Check {
  return { ...check, ...(fix !== undefined && { fix }) };
}

interface Machine {
  readonly runtime: Pick<Findings, "runtime">;
  alone(): Promise<Found>;
  atRest(configuration: Configuration): Promise<Found>;
}

/** Checks that need native code. If it cannot be loaded, that is a finding of its own. */
async function openMachine(models: readonly DriverModel[]): Promise<Machine> {
  const [{ runtimeProblem }, { systemClock }, { clockSynchronized }] = await Promise.all([
    import("../kit/runtime.ts"),
    import("../kit/system-clock.ts"),
    import("./clock-synchronized.ts"),
  ]);
  const version = process.versions.node;
  const problem = runtimeProblem(version);
  const on = { clock: systemClock, models, synchronized: clockSynchronized };
  try {
    const { findingsAtRest, findingsOfMachine } = await import("../agent/doctor.ts");
    const runtime = { version, ...(problem !== undefined && { problem }) };
    return {
      runtime: { runtime },
      alone: () => findingsOfMachine(on),
      atRest: (configuration) => findingsAtRest(configuration, on),
    };
  } catch (cause) {
    const addonProblem = cause instanceof Error ? cause.message : String(cause);
    return { runtime: { runtime: { version, addonProblem } }, alone: async () => ({}), atRest: async () => ({}) };
  }
}
