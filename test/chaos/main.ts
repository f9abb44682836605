import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Arguments, HELP, readArguments } from "./arguments.ts";
import { planRun } from "./plan.ts";
import { isAccepted } from "./record.ts";
import { openShops, type Progress, runShop } from "./run.ts";

const KILL = "bridge killed";

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
  json,
  seed = Math.floor(Math.random() * 1_000_000),
}: Extract<Arguments, { is: "run" }>): Promise<0 | 1> {
  const started = performance.now();
  const seconds = (): number => Math.round((performance.now() - started) / 1000);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-chaos-"));
  const progress: Progress = { entries: [], counts: new Map(), open: new Map() };
  const done = (): string => {
    const kills = progress.counts.get(KILL) ?? 0;
    return `${progress.entries.filter(isAccepted).length} payments, ${kills} kills`;
  };
  const stopWatching = watch(() => {
    const open = [...progress.open.values()].reduce((total, count) => total + count, 0);
    return `chaos: ${done()} of ${payments}, ${seconds()} s${progress.open.size > 0 ? `, healing: ${open} open` : ""}`;
  });
  const day = { prefix: `chaos-${seed}`, plans: [...planRun(seed, payments)], progress, patienceMs };
  const opened = await openShops(shops, folder);
  const results = await Promise.all(opened.map((shop) => runShop(shop, day)));
  stopWatching();
  const violations = results.flatMap((result) => result.violations);
  const faults = [...progress.counts].filter(([name]) => name !== KILL);
  const summary = `chaos: ${done()}, ${sum(faults.map(([, times]) => times))} faults, ${violations.length} violations (seed ${seed}, ${seconds()} s)`;
  const endings = results.flatMap((result) => result.endings);
  if (violations.length === 0) fs.rmSync(folder, { recursive: true });
  const lines = [
    ...violations.map((violation) => `VIOLATION ${violation}`),
    ...[...Map.groupBy(endings, ({ kind }) => kind)].map(
      ([kind, own]) => `${kind}: ${tally(own.map(({ ending }) => ending))}`,
    ),
    `faults: ${faults.map(([name, times]) => `${name} ${times}`).join(", ") || "none"}`,
    `registers: ${sum(results.map(({ connections }) => connections))} connections, told ${sum(progress.entries.map(({ tellings }) => tellings.length))} times`,
    ...(violations.length === 0 ? [] : [`data folders and logs are kept in ${folder}`]),
    summary,
  ];
  const report = { summary, seed, shops, seconds: seconds(), done: Object.fromEntries(progress.counts), endings };
  process.stdout.write(`${json ? JSON.stringify({ ...report, violations, folder }, null, 2) : lines.join("\n")}\n`);
  return violations.length === 0 ? 0 : 1;
}

/** Says how far it is on stderr: in one line that is written over at a terminal. */
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function tally(names: readonly string[]): string {
  return [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => `${name} ${length}`).join(", ");
}
