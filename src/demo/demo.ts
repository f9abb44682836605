import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { driverModels } from "../../drivers/index.ts";
import { simulators } from "../../drivers/simulators.ts";
import { openSandboxStore } from "../../packages/sandbox/gateway/ledger/store.ts";
import { createSandbox } from "../../packages/sandbox/gateway/sandbox.ts";
import { serveSandbox } from "../../packages/sandbox/gateway/server.ts";
import { sendOut } from "../../packages/sandbox/gateway/system-outgoing.ts";
import { type Agent, startAgent } from "../agent/agent.ts";
import { knownModels } from "../agent/models.ts";
import type { ServedPages } from "../agent/serving.ts";
import { startProblem } from "../commands/start-problem.ts";
import { UsageProblem } from "../commands/terminal-output.ts";
import type { Configuration } from "../config/configuration.ts";
import { loadConfiguration } from "../config/load.ts";
import { problemLines } from "../config/problem.ts";
import { askDaemon } from "../control/client.ts";
import { tokensCreate } from "../control/methods.ts";
import type { Platform } from "../kit/platform.ts";
import { Secret } from "../kit/secret.ts";
import { systemClock } from "../kit/system-clock.ts";
import { systemRandom } from "../kit/system-random.ts";
import { LAST_LINES_MS, linesToFile } from "../observe/lines-to-file.ts";
import { logTo } from "../observe/log.ts";
import { createRecentLines } from "../observe/recent-lines.ts";
import { serveControl } from "../simulator/control.ts";
import type { PaceName } from "../simulator/pace.ts";
import type { SimulatorModel } from "../simulator/simulated-terminal.ts";
import { demoPages, PAGE_REGISTERS } from "./demo-pages.ts";
import { type DemoTerminal, demoLine, openDemoTerminal } from "./terminal.ts";

/** Channel and token of the demo's sandbox (contract, section 4). */
const ENTITY = "8a8294174b7ecb28014b9699220015ca";
const GATEWAY_TOKEN = "sandbox-token";

export interface DemoOptions {
  readonly model: string;
  readonly pace: PaceName;
  readonly platform: Platform;
  readonly registerPort: number;
  readonly sandboxPort: number;
  /** Origins of browser pages that may connect. */
  readonly origins: readonly string[];
  /** Receives a line for each part that starts. */
  readonly step: (line: string) => void;
}

export interface Demo {
  /** The register's WebSocket. */
  readonly url: string;
  readonly token: Secret<string>;
  readonly sandboxUrl: string;
  /** Address of the terminal's line: a path, or a host with its port. */
  readonly terminalAt: string;
  readonly controlUrl: string;
  readonly dataDir: string;
  /** The web pages; undefined: not built. */
  readonly pagesUrl: string | undefined;
  /** Resolves when a command asks the demo's bridge to stop. */
  readonly stopAsked: Promise<void>;
  close(): Promise<void>;
}

/** State shared by the demo's parts; they close in reverse order. */
interface Place {
  readonly folder: string;
  readonly closers: (() => Promise<void> | void)[];
  readonly step: (line: string) => void;
  /** Origins of the bridge's own pages, which may control terminal and gateway; known once the bridge listens. */
  pageOrigins: readonly string[];
}

interface Stage {
  readonly simulator: SimulatorModel;
  readonly pace: PaceName;
  readonly platform: Platform;
}

/**
 * Starts all parts in this process over their real interfaces (HTTP, pseudo-terminal, TCP), with a temporary folder.
 * Throws a UsageProblem for a taken port or an unknown model.
 */
export async function openDemo({
  model,
  pace,
  platform,
  registerPort,
  sandboxPort,
  origins,
  step,
}: DemoOptions): Promise<Demo> {
  const simulator = simulators.find(({ id }) => id === model);
  if (simulator === undefined)
    throw new UsageProblem(`--model ${model} is not one of ${simulators.map(({ id }) => id).join(", ")}`);
  demoLine(simulator, platform);
  const place: Place = {
    folder: fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-demo-")),
    closers: [],
    step,
    pageOrigins: [],
  };
  place.closers.push(() => fs.rmSync(place.folder, { recursive: true, force: true }));
  const close = async (): Promise<void> => {
    for (const end of place.closers.toReversed()) await end();
  };
  try {
    return {
      ...(await openParts(place, { simulator, pace, platform }, { registerPort, sandboxPort, origins })),
      close,
    };
  } catch (cause) {
    await close();
    throw startProblem(cause);
  }
}

type Parts = Pick<DemoOptions, "registerPort" | "sandboxPort" | "origins">;

async function openParts(
  place: Place,
  stage: Stage,
  { registerPort, sandboxPort, origins }: Parts,
): Promise<Omit<Demo, "close">> {
  const { folder, step } = place;
  const { simulator } = stage;
  const sandboxUrl = await openSandbox(place, sandboxPort);
  step(`sandbox gateway at ${sandboxUrl}`);
  const { terminal, controlUrl } = await openTerminal(place, stage);
  step(`simulated ${simulator.title} at ${terminal.at}`);
  const configuration = configure(folder, {
    sandboxUrl,
    connection: terminal.connection,
    registerPort,
    origins,
    simulator,
  });
  const pages = demoPages({ controlUrl, sandboxUrl });
  const agent = await openBridge(place, configuration, pages.served);
  place.pageOrigins = ["127.0.0.1", "localhost"].map((name) => `http://${name}:${agent.port}`);
  const url = `ws://127.0.0.1:${agent.port}/v1`;
  step(`bridge at ${url}`);
  const { dataDir } = configuration;
  for (const path of ["/till/", "/console/", "/terminal/"] as const)
    pages.give(path, await createToken(dataDir, PAGE_REGISTERS[path]));
  const token = await createToken(dataDir, { register: "demo-register", scopes: [] });
  const pagesUrl = pages.served && `http://127.0.0.1:${agent.port}/`;
  return { url, token, sandboxUrl, terminalAt: terminal.at, controlUrl, dataDir, pagesUrl, stopAsked: agent.stopAsked };
}

async function createToken(
  dataDir: string,
  of: { readonly register: string; readonly scopes: readonly string[] },
): Promise<Secret<string>> {
  const asked = await askDaemon({ dataDir, clock: systemClock }, tokensCreate, {
    register: of.register,
    scopes: [...of.scopes],
    by: "demo",
  });
  if (asked.is === "no-daemon" || !asked.reply.ok) throw new Error("the bridge gives no register token");
  return new Secret(asked.reply.value.token);
}

async function openSandbox(place: Place, port: number): Promise<string> {
  const { closers } = place;
  const origins = (): readonly string[] => place.pageOrigins;
  const store = openSandboxStore(":memory:");
  closers.push(() => store.close());
  const sandbox = createSandbox({
    clock: systemClock,
    random: systemRandom,
    store,
    entities: [{ entityId: ENTITY, token: GATEWAY_TOKEN }],
    send: sendOut,
  });
  const report = (problem: string): void => void process.stderr.write(`sandbox: ${problem}\n`);
  const server = await serveSandbox(sandbox, port, report, origins).catch((cause: unknown) => {
    const isBusy = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
    if (!isBusy) throw cause;
    // Any port will do: only the bridge connects, and it gets the address.
    return serveSandbox(sandbox, 0, report, origins);
  });
  closers.push(() => server.close());
  return server.url;
}

async function openTerminal(
  place: Place,
  stage: Stage,
): Promise<{ readonly terminal: DemoTerminal; readonly controlUrl: string }> {
  const { closers, folder } = place;
  const { simulator } = stage;
  const opened = await openDemoTerminal({ ...stage, path: path.join(folder, "till-1.tty") });
  closers.push(() => opened.close());
  const wire = driverModels.find(({ id }) => id === simulator.driver)?.wire;
  const control = await serveControl(opened.terminal, 0, {
    model: simulator,
    origins: () => place.pageOrigins,
    ...(wire && { wire }),
  });
  closers.push(() => control.close());
  return { terminal: opened, controlUrl: `http://127.0.0.1:${control.port}/` };
}

/** Written and read like a technician's configuration. */
function configure(
  folder: string,
  on: {
    sandboxUrl: string;
    connection: DemoTerminal["connection"];
    registerPort: number;
    origins: readonly string[];
    simulator: SimulatorModel;
  },
): Configuration {
  const file = path.join(folder, "posbridge.yaml");
  fs.writeFileSync(path.join(folder, "gateway-token"), GATEWAY_TOKEN, { mode: 0o600 });
  const { driver, deviceType, serialNumber, options = {} } = on.simulator;
  // A serial number with letters is not sent as deviceId (contract, section 2).
  const deviceId = /^[0-9]+$/.test(serialNumber.usual) ? `, deviceId: "${serialNumber.usual}"` : "";
  const lines = [
    "environment: test",
    `listen: { host: 127.0.0.1, port: ${on.registerPort} }`,
    "dataDir: ./data",
    "merchant: { name: Corner Shop, address: [Marktplatz 1, 60311 Frankfurt am Main], country: DE }",
    "gateway:",
    `  baseUrl: ${on.sandboxUrl}`,
    `  entityId: ${ENTITY}`,
    "  accessTokenFile: ./gateway-token",
    "  testMode: INTERNAL",
    `origins: ${JSON.stringify(on.origins)}`,
    "terminals:",
    `  - { id: till-1, model: ${driver}, connection: ${JSON.stringify(on.connection)}, terminalId: "12345678", deviceType: ${deviceType}${deviceId}, options: ${JSON.stringify(options)} }`,
  ];
  fs.writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  const reading = loadConfiguration(file, knownModels(driverModels), {});
  if (!reading.ok) throw new Error(problemLines(file, reading.problems).join("; "));
  return reading.configuration;
}

async function openBridge(
  { closers, folder }: Place,
  configuration: Configuration,
  pages: ServedPages | undefined,
): Promise<Pick<Agent, "port" | "stopAsked">> {
  const file = fs.openSync(path.join(folder, "posbridge.log"), "a");
  const lines = linesToFile(file, process.stderr.fd, systemClock);
  closers.push(async () => {
    await lines.written(LAST_LINES_MS);
    fs.closeSync(file);
  });
  const recent = createRecentLines(String(systemClock.now()));
  const log = logTo(lines, { tty: false, level: "info", now: systemClock.now, recent });
  const agent = await startAgent(configuration, driverModels, { log, linesLost: lines.lost, recent, pages });
  closers.push(() => agent.stop());
  return agent;
}
