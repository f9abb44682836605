import fs from "node:fs";
import path from "node:path";
import { driverModels } from "../../drivers/index.ts";
import { startAgent } from "../../src/agent/agent.ts";
import { knownModels } from "../../src/agent/models.ts";
import { loadConfiguration } from "../../src/config/load.ts";
import { askDaemon } from "../../src/control/client.ts";
import { tokensCreate } from "../../src/control/methods.ts";
import { systemClock } from "../../src/kit/system-clock.ts";
import { createLog } from "../../src/observe/log.ts";
import { createRecentLines } from "../../src/observe/recent-lines.ts";

/** A bridge of its own in that folder, with one Miura terminal and a register's token. */
export async function openBridgeAt(
  folder: string,
  on: {
    readonly gatewayUrl: string;
    readonly entityId: string;
    readonly gatewayToken: string;
    readonly serial: string;
  },
): Promise<{ readonly url: string; readonly token: string; close(): Promise<void> }> {
  fs.writeFileSync(path.join(folder, "token"), on.gatewayToken, { mode: 0o600 });
  const file = path.join(folder, "posbridge.yaml");
  fs.writeFileSync(
    file,
    `environment: test
listen: { port: 0 }
dataDir: ./data
merchant: { name: Bench, country: DE }
gateway: { baseUrl: ${on.gatewayUrl}, entityId: ${on.entityId}, accessTokenFile: ./token, testMode: INTERNAL }
terminals:
  - { id: till-1, model: miura-m020, connection: { serial: ${on.serial} }, terminalId: "12345678", deviceType: MIURA_M020 }
`,
    { mode: 0o600 },
  );
  const reading = loadConfiguration(file, knownModels(driverModels), {});
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const log = fs.createWriteStream(path.join(folder, "log"));
  const recent = createRecentLines("bench");
  const agent = await startAgent(reading.configuration, driverModels, {
    log: createLog({ to: log, tty: false, level: "info", now: systemClock.now, recent }),
    linesLost: () => 0,
    recent,
  });
  const asked = await askDaemon({ dataDir: reading.configuration.dataDir, clock: systemClock }, tokensCreate, {
    register: "bench",
    scopes: [],
    by: "bench",
  });
  if (asked.is === "no-daemon" || !asked.reply.ok) throw new Error("no token");
  return {
    url: `ws://127.0.0.1:${agent.port}/v1`,
    token: asked.reply.value.token,
    close: async () => {
      await agent.stop();
      log.end();
    },
  };
}
