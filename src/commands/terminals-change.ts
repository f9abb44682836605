import { Command } from "commander";
import type { z } from "zod";
import { knownModels } from "../agent/models.ts";
import type { Configuration } from "../config/configuration.ts";
import type { ControlMethod } from "../control/method.ts";
import type { ControlHandlers, ControlReply, TerminalEntry } from "../control/methods.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { requireConfiguration } from "./configuration-file.ts";
import { dataFolderOf, withConfiguration } from "./data-folder-option.ts";
import { operator } from "./operator.ts";
import { loadAddonsBy, usualFolders } from "./packed-addons.ts";
import { tableLines } from "./table.ts";
import { type DeviceOptions, deviceOf, withDevice } from "./terminal-options.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";

const WHERE = `
Through the daemon where one runs on the configuration's data folder, else by this command, which takes the folder for itself meanwhile.`;

const LIST = `${WHERE}

Example:
  posbridge terminals list --config ./posbridge.yaml
  posbridge terminals list --json --config ./posbridge.yaml`;

const PAIR = `
Opens the line and reads the serial number back; nothing is kept where that fails. The terminal then stands in the data folder, beside
those of the configuration file, and a running bridge sells on it at once.
${WHERE}

Example:
  posbridge terminals pair bar --model miura-m020 --serial /dev/serial/by-id/usb-10000001-if00 --terminal-id 12345679 \\
    --device-type MIURA_M020 --label "Bar, left" --config ./posbridge.yaml`;

const REPLACE = `
The terminal keeps its id, and payments go on naming it. What is not said stays as it is; the new device's serial number is read and
taken over. Also for a terminal of the configuration file: the new device then counts until the file says something else.
${WHERE}

Example:
  posbridge terminals replace bar --config ./posbridge.yaml
  posbridge terminals replace bar --serial /dev/ttyACM1 --device-id 0012346 --config ./posbridge.yaml`;

const RENAME = `
An empty label takes it away. The id never changes: payments name it.
${WHERE}

Example:
  posbridge terminals rename bar "Bar, right" --config ./posbridge.yaml`;

const UNPAIR = `
Refused while a payment needs the terminal. One of the configuration file is taken out of that file instead.
${WHERE}

Example:
  posbridge terminals unpair bar --config ./posbridge.yaml`;

const TEST = `
Asks the terminal who it is; never a payment. Refused while a payment has it.
${WHERE}

Example:
  posbridge terminals test bar --config ./posbridge.yaml`;

interface Where {
  readonly config: string;
  readonly json?: true;
}

interface PairOptions extends Where, DeviceOptions {
  readonly model: string;
  readonly terminalId: string;
  readonly entityId?: string;
  readonly label?: string;
}

/** `terminals list | pair | replace | rename | unpair | test`. */
export function changeCommands(output: Output, models: readonly DriverModel[]): readonly Command[] {
  const on: On = { output, models };
  return [
    commandOf("list", "list the terminals of the configuration and the paired ones", LIST).action((where: Where) =>
      list(on, where),
    ),
    withDevice(
      commandOf("pair", "take a new terminal into service", PAIR).argument("<id>", "how payments will name it"),
    )
      .option("--entity-id <id>", "the shop's own channel, where it is not the gateway's")
      .option("--label <text>", "its name for people")
      .action((id: string, options: PairOptions) => pair(on, id, options)),
    withDevice(
      commandOf("replace", "put another device in the place of a terminal", REPLACE).argument("<id>", "the terminal"),
    ).action((id: string, options: Where & DeviceOptions) => replace(on, id, options)),
    commandOf("rename", "give a terminal a label for people", RENAME)
      .argument("<id>", "the terminal")
      .argument("<label>", "its name for people")
      .action((id: string, label: string, where: Where) => rename(on, id, label, where)),
    commandOf("unpair", "take a paired terminal out of service", UNPAIR)
      .argument("<id>", "the terminal")
      .action((id: string, where: Where) => unpair(on, id, where)),
    commandOf("test", "ask a terminal who it is", TEST)
      .argument("<id>", "the terminal")
      .action((id: string, where: Where) => test(on, id, where)),
  ];
}

interface On {
  readonly output: Output;
  readonly models: readonly DriverModel[];
}

function commandOf(name: string, description: string, example: string): Command {
  return withConfiguration(new Command(name))
    .description(description)
    .option("--json", "print the result as JSON")
    .addHelpText("after", example);
}

async function list(on: On, where: Where): Promise<void> {
  const { terminalsList } = await import("../control/methods.ts");
  const asked = await askDaemonOf(on, where, terminalsList, {});
  const terminals = asked === undefined ? await listed(on, where) : granted(asked).terminals;
  if (where.json === true) return void on.output.out(JSON.stringify({ terminals }, null, 2));
  for (const line of tableLines(
    ["ID", "LABEL", "MODEL", "STATE", "SERIAL NUMBER", "CONNECTION", "KEPT IN", "PAYMENT"],
    terminals.map(rowOf),
  ))
    on.output.out(line);
}

function rowOf({
  id,
  label = "",
  model,
  state,
  serialNumber = "",
  connection,
  paired,
  replaced,
  payment = "",
}: TerminalEntry): readonly string[] {
  return [
    id,
    label,
    model,
    state,
    serialNumber,
    connection,
    paired ? "data folder" : `file${replaced === true ? ", replaced" : ""}`,
    payment,
  ];
}

/** Reading needs no lock. */
async function listed({ output, models }: On, { config }: Where): Promise<readonly TerminalEntry[]> {
  const configuration = await requireConfiguration(config, knownModels(models), output);
  const [{ listAtRest }, { startProblem }] = await Promise.all([
    import("../agent/terminals-at-rest.ts"),
    import("./start-problem.ts"),
  ]);
  try {
    return listAtRest(configuration, models);
  } catch (cause) {
    throw startProblem(cause);
  }
}

async function pair(on: On, id: string, { config, json, label, entityId, ...options }: PairOptions): Promise<void> {
  const { terminalsPair } = await import("../control/methods.ts");
  const { model, connection, terminalId, ...device } = deviceOf(options);
  if (model === undefined)
    throw new UsageProblem("--model is missing: posbridge terminals scan says which it probably is");
  if (connection === undefined)
    throw new UsageProblem("--serial, --tcp, --websocket or --usb is missing: say how it is connected");
  if (terminalId === undefined)
    throw new UsageProblem("--terminal-id is missing: it is pos.terminalId, from the acquirer");
  const more = { ...(label !== undefined && { label }), ...(entityId !== undefined && { entityId }) };
  const request = { id, model, connection, terminalId, ...device, ...more };
  const done = await change(
    on,
    { config },
    terminalsPair,
    { by: await operator(), request },
    (handlers) => handlers["terminals.pair"],
  );
  tellProven(on.output, json, id, done, `paired ${id}`);
}

async function replace(on: On, id: string, { config, json, ...options }: Where & DeviceOptions): Promise<void> {
  const { terminalsReplace } = await import("../control/methods.ts");
  const asking = { by: await operator(), terminal: id, request: deviceOf(options) };
  const done = await change(on, { config }, terminalsReplace, asking, (handlers) => handlers["terminals.replace"]);
  tellProven(on.output, json, id, done, `replaced ${id}`);
}

function tellProven(
  output: Output,
  json: true | undefined,
  terminal: string,
  done: { readonly serialNumber: string; readonly warnings: readonly string[] },
  what: string,
): void {
  output.out(
    json === true ? JSON.stringify({ terminal, ...done }, null, 2) : `${what}: serial number ${done.serialNumber}`,
  );
  if (json !== true) for (const warning of done.warnings) output.err(warning);
}

async function rename(on: On, id: string, label: string, { config, json }: Where): Promise<void> {
  const { terminalsRename } = await import("../control/methods.ts");
  const done = await change(
    on,
    { config },
    terminalsRename,
    { by: await operator(), terminal: id, label },
    (handlers) => handlers["terminals.rename"],
  );
  on.output.out(
    json === true ? JSON.stringify({ terminal: id, ...done }, null, 2) : `${id} is called ${done.label ?? id}`,
  );
}

async function unpair(on: On, id: string, { config, json }: Where): Promise<void> {
  const { terminalsUnpair } = await import("../control/methods.ts");
  await change(
    on,
    { config },
    terminalsUnpair,
    { by: await operator(), terminal: id },
    (handlers) => handlers["terminals.unpair"],
  );
  on.output.out(json === true ? JSON.stringify({ terminal: id, unpaired: true }, null, 2) : `unpaired ${id}`);
}

async function test(on: On, id: string, { config, json }: Where): Promise<void> {
  const { terminalsTest } = await import("../control/methods.ts");
  const { terminal } = await change(
    on,
    { config },
    terminalsTest,
    { terminal: id },
    (handlers) => handlers["terminals.test"],
  );
  if (json === true) return on.output.out(JSON.stringify({ terminal }, null, 2));
  const { state, serialNumber = "unknown", firmware = "unknown", reason } = terminal;
  on.output.out(
    `${id} is ${state}: serial number ${serialNumber}, firmware ${firmware}${reason === undefined ? "" : `; ${reason}`}`,
  );
}

/** Undefined: no daemon runs. */
async function askDaemonOf<P extends z.ZodType, R extends z.ZodType>(
  { output }: On,
  { config }: Where,
  method: ControlMethod<string, P, R>,
  params: z.input<P>,
): Promise<ControlReply<z.output<R>> | undefined> {
  const [{ askDaemon }, { ControlFailed }, { systemClock }] = await Promise.all([
    import("../control/client.ts"),
    import("../control/address.ts"),
    import("../kit/system-clock.ts"),
  ]);
  const dataDir = await dataFolderOf({ config }, output);
  const asked = await askDaemon({ dataDir, clock: systemClock }, method, params).catch((cause: unknown) => {
    throw cause instanceof ControlFailed ? new OperationFailed(cause.message) : cause;
  });
  return asked.is === "answered" ? asked.reply : undefined;
}

function granted<T>(reply: ControlReply<T>): T {
  if (!reply.ok) throw new OperationFailed(reply.message);
  return reply.value;
}

/** Through the daemon if one runs, else here, under the data folder's lock. */
async function change<P extends z.ZodType, R extends z.ZodType>(
  on: On,
  where: Where,
  method: ControlMethod<string, P, R>,
  params: z.output<P> & z.input<P>,
  handlerOf: (handlers: TerminalHandlers) => (params: z.output<P>) => Promise<ControlReply<z.output<R>>>,
): Promise<z.output<R>> {
  const asked = await askDaemonOf(on, where, method, params);
  if (asked !== undefined) return granted(asked);
  const configuration = await requireConfiguration(where.config, knownModels(on.models), on.output);
  return granted(await atRest(on, configuration, (handlers) => handlerOf(handlers)(params)));
}

type TerminalHandlers = Pick<
  ControlHandlers,
  "terminals.list" | "terminals.test" | "terminals.pair" | "terminals.rename" | "terminals.replace" | "terminals.unpair"
>;

async function atRest<T>(
  { models, output }: On,
  configuration: Configuration,
  run: (handlers: TerminalHandlers) => Promise<T>,
): Promise<T> {
  const [{ withTerminalsAtRest }, { startProblem }] = await Promise.all([
    import("../agent/terminals-at-rest.ts"),
    import("./start-problem.ts"),
  ]);
  // The data folder is always writable, even if nothing else is.
  loadAddonsBy([...usualFolders(process.env), configuration.dataDir]);
  const log = { warn: (_: object, text: string) => output.err(text) };
  return withTerminalsAtRest(configuration, models, log, run).catch((cause: unknown) => {
    throw startProblem(cause);
  });
}
