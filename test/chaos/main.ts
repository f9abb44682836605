import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { seededRandom } from "../../src/kit/seeded-random.ts";
import { type Arguments, HELP, readArguments } from "./arguments.ts";
import { createDealer } from "./dealer.ts";
import { fullDose, harshDose, oneMore, planRun } from "./draw.ts";
import { KILL } from "./misfortunes.ts";
import { isAccepted } from "./record.ts";
import { jsonReport, progressLine, reportLines, type Summary } from "./report.ts";
import { openShops, type Progress, runShop } from "./run.ts";

const read = readArguments(process.argv.slice(2));
if (read.is === "help") {
  process.stdout.write(HELP);
  process.exit(0);
}
if (read.is === "wrong") {
  process.stderr.write(`chaos: ${read.problem}\n`);
  process.exit(2);
}
process.on("uncaughtException", (error) => {
  process.stderr.write(`chaos: could not go on, so that nothing was compared: ${error.stack ?? error.message}\n`);
  process.exit(1);
});
// So that what was started is ended too (test/scenarios/program.ts).
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

process.exit(await chaos(read));

async function chaos({
  payments,
  shops,
  patienceMs,
  harsh,
  json,
  seed = Math.floor(Math.random() * 1_000_000),
}: Extract<Arguments, { is: "run" }>): Promise<0 | 1> {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-chaos-"));
  const dose = harsh ? harshDose(payments) : fullDose(payments);
  const dealer = createDealer(planRun(seed, dose), payments, (number) => oneMore(seed, dose, number));
  const progress: Progress = { entries: [], counts: new Map(), open: new Map(), connections: 0 };
  const stopWatching = watch(() => progressLine(progress, payments, seconds()));
  const day = { prefix: `chaos-${seed}`, dealer, progress, healing: { patienceMs, restarts: harsh } };
  const opened = await openShops(shops, folder);
  const results = await Promise.all(
    opened.map((shop) => runShop(shop, { ...day, random: seededRandom(seed + shop.number) })),
  );
  stopWatching();
  const violations = results.flatMap((result) => result.violations);
  const summary: Summary = {
    ...{ seed, shops, violations, seconds: seconds(), folder: violations.length > 0 ? folder : undefined },
    ...{
      payments: progress.entries.filter(isAccepted).length,
      kills: progress.counts.get(KILL) ?? 0,
      counts: progress.counts,
      connections: progress.connections,
    },
    ...{ endings: results.flatMap(({ endings }) => endings), entries: progress.entries },
    ...{ parts: results.flatMap(({ parts }) => parts), words: results.flatMap(({ words }) => words) },
  };
  if (violations.length === 0) fs.rmSync(folder, { recursive: true });
  process.stdout.write(
    json ? `${JSON.stringify(jsonReport(summary), null, 2)}\n` : `${reportLines(summary).join("\n")}\n`,
  );
  return violations.length === 0 ? 0 : 1;
}

/** Says how far it is on stderr: in one line that is written over where a person watches. */
function watch(line: () => string): () => void {
  const isWatched = process.stderr.isTTY;
  const timer = setInterval(
    () => process.stderr.write(isWatched ? `\r\x1b[K${line()}` : `${line()}\n`),
    isWatched ? 1_000 : 10_000,
  );
  return () => {
    clearInterval(timer);
    if (isWatched) process.stderr.write("\r\x1b[K");
  };
}
