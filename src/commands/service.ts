import path from "node:path";
import { Command } from "commander";
import type { NamedFile } from "../config/named-files.ts";
import type { ServicePlan, ServicePlatform, ServiceSettings } from "../service/plan.ts";
import type { ServiceDone } from "./service-install.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";

const EXAMPLE = `
The service runs as a system user of its own and starts with the machine. On Linux it is a unit of systemd, with udev rules that
let it open terminals on USB; on Windows a service of Windows. print shows every file and command, and touches nothing.

Example:
  posbridge service print
  sudo posbridge service install --start
  posbridge service status
  sudo posbridge service remove`;

const SYSTEM_USER = "posbridge";

interface Where {
  readonly config?: string;
  readonly user: string;
  readonly program?: string;
  readonly json?: true;
}

interface PrintOptions extends Where {
  readonly for?: string;
}

interface InstallOptions extends Where {
  readonly start?: true;
}

/** `service install | remove | status | print`: the bridge as a service of this machine. */
export function serviceCommand(output: Output): Command {
  const command = new Command("service")
    .description("the bridge as a service of this machine: install, remove, status, print")
    .addHelpText("after", EXAMPLE);
  withSettings(command.command("install"))
    .description("make the system user, the folders, the unit and the udev rules; run by root, as often as you like")
    .option("--start", "start it now and at each start of the machine")
    .action((options: InstallOptions) => install(options, output));
  withSettings(command.command("remove"))
    .description("stop the service and take its files away; configuration and data folder stay")
    .action((options: Where) => remove(options, output));
  withSettings(command.command("status"))
    .description("whether it is installed, running and ready; exit code 0 only where it is ready")
    .action((options: Where) => status(options, output));
  withSettings(command.command("print"))
    .description("show all that install would write and do, without touching the system")
    .option("--for <manager>", "systemd, launchd or windows (default: this machine's)")
    .action((options: PrintOptions) => print(options, output));
  return command;
}

function withSettings(command: Command): Command {
  return command
    .option("--config <file>", "the bridge's configuration (default: the usual place)")
    .option("--user <name>", "the system user that runs it (not on Windows)", SYSTEM_USER)
    .option("--program <file>", "the program (default: this one)")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE);
}

async function platformNamed(manager: string | undefined): Promise<ServicePlatform> {
  const { platformOf, servicePlatforms } = await import("../service/platforms.ts");
  const known = Object.values(servicePlatforms);
  const platform = manager === undefined ? platformOf(process.platform) : known.find((one) => one.manager === manager);
  if (platform !== undefined) return platform;
  const names = known.map((one) => one.manager).join(", ");
  throw new UsageProblem(
    manager === undefined
      ? `no service is known for ${process.platform}: name one by --for ${names}`
      : `--for ${manager} is not ${names}`,
  );
}

interface Planned {
  readonly platform: ServicePlatform;
  readonly settings: ServiceSettings;
  /** Files named in the configuration. */
  readonly files: readonly NamedFile[];
  readonly plan: ServicePlan;
}

async function planOf(
  platform: ServicePlatform,
  { config = platform.config, user, program }: Where,
  output: Output,
): Promise<Planned> {
  const { settingsProblem } = await import("../service/platforms.ts");
  const { namedBy, programPlace } = await import("./service-settings.ts");
  // Paths of another system stay as written.
  const absolute = (file: string): string => (/^(\/|[A-Za-z]:\\)/.test(file) ? file : path.resolve(file));
  const settings = { program: absolute(program ?? programPlace(platform)), config: absolute(config), user };
  if (platform.manager === "windows" && user !== SYSTEM_USER)
    throw new UsageProblem(`--user ${user}: on Windows the service has an account of its own; leave it out`);
  const problem = settingsProblem(settings);
  if (problem !== undefined) throw new UsageProblem(problem);
  const named = await namedBy(settings.config, output);
  const all = { ...settings, dataDir: named?.dataDir ?? platform.dataDir };
  return { platform, settings: all, files: named?.files ?? [], plan: platform.plan(all) };
}

async function print(options: PrintOptions, output: Output): Promise<void> {
  const { plan } = await planOf(await platformNamed(options.for), options, output);
  if (options.json === true) return output.out(JSON.stringify(plan, null, 2));
  const { printedPlan } = await import("../service/printed.ts");
  for (const line of printedPlan(plan)) output.out(line);
}

async function install(options: InstallOptions, output: Output): Promise<void> {
  const [{ installService }, { machineOf }, { packagedProgram }] = await Promise.all([
    import("./service-install.ts"),
    import("./service-machines.ts"),
    import("./service-settings.ts"),
  ]);
  const planned = await planOf(await platformNamed(undefined), options, output);
  const { config, program, dataDir } = planned.settings;
  const from = options.program === undefined ? packagedProgram() : undefined;
  const job = {
    ...planned,
    machine: machineOf(planned.platform),
    config,
    program,
    dataDir,
    from,
    start: options.start === true,
  };
  tell(installService(job), options, output);
}

async function remove(options: Where, output: Output): Promise<void> {
  const [{ removeService }, { machineOf }] = await Promise.all([
    import("./service-install.ts"),
    import("./service-machines.ts"),
  ]);
  const planned = await planOf(await platformNamed(undefined), options, output);
  tell(
    removeService({ ...planned, machine: machineOf(planned.platform), config: planned.settings.config }),
    options,
    output,
  );
}

function tell({ done, next }: ServiceDone, { json }: Where, output: Output): void {
  for (const line of json === true ? [JSON.stringify({ done, next }, null, 2)] : [...done, ...next]) output.out(line);
}

async function status(options: Where, output: Output): Promise<void> {
  const [{ serviceStatus, statusLines }, { machineOf }] = await Promise.all([
    import("./service-status.ts"),
    import("./service-machines.ts"),
  ]);
  const { platform, settings } = await planOf(await platformNamed(undefined), options, output);
  const found = await serviceStatus({ platform, machine: machineOf(platform), dataDir: settings.dataDir });
  if (options.json === true) output.out(JSON.stringify(found, null, 2));
  else for (const line of statusLines(found)) output.out(line);
  if (!found.ready) throw new OperationFailed(`the bridge is not ready: ${found.reasons.join("; ")}`);
}
