import { createTechnician } from "../../src/agent/technician.ts";
import type { Findings } from "../../src/checks/findings.ts";
import type { Configuration } from "../../src/config/configuration.ts";
import { type Clock, isoTime } from "../../src/kit/clock.ts";
import { Secret } from "../../src/kit/secret.ts";
import { createRecentLines, type RecentLines } from "../../src/observe/recent-lines.ts";
import type { Technician } from "../../src/register/technician.ts";
import { createTrace } from "../../src/terminal/trace.ts";
import type { Counter } from "../support/counter.ts";
import { sale } from "../support/sale.ts";

const ENTITY = sale.channel.entityId;

const configuration: Configuration = {
  file: "/etc/posbridge/posbridge.yaml",
  environment: "test",
  listen: { host: "127.0.0.1", port: 7717 },
  dataDir: "/var/lib/posbridge",
  merchant: { name: "Corner Shop", address: ["Marktplatz 1"], vatId: "", country: "DE", language: "en" },
  gateway: {
    ...{
      baseUrl: "https://gateway.example/",
      formerBaseUrls: [],
      entityId: ENTITY,
      accessToken: new Secret("document-token"),
    },
    ...{ settlement: "dual", settlementByBrand: {}, captures: "several", timeLimits: {} },
  },
  terminals: [],
  timeouts: { cardMs: 60_000, pinMs: 60_000, hostAnswerMs: 45_000, removalMs: 30_000, unknownWindowMs: 1_800_000 },
  fallback: { allowed: true, chipTries: 3, withinMs: 60_000 },
  origins: [],
  journal: { archiveAfterDays: 90 },
  log: { maxBytes: 10_485_760, keep: 9, level: "info" },
};

const findings: Findings = {
  environment: "test",
  runtime: { version: "24.21.0" },
  folder: { path: configuration.dataDir, owner: { uid: 998 }, user: 998, mode: 0o700 },
  journal: { bytes: 5_300_000, facts: 196, rolledBack: false },
  disk: { freeBytes: 41_000_000, allBytes: 16_000_000_000 },
  gateway: { address: "https://gateway.example", answered: true, tookMs: 38, clockAheadMs: 120 },
  credentials: { is: "let-in" },
  terminals: [{ id: "till-1", model: "bench", state: "ready" }],
  devices: [],
  port: { host: "127.0.0.1", port: 7717 },
  authority: { is: "none" },
  log: { linesLost: 0 },
  reload: { needsRestart: [] },
};

/**
 * What the document's technician asks: the real answers about the counter's payments, and a machine whose disk is
 * nearly full.
 */
export function documentTechnician({ clock, payments }: Counter, recent = readyLine(clock)): Technician {
  const traces = new Map([["till-1", createTrace({ model: {}, transport: "serial", clock })]]);
  return createTechnician({
    ...{
      version: "0.1.0",
      bridge: "brg_1",
      configuration,
      clock,
      payments,
      gateway: { reaches: () => true },
      traces,
      recent,
    },
    findings: async () => findings,
    metrics: async () => "posbridge_up 1\n",
  });
}

function readyLine(clock: Clock): RecentLines {
  const recent = createRecentLines("1773000000000");
  const time = isoTime(clock.now());
  recent.add(JSON.stringify({ level: "info", time, environment: "test", recovered: 0, msg: "posbridge is ready" }));
  return recent;
}
