import { Command } from "commander";
import { knownModels } from "../agent-models.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { builtPages } from "./built-pages.ts";
import { requireConfiguration } from "./configuration-file.ts";
import { loadAddonsBy, usualFolders } from "./packed-addons.ts";
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
      const configuration = await requireConfiguration(config, knownModels(models), output);
      // On a machine where nothing else may be written, the data folder always may.
      loadAddonsBy([...usualFolders(process.env), configuration.dataDir]);
      const [{ startAgent }, { requireDevices }, { startProblem }, { systemLog }] = await Promise.all([
        import("../agent.ts"),
        import("./devices-present.ts"),
        import("./start-problem.ts"),
        import("./system-log.ts"),
      ]);
      await requireDevices(configuration);
      const built = builtPages("shop");
      const pages = built && { built, meta: () => ({}) };
      const agent = await startAgent(configuration, models, { ...systemLog(configuration.log, logLevel), pages }).catch((cause: unknown) => {
        throw startProblem(cause);
      });
      const ended = await Promise.race([stopped, agent.stopAsked, agent.broken]);
      await agent.stop();
      if (ended !== undefined) throw new OperationFailed(ended);
    });
}
