import path from "node:path";
import { driverModels } from "../../drivers/index.ts";
import { simulators } from "../../drivers/simulators.ts";
import { UsageProblem } from "../commands/terminal-output.ts";
import type { Platform } from "../kit/platform.ts";
import { systemClock } from "../kit/system-clock.ts";
import { systemRandom } from "../kit/system-random.ts";
import { startInProcess } from "../simulator/in-process.ts";
import type { PaceName } from "../simulator/pace.ts";
import type { SimulatedTerminal, SimulatorModel } from "../simulator/simulated-terminal.ts";
import { serveTcp } from "../simulator/tcp-listener.ts";
import { serveWebSocket } from "../simulator/websocket-listener.ts";

/** The line between the bridge and the demo's terminal. */
type DemoLine = "serial" | "tcp" | "websocket";

export interface DemoTerminalOptions {
  readonly simulator: SimulatorModel;
  readonly pace: PaceName;
  readonly platform: Platform;
  /** Path of the link to the pseudo-terminal, on systems that have them. */
  readonly path: string;
}

export interface DemoTerminal {
  readonly terminal: SimulatedTerminal;
  /** A path, or a host with its port. */
  readonly at: string;
  /** The configuration's `connection`. */
  readonly connection: Readonly<Partial<Record<DemoLine, string>>>;
  close(): Promise<void> | void;
}

/**
 * The line of a model in the demo. Windows has no pseudo-terminals, so the model needs a network line; throws a
 * UsageProblem without one.
 */
export function demoLine(simulator: SimulatorModel, platform: Platform): DemoLine {
  if (platform !== "windows") return "serial";
  const line = networkLine(simulator);
  if (line !== undefined) return line;
  const others = simulators.filter((other) => networkLine(other) !== undefined).map(({ id }) => id);
  throw new UsageProblem(
    `--model ${simulator.id}: has no network line, and Windows has no pseudo-terminals; choose one of ${others.join(", ")}`,
  );
}

function networkLine({ driver, network }: SimulatorModel): "tcp" | "websocket" | undefined {
  const wanted = network ?? "tcp";
  return driverModels.find(({ id }) => id === driver)?.lines.some(({ kind }) => kind === wanted) === true
    ? wanted
    : undefined;
}

/** Starts the terminal with an automatic customer whose card the terminal accepts. */
export async function openDemoTerminal({
  simulator,
  pace,
  platform,
  path: link,
}: DemoTerminalOptions): Promise<DemoTerminal> {
  const on = { clock: systemClock, random: systemRandom, automatic: { card: cardFor(simulator) }, pace };
  const line = demoLine(simulator, platform);
  if (line === "serial") {
    const { terminal, path: at, close } = startInProcess(simulator, path.resolve(link), on);
    return { terminal, at, connection: { serial: at }, close };
  }
  const terminal = simulator.create(on);
  const listener = await (line === "tcp" ? serveTcp : serveWebSocket)(terminal, 0);
  const at = `127.0.0.1:${listener.port}`;
  return { terminal, at, connection: { [line]: at }, close: listener.close };
}

function cardFor({ capabilities: { interfaces } }: SimulatorModel): string {
  return interfaces.includes("chip") ? "visa-contact" : "visa-contactless";
}
