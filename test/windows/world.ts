import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { RegisterClient } from "../../src/client/client.ts";
import { killProgram, type Program, startProgram } from "../scenarios/program.ts";
import { GATEWAY_TOKEN, openSandbox, type TestSandbox } from "../scenarios/sandbox.ts";
import { openTill, type Till } from "../scenarios/till.ts";
import { realTime } from "../support/waiting.ts";
import { type Ran, SHARED, type Windows } from "./machine.ts";

/** COM5 in Wine's registry: the simulated terminal at this path of the shared folder. */
export const COM_PORT = "COM5";
const COM_LINK = "com5";

/**
 * The world around the Windows programs, of Linux programs: a gateway, a terminal with a customer who acts, on TCP and
 * on a COM port.
 */
export interface World {
  readonly sandbox: TestSandbox;
  /** HOST:PORT of the terminal on TCP. */
  readonly tcp: string;
  /** For the shared folder as Wine sees it. */
  readonly comDevice: string;
  close(): Promise<void>;
}

export async function openWorld(shared: string): Promise<World> {
  const opened: Program[] = [];
  const sandbox = await openSandbox(shared, 1, []);
  const simulate = async (...argv: readonly string[]): Promise<string> => {
    const program = startProgram("simulate", "miura-m020", ...argv);
    opened.push(program);
    return program.line(/ on /);
  };
  const [announced] = await Promise.all([
    simulate("--tcp", "0", "--serial", "10000001", "--state", join(shared, "tcp.json")),
    simulate(
      "--pty",
      join(shared, COM_LINK),
      "--serial",
      "10000002",
      "--card",
      "mastercard-contact",
      "--state",
      join(shared, "com.json"),
    ),
  ]);
  const close = async (): Promise<void> => {
    for (const program of opened) await killProgram(program);
    await sandbox.kill();
  };
  return { sandbox, tcp: /127\.0\.0\.1:\d+/.exec(announced)?.[0] ?? "", comDevice: `${SHARED}/${COM_LINK}`, close };
}

/** A shop on drive C:, whose bridge is the Windows program. */
export interface Shop {
  /** As Linux sees its data folder. */
  readonly dataFolder: string;
  /** The configuration, as Windows names it. */
  readonly config: string;
  readonly port: number;
  /** Runs a command of the program to its end. */
  command(...argv: readonly string[]): Promise<Ran>;
  /** Starts the bridge; resolves when it is ready and its terminal too. */
  start(): Promise<Program>;
  /** Ends the bridge as a power cut does. */
  kill(bridge: Program): Promise<void>;
  ready(): Promise<void>;
  till(token: string): Promise<Till>;
}

const READY_MS = 12_000;
const LOOK_MS = 50;
const readySchema = z.object({ ready: z.boolean() });

/** `connection` is the terminal's, as the configuration takes it. */
export function openShop(
  windows: Windows,
  program: string,
  on: { readonly name: string; readonly gateway: string; readonly connection: string; readonly port: number },
): Shop {
  const folder = join(windows.folder, on.name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, "gateway-token"), GATEWAY_TOKEN);
  const lines = [
    "environment: test",
    `listen: { port: ${on.port} }`,
    "dataDir: ./data",
    "merchant: { name: Corner Shop, country: DE }",
    `gateway: { baseUrl: "${on.gateway}", entityId: 8a8294174b7ecb28014b9699220015ca, accessTokenFile: ./gateway-token, testMode: INTERNAL }`,
    "terminals:",
    `  - { id: till-1, model: miura-m020, connection: ${on.connection}, terminalId: "12345678", deviceType: MIURA_M020 }`,
    "timeouts: { unknownWindowMs: 1500 }",
  ];
  writeFileSync(join(folder, "posbridge.yaml"), `${lines.join("\n")}\n`);
  const config = `${windows.place}\\${on.name}\\posbridge.yaml`;
  const { port } = on;
  const ready = (): Promise<void> => untilReady(port);
  return {
    ...{ dataFolder: join(folder, "data"), config, port, ready },
    command: (...argv) => windows.run(program, ...argv),
    start: async () => {
      const bridge = windows.start(program, "run", "--config", config);
      await Promise.race([
        ready(),
        bridge.ended.then(() => Promise.reject(new Error(`the bridge ended: ${bridge.out.join(" | ")}`))),
      ]);
      return bridge;
    },
    kill: async (bridge) => {
      const processes = windows.running();
      if (processes.length !== 1) throw new Error(`${processes.length} Windows programs run, not one`);
      for (const id of processes) process.kill(id, "SIGKILL");
      await bridge.ended;
    },
    till: (token) => openTill(`ws://127.0.0.1:${port}/v1`, token),
  };
}

/** Polls /readyz until the bridge is ready and its terminals too. */
async function untilReady(port: number): Promise<void> {
  let said = "no answer";
  const looking = async (): Promise<void> => {
    for (;;) {
      const found = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      said = (await found?.text()) ?? said;
      if (found !== undefined && readySchema.safeParse(JSON.parse(said)).data?.ready === true) return;
      await realTime.pause(LOOK_MS);
    }
  };
  await realTime.within(READY_MS, looking(), () => `the bridge is not ready: ${said}`);
}

/** Starts a sale as a register does; its terminal's customer acts by himself. */
export function startSale(client: RegisterClient, reference: string): Promise<unknown> {
  return client.startPayment({ reference, type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" });
}
