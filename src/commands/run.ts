import { Command } from "commander";
import { knownModels } from "../agent-models.ts";
import type { Reload } from "../agent-reload.ts";
import type { ConfigurationReading } from "../config/parse.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { builtPages } from "./built-pages.ts";
import { requireConfiguration } from "./configuration-file.ts";
import { loadAddonsBy, usualFolders } from "./packed-addons.ts";
import { hearHangUps } from "./system-hangup.ts";
import { OperationFailed, type Output } from "./terminal-output.ts";

/** `run --config FILE`: the daemon. */
export function runCommand(output: Output, models: readonly DriverModel[]): Command {
  return new Command("run")
    .description("run the bridge until it is told to stop (posbridge stop, SIGTERM, Ctrl-C)")
    .requiredOption("--config <file>", "configuration (YAML); see config/posbridge.example.yaml")
    .option("--log-level <level>", "debug, info, warn or error (default: log.level of the configuration, or info)")
    .addHelpText("after", "\nExample:\n  posbridge run --config /etc/posbridge/posbridge.yaml")
    .action(async ({ config, logLevel }: { config: string; logLevel?: string }) => {
      // From here on the signals ask for an orderly end, also while the bridge is still starting.
      const stopped = output.stopped.then(() => undefined);
      const hangUps = hearHangUps(output.tty);
      const configuration = await requireConfiguration(config, knownModels(models), output);
      // On a machine where nothing else may be written, the data folder always may.
      loadAddonsBy([...usualFolders(process.env), configuration.dataDir]);
      const [{ startAgent }, { loadConfiguration }, { requireDevices }, { managerTold }, { startProblem }, { systemLog }] = await Promise.all([
        import("../agent.ts"),
        import("../config/load.ts"),
        import("./devices-present.ts"),
        import("./system-notify.ts"),
        import("./start-problem.ts"),
        import("./system-log.ts"),
      ]);
      await requireDevices(configuration);
      const built = builtPages("shop");
      const pages = built && { built, meta: () => ({}) };
      const face = systemLog(configuration.log, logLevel);
      const reread = (): ConfigurationReading => loadConfiguration(config, knownModels(models), process.env);
      const agent = await startAgent(configuration, models, { ...face, reread, pages }).catch((cause: unknown) => {
        throw startProblem(cause);
      });
      const manager = managerTold(process.env, face.log);
      const reload: Reload = (by, dryRun) => manager.reloading(() => agent.reload(by, dryRun));
      hangUps.hear(() => void reload("SIGHUP", false));
      await manager.ready(agent.ready);
      const ended = await Promise.race([stopped, agent.stopAsked, agent.broken]);
      manager.stopping();
      await agent.stop();
      if (ended !== undefined) throw new OperationFailed(ended);
    });
}
