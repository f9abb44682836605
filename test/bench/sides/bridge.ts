import fs from "node:fs";
import path from "node:path";
import { isDamage, mendOf } from "../../../src/journal/sqlite-error.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { openTokens } from "../../../src/register/tokens/tokens.ts";
import { GATEWAY_TOKEN } from "../../scenarios/sandbox.ts";
import { PROJECT, type Started, start } from "./started.ts";

export interface BridgePlace {
  readonly configFile: string;
  readonly dataDir: string;
  /** Of register-1. */
  readonly token: string;
  /** Of an office that sees every register's payments. */
  readonly officeToken: string;
}

export interface BridgeOn {
  readonly dataDir: string;
  readonly gateway: string;
  readonly entityId: string;
  readonly devices: readonly string[];
}

/** A configuration and tokens for a bridge in that folder. */
export function prepareBridge(folder: string, { dataDir, gateway, entityId, devices }: BridgeOn): BridgePlace {
  fs.mkdirSync(folder, { recursive: true });
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(folder, "gateway-token"), GATEWAY_TOKEN, { mode: 0o600 });
  const configFile = path.join(folder, "posbridge.yaml");
  const terminals = devices.map(
    (device, at) =>
      `  - { id: till-${at + 1}, model: miura-m020, connection: { serial: ${device} }, terminalId: "${10_000_000 + at}", deviceType: MIURA_M020 }`,
  );
  const lines = [
    "environment: test",
    "listen: { port: 0 }",
    `dataDir: ${dataDir}`,
    "merchant: { name: Bench, country: DE }",
    `gateway: { baseUrl: "${gateway}", entityId: ${entityId}, accessTokenFile: ./gateway-token, testMode: INTERNAL }`,
    ...(devices.length === 0 ? ["terminals: []"] : ["terminals:", ...terminals]),
  ];
  fs.writeFileSync(configFile, `${lines.join("\n")}\n`, { mode: 0o600 });
  const tokens = openTokens({
    clock: systemClock,
    random: systemRandom,
    dataDir,
    disk: { isDamage, mendOf },
  });
  const tokenOf = (register: string, scopes: readonly string[]): string => {
    const made = tokens.create({ register, scopes });
    if (!made.ok) throw new Error(made.message);
    return made.value.token.reveal();
  };
  const token = tokenOf("register-1", []);
  const officeToken = tokenOf("office", ["payments:all"]);
  tokens.close();
  return { configFile, dataDir, token, officeToken };
}

export interface RunningBridge extends Started {
  readonly url: string;
  readonly port: number;
}

/** `program`: a packaged program in place of the sources. */
export async function startBridge(place: BridgePlace, program?: string): Promise<RunningBridge> {
  const file = path.join(path.dirname(place.configFile), "bridge.log");
  const started = await start(
    [...commandOf(program), "run", "--config", place.configFile],
    file,
    /.*posbridge is ready.*/,
  );
  const port = Number(/"port":([0-9]+)/.exec(started.line)?.[1]);
  return { ...started, port, url: `ws://127.0.0.1:${port}/v1` };
}

export function commandOf(program?: string): readonly string[] {
  return program === undefined ? [process.execPath, path.join(PROJECT, "src/main.ts")] : [program];
}

/** Log lines that the bridge lost, as it counts them. */
export async function linesLost({ port }: Pick<RunningBridge, "port">): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^posbridge_log_lines_lost_total (\d+)$/m.exec(text)?.[1]);
}
