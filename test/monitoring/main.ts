import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { connectRegister } from "../../src/client/client.ts";
import { type Demo, openDemo } from "../../src/demo/demo.ts";
import { systemPlatform } from "../../src/kit/system-platform.ts";
import { realTime } from "../support/waiting.ts";
import { expressionsOf, namedIn, readAlerts, readDashboard, shownIn } from "./dashboard.ts";

/*
 * npm run test:monitoring: config/alerts.yaml and config/grafana/posbridge.json against Debian's Prometheus and a demo
 * bridge that sells.
 * .ci/prometheus-packages fetches it. Exit code 0 only where all of it went well.
 */

const tools =
  process.env["POSBRIDGE_MONITORING_TOOLS"] ??
  path.join(process.env["XDG_CACHE_HOME"] ?? path.join(os.homedir(), ".cache"), "posbridge/monitoring");
const say = (line: string): void => void process.stdout.write(`monitoring: ${line}\n`);

function promtool(...args: readonly string[]): void {
  execFileSync(path.join(tools, "usr/bin/promtool"), args, { stdio: ["ignore", "ignore", "inherit"] });
}

/** A sale, a decline and a refused call, so that figures of all kinds are there. */
async function sell({ url, token }: Demo): Promise<void> {
  const till = await connectRegister({ url, token: token.reveal(), after: undefined });
  try {
    for (const [reference, amount, outcome] of [
      ["m-1", "12.34", "APPROVED"],
      ["m-2", "9100.51", "DECLINED"],
    ] as const) {
      await till.startPayment({ reference, type: "SALE", terminal: "till-1", currency: "EUR", amount, queue: true });
      const payment = await till.waitPayment({ reference });
      assert.equal(payment.outcome, outcome, `${reference}: ${JSON.stringify(payment.reason)}`);
    }
    await assert.rejects(
      till.startPayment({ reference: "m-3", type: "SALE", terminal: "nowhere", currency: "EUR", amount: "1.00" }),
    );
  } finally {
    till.close();
  }
}

const answerSchema = z.object({ status: z.literal("success"), data: z.unknown() });
const vectorSchema = z.object({ resultType: z.enum(["vector", "scalar", "matrix"]), result: z.array(z.unknown()) });
const targetsSchema = z.object({ activeTargets: z.array(z.object({ health: z.string(), lastError: z.string() })) });
const rulesSchema = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ name: z.string(), health: z.string(), state: z.string() })) })),
});

/** A real Prometheus on a folder of its own that scrapes the bridge twice a second. */
async function withPrometheus(
  bridge: string,
  run: (ask: (call: string) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-prometheus-"));
  const config = path.join(folder, "prometheus.yml");
  fs.writeFileSync(
    config,
    `global: { scrape_interval: 500ms, evaluation_interval: 500ms }\nrule_files: [${path.resolve("config/alerts.yaml")}]\nscrape_configs:\n  - job_name: posbridge\n    static_configs: [{ targets: ["${bridge}"] }]\n`,
  );
  const flags = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${folder}/data`,
    "--web.listen-address=127.0.0.1:0",
    "--log.level=info",
  ];
  const child = spawn(path.join(tools, "usr/bin/prometheus"), flags, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  try {
    const port = await portOf(child.stderr, ended);
    await run(async (call) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/${call}`);
      const text = await response.text();
      assert(response.ok, `${call}: ${text}`);
      return answerSchema.parse(JSON.parse(text)).data;
    });
  } finally {
    child.kill("SIGTERM");
    await ended;
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Where it listens, as its log says it. The log is read to the end: a pipe that nobody reads would end it. */
function portOf(stderr: NodeJS.ReadableStream, ended: Promise<void>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = "";
  stderr.on("data", (chunk: Buffer) => {
    if (said.length < 65_536) said += chunk.toString("utf8");
    const port = /Listening on" address=127\.0\.0\.1:(\d+)/.exec(said)?.[1];
    if (port !== undefined) resolve(port);
  });
  void ended.then(() => reject(new Error(`prometheus has ended: ${said}`)));
  return promise;
}

/** Asks again until it holds; 30 s are more than anything here takes. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = realTime.now() + 30_000;
  while (!(await holds())) {
    assert(realTime.now() < end, `${what} did not come`);
    await realTime.pause(200);
  }
}

async function judge(ask: (call: string) => Promise<unknown>): Promise<void> {
  const query = async (expr: string) => vectorSchema.parse(await ask(`query?query=${encodeURIComponent(expr)}`)).result;
  await until("a second scrape", async () => (await query("count_over_time(up[1m]) >= 3")).length > 0);
  const { activeTargets } = targetsSchema.parse(await ask("targets"));
  assert.deepEqual(activeTargets, [{ health: "up", lastError: "" }]);
  const expressions = expressionsOf(readDashboard());
  const empty: string[] = [];
  for (const { title, expr } of expressions) if ((await query(expr)).length === 0) empty.push(title);
  // No certificate is named, nothing was refused before a session, and within two scrapes no figure has grown.
  const expected = [
    "Bridges: version, start, certificates",
    "Result codes an hour by class",
    "Sessions and refusals an hour",
  ];
  assert.deepEqual(
    empty.filter((title) => !expected.includes(title)),
    [],
    "panels without a value",
  );
  await until("an evaluation of each rule", async () => {
    const rules = rulesSchema.parse(await ask("rules")).groups.flatMap((group) => group.rules);
    return rules.length === readAlerts().length && rules.every(({ health }) => health === "ok");
  });
  const firing = rulesSchema
    .parse(await ask("rules"))
    .groups.flatMap((group) => group.rules.filter(({ state }) => state === "firing"));
  assert.deepEqual(
    firing.map(({ name }) => name),
    [],
  );
  say(`a real Prometheus scraped it, evaluated ${expressions.length} expressions of the dashboard, and no alert fired`);
}

promtool("check", "rules", "config/alerts.yaml");
promtool("test", "rules", "test/monitoring/alerts.test.yaml");
say(`${readAlerts().length} alerts are sound, each fires and each is quiet`);
const demo = await openDemo({
  model: "miura-m020",
  pace: "quick",
  platform: systemPlatform,
  registerPort: 0,
  sandboxPort: 0,
  origins: [],
  step: () => undefined,
});
try {
  const bridge = new URL(demo.url).host;
  await withPrometheus(bridge, async (ask) => {
    await sell(demo);
    const shown = shownIn(await (await fetch(`http://${bridge}/metrics`)).text());
    // Prometheus adds these; the certificate stands only where one is named.
    const labels = new Set([...shown.labels, "job", "instance", "certificate"]);
    const metrics = new Set([...shown.metrics, "posbridge_certificate_expiry_timestamp_seconds"]);
    for (const expr of [...expressionsOf(readDashboard()), ...readAlerts()].map((one) => one.expr)) {
      const named = namedIn(expr);
      assert.deepEqual({ expr, metrics: named.metrics.filter((name) => !metrics.has(name)) }, { expr, metrics: [] });
      assert.deepEqual({ expr, labels: named.labels.filter((name) => !labels.has(name)) }, { expr, labels: [] });
    }
    say("every metric and label that dashboard and alerts name is in /metrics of a bridge that has sold");
    await judge(ask);
  });
} finally {
  await demo.close();
}
