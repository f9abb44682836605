import { Command, Option } from "commander";
import type { Memory } from "../../packages/sandbox/testbed/memory.ts";
import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { paceNames } from "../simulator/pace.ts";
import type { SimulatedTerminal, SimulatorModel } from "../simulator/simulated-terminal.ts";
import type { TcpListener } from "../simulator/tcp-listener.ts";
import { portOf, portProblem } from "./port.ts";
import { type Output, UsageProblem } from "./terminal-output.ts";

interface Options {
  readonly pty?: string;
  readonly tcp?: string;
  readonly gadget?: string;
  readonly control?: string;
  readonly card: string;
  readonly pinBypass: boolean;
  readonly contactlessLimit?: string;
  readonly manual: boolean;
  readonly state?: string;
  readonly serial?: string;
  readonly pace: string;
  readonly list: boolean;
  readonly json: boolean;
}

/**
 * `simulate`: a terminal of a model on a pseudo-terminal, a TCP port or a USB gadget, until the process is asked to
 * stop.
 */
export function simulateCommand(output: Output, platform: Platform = systemPlatform): Command {
  return new Command("simulate")
    .description("a simulated terminal that speaks its model's own protocol")
    .argument("[model]", "see --list")
    .option("--pty <path>", "make this path a link to a fresh pseudo-terminal (not on Windows)")
    .option(
      "--tcp <port>",
      "listen on this port of 127.0.0.1 (0: the system chooses); a model whose network line is WebSocket is a WebSocket server there",
    )
    .option(
      "--gadget <path>",
      "play the device side of a USB gadget of this machine: /dev/hidgN (HID) or /dev/ttyGSN (serial)",
    )
    .option(
      "--control <port>",
      "HTTP on 127.0.0.1: POST card, DELETE card, POST keys, GET screen, POST faults (0: the system chooses)",
    )
    .option("--card <name>", "the card that is presented whenever the host asks for one", "visa-contact")
    .option("--manual", "present no card and type no PIN: wait for --control", false)
    .option("--state <file>", "keep the counters of cards and keys, so that an issuer never sees one twice")
    .option("--serial <number>", "serial number, in the form of the model; two terminals at one bridge need two")
    .option(
      "--pin-bypass",
      "the green key without a PIN goes on to the card's next rule, a signature for example",
      false,
    )
    .addOption(
      new Option("--pace <pace>", "how long a chip takes: quick, or real as recorded of a device (7.5, 2.5 and 3.9 s)")
        .choices(paceNames)
        .default("quick"),
    )
    .option(
      "--contactless-limit <amount>",
      "a tap of more than this wants its holder verified, for example 50.00 (default: no tap does for its amount)",
    )
    .option("--list", "show models and cards, and what of each model is confirmed", false)
    .option("--json", "with --list: as JSON", false)
    .addHelpText(
      "after",
      "\nExample:\n  posbridge simulate miura-m020 --pty ./till-1 --card visa-contact --control 7720",
    )
    .action((model: string | undefined, options: Options) =>
      options.list ? list(options, output) : simulate(model, options, { output, platform }),
    );
}

async function list({ json }: Options, output: Output): Promise<void> {
  const [{ simulators }, { deck }] = await Promise.all([
    import("../../drivers/simulators.ts"),
    import("../../packages/sandbox/testbed/deck.ts"),
  ]);
  const models = simulators.map(({ id, title, deviceType, evidence }) => ({ id, title, deviceType, ...evidence }));
  const cards = deck.map(({ name, title }) => ({ name, title }));
  if (json) {
    output.out(JSON.stringify({ models, cards }, undefined, 2));
    return;
  }
  for (const { id, title, deviceType, confirmed, inferred } of models) {
    output.out(`${id}  ${title}  (pos.deviceType ${deviceType})`);
    for (const line of confirmed) output.out(`  confirmed  ${line}`);
    for (const line of inferred) output.out(`  inferred   ${line}`);
  }
  const width = Math.max(...cards.map(({ name }) => name.length));
  output.out("cards");
  for (const { name, title } of cards) output.out(`  ${name.padEnd(width)}  ${title}`);
}

interface Surroundings {
  readonly output: Output;
  readonly platform: Platform;
}

async function simulate(name: string | undefined, options: Options, { output, platform }: Surroundings): Promise<void> {
  const model = await modelNamed(name);
  await checkCard(options.card);
  if ([options.pty, options.tcp, options.gadget].filter((line) => line !== undefined).length !== 1) {
    throw new UsageProblem("give one of --pty PATH, --tcp PORT and --gadget PATH");
  }
  if (options.pty !== undefined && platform === "windows")
    throw new UsageProblem(`--pty ${options.pty}: Windows has no pseudo-terminals; give --tcp PORT instead`);
  const { pattern, form } = model.serialNumber;
  if (options.serial !== undefined && !pattern.test(options.serial))
    throw new UsageProblem(`--serial ${options.serial}: must be ${form}`);
  const control = options.control === undefined ? undefined : portOf("--control", options.control);
  const closers: (() => void | Promise<void>)[] = [];
  try {
    const terminal = await createTerminal(model, options);
    const where = await serveLine(terminal, model, options, closers);
    const controlled =
      control === undefined ? "" : `, control at ${await serveControlOn(terminal, model, control, closers)}`;
    const customer = options.manual ? "waits for card and keys" : `presents ${options.card}`;
    // From here on the simulator stays, even if nobody reads its output.
    const { stopped } = output;
    output.out(`${model.title} ${terminal.serialNumber} on ${where}${controlled} (${customer})`);
    await stopped;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function modelNamed(name: string | undefined): Promise<SimulatorModel> {
  const { simulators } = await import("../../drivers/simulators.ts");
  const model = simulators.find(({ id }) => id === name);
  if (model !== undefined) return model;
  const choices = simulators.map(({ id }) => id).join(", ");
  throw new UsageProblem(
    name === undefined
      ? `name a model: ${choices}`
      : `no model is called ${JSON.stringify(name)}; choose one of ${choices}`,
  );
}

async function checkCard(name: string): Promise<void> {
  const { cardNamed, deck } = await import("../../packages/sandbox/testbed/deck.ts");
  if (cardNamed(name) !== undefined) return;
  throw new UsageProblem(
    `--card: no card is called ${JSON.stringify(name)}; choose one of ${deck.map((card) => card.name).join(", ")}`,
  );
}

async function createTerminal(
  model: SimulatorModel,
  { card, contactlessLimit, manual, pinBypass, serial, state, pace: wanted }: Options,
): Promise<SimulatedTerminal> {
  const [{ systemClock }, { systemRandom }] = await Promise.all([
    import("../kit/system-clock.ts"),
    import("../kit/system-random.ts"),
  ]);
  const memory = await memoryOf(state, systemClock.now());
  const automatic = manual ? undefined : { card };
  const pace = paceNames.find((name) => name === wanted);
  return model.create({
    clock: systemClock,
    random: systemRandom,
    automatic,
    memory,
    allowsPinBypass: pinBypass,
    ...(pace && { pace }),
    ...(contactlessLimit !== undefined && { contactlessCvmLimit: minorOfLimit(contactlessLimit) }),
    ...(serial !== undefined && { serialNumber: serial }),
  });
}

/** Simulated terminals count two decimals in every currency. */
function minorOfLimit(text: string): number {
  const [, units, decimals] = /^([0-9]{1,9})\.([0-9]{2})$/.exec(text) ?? [];
  if (units === undefined || decimals === undefined)
    throw new UsageProblem(`--contactless-limit ${text}: must be an amount with two decimals, such as 50.00`);
  return Number(units + decimals);
}

/**
 * Without a state file, counters start from the time, one step every two seconds, so that an issuer sees them rise
 * across processes.
 */
const ATC_STEP_MS = 2000;
const ATC_RANGE = 60_000;

async function memoryOf(state: string | undefined, now: number): Promise<Memory> {
  const [{ createMemory, emptyMemoryImage }, { fileMemory }, { SimulatorProblem }] = await Promise.all([
    import("../../packages/sandbox/testbed/memory.ts"),
    import("../simulator/state-file.ts"),
    import("../simulator/simulator-problem.ts"),
  ]);
  if (state === undefined)
    return createMemory(emptyMemoryImage, { firstAtc: Math.floor(now / ATC_STEP_MS) % ATC_RANGE });
  try {
    return fileMemory(state);
  } catch (error) {
    throw error instanceof SimulatorProblem ? new UsageProblem(`--state: ${error.message}`) : error;
  }
}

type Closers = (() => void | Promise<void>)[];

async function serveLine(
  terminal: SimulatedTerminal,
  { network }: SimulatorModel,
  { pty, tcp, gadget }: Options,
  closers: Closers,
): Promise<string> {
  if (gadget !== undefined) return serveGadgetAt(terminal, gadget, closers);
  if (pty !== undefined) {
    const [{ serveSerial }, { SimulatorProblem }] = await Promise.all([
      import("../simulator/serial-line.ts"),
      import("../simulator/simulator-problem.ts"),
    ]);
    try {
      const line = serveSerial(terminal, pty);
      closers.push(line.close);
      return line.path;
    } catch (error) {
      throw error instanceof SimulatorProblem ? new UsageProblem(`--pty: ${error.message}`) : error;
    }
  }
  const port = portOf("--tcp", tcp ?? "");
  const listener = await serveNetwork(terminal, port, network).catch((error: unknown) => {
    throw portProblem(error, "--tcp", port);
  });
  closers.push(listener.close);
  return network === "websocket" ? `ws://127.0.0.1:${listener.port}/` : `127.0.0.1:${listener.port}`;
}

/** The model's network line: a stream, or a WebSocket server. */
async function serveNetwork(
  terminal: SimulatedTerminal,
  port: number,
  network: SimulatorModel["network"],
): Promise<TcpListener> {
  if (network === "websocket")
    return (await import("../simulator/websocket-listener.ts")).serveWebSocket(terminal, port);
  return (await import("../simulator/tcp-listener.ts")).serveTcp(terminal, port);
}

async function serveGadgetAt(terminal: SimulatedTerminal, path: string, closers: Closers): Promise<string> {
  const [{ serveGadget }, { systemClock }, { SimulatorProblem }] = await Promise.all([
    import("../simulator/gadget-line.ts"),
    import("../kit/system-clock.ts"),
    import("../simulator/simulator-problem.ts"),
  ]);
  try {
    const line = serveGadget(terminal, path, systemClock);
    closers.push(line.close);
    return line.path;
  } catch (error) {
    throw error instanceof SimulatorProblem ? new UsageProblem(`--gadget: ${error.message}`) : error;
  }
}

async function serveControlOn(
  terminal: SimulatedTerminal,
  model: SimulatorModel,
  port: number,
  closers: Closers,
): Promise<string> {
  const [{ serveControl }, { driverModels }] = await Promise.all([
    import("../simulator/control.ts"),
    import("../../drivers/index.ts"),
  ]);
  const wire = driverModels.find(({ id }) => id === model.driver)?.wire;
  const server = await serveControl(terminal, port, { model, ...(wire && { wire }) }).catch((error: unknown) => {
    throw portProblem(error, "--control", port);
  });
  closers.push(server.close);
  return server.url;
}
