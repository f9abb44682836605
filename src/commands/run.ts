import { Command, Option } from "commander";
import type { Agent } from "../agent/agent.ts";
import { knownModels } from "../agent/models.ts";
import type { Reload } from "../agent/reload.ts";
import type { ConfigurationReading } from "../config/parse.ts";
import { LISTEN_PORT } from "../config/schema.ts";
import { type StartedBy, startedBySystemd } from "../control/stop.ts";
import type { DriverModel } from "../terminal/driver.ts";
import type { WindowsService } from "../windows/service.ts";
import { builtPages } from "./built-pages.ts";
import { firstConfiguration } from "./first-configuration.ts";
import { loadAddonsBy, usualFolders } from "./packed-addons.ts";
import { hearHangUps } from "./system-hangup.ts";
import { OperationFailed, type Output } from "./terminal-output.ts";

const EXAMPLE = `
Where no --config is given and no configuration is at a usual place, a page at http://127.0.0.1:7717/ says what to do. The bridge
starts by itself once the file is there. A file of --config that is not there ends the command, unless --setup-page is given.

Example:
  posbridge run --config /etc/posbridge/posbridge.yaml`;

interface RunOptions {
  readonly config?: string;
  readonly setupPage?: true;
  readonly logLevel?: string;
  readonly windowsService?: true;
}

/** `run [--config FILE]`: the daemon. */
export function runCommand(output: Output, models: readonly DriverModel[]): Command {
  return new Command("run")
    .description("run the bridge until it is told to stop (posbridge stop, SIGTERM, Ctrl-C)")
    .option("--config <file>", "configuration (YAML); default: /etc/posbridge/posbridge.yaml, else ./posbridge.yaml")
    .option(
      "--setup-page",
      "while the file of --config is not there or has problems, serve a page that says what to do, and wait for it",
    )
    .option("--log-level <level>", "debug, info, warn or error (default: log.level of the configuration, or info)")
    .addOption(new Option("--windows-service", "what Windows' service manager starts the program with").hideHelp())
    .addHelpText("after", EXAMPLE)
    .action(async (options: RunOptions) => {
      if (options.windowsService !== true) return runBridge(options, output, models);
      const { asWindowsService } = await import("./windows-service.ts");
      await asWindowsService(output, (to, service) => runBridge(options, to, models, service));
    });
}

async function runBridge(
  { config, setupPage, logLevel }: RunOptions,
  output: Output,
  models: readonly DriverModel[],
  service?: WindowsService,
): Promise<void> {
  // From here on signals ask for an orderly end, even during the start.
  const stopped = output.stopped.then(() => undefined);
  const hangUps = hearHangUps(output.tty);
  const known = knownModels(models);
  const { managerTold } = await import("./system-notify.ts");
  const manager = managerTold(process.env);
  const configuration = await firstConfiguration({
    config,
    waits: setupPage === true,
    models: known,
    output,
    stopped,
    logLevel,
    port: LISTEN_PORT,
    manager,
  });
  if (configuration === undefined) return;
  // The data folder is always writable, even if nothing else is.
  loadAddonsBy([...usualFolders(process.env), configuration.dataDir]);
  const [{ startAgent }, { loadConfiguration }, { requireDevices }, { startProblem }, { systemLog }] =
    await Promise.all([
      import("../agent/agent.ts"),
      import("../config/load.ts"),
      import("./devices-present.ts"),
      import("./start-problem.ts"),
      import("./system-log.ts"),
    ]);
  const built = builtPages("shop");
  const pages = built && { built, meta: () => ({}) };
  const face = await systemLog(configuration.log, logLevel);
  const reread = (): ConfigurationReading => loadConfiguration(configuration.file, known, process.env);
  const start = async (): Promise<Agent> => {
    await requireDevices(configuration);
    return startAgent(configuration, models, { ...face, reread, pages, startedBy: startedBy(service) });
  };
  const agent = await start().catch((cause: unknown) => {
    const problem = startProblem(cause);
    // Nobody may read the stderr of a service.
    if (configuration.log.file !== undefined)
      face.log.error({ problem: wordsOf(problem) }, "the bridge does not start");
    throw problem;
  });
  const reload: Reload = (by, dryRun) => manager.reloading(() => agent.reload(by, dryRun));
  hangUps.hear(() => void reload("SIGHUP", false));
  await manager.ready(agent.ready, face.log);
  service?.ready();
  const ended = await Promise.race([
    stopped,
    agent.stopAsked,
    agent.broken,
    ...(service === undefined ? [] : [service.stopAsked]),
  ]);
  manager.stopping();
  await agent.stop();
  if (ended !== undefined) throw new OperationFailed(ended);
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function startedBy(service: WindowsService | undefined): StartedBy | undefined {
  if (service !== undefined) return "windows";
  return startedBySystemd(process.env, process.pid) ? "systemd" : undefined;
}
