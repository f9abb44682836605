import path from "node:path";
import { GATEWAY_TOKEN } from "../../scenarios/sandbox.ts";
import { PROJECT, type Started, start } from "./started.ts";

export async function startBare(
  folder: string,
  on: { readonly gateway: string; readonly entityId: string; readonly devices: readonly string[] },
): Promise<Started & { readonly url: string }> {
  const order = JSON.stringify({ ...on, folder, token: GATEWAY_TOKEN });
  const command = [process.execPath, path.join(PROJECT, "test/bench/bare/main.ts"), order];
  const started = await start(command, path.join(folder, "bare.out"), /bare script at \d+/);
  return { ...started, url: `ws://127.0.0.1:${started.line.split(" ").at(-1)}/v1` };
}
