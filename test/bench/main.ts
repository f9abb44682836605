import fs from "node:fs";
import path from "node:path";
import { systemClock } from "../../src/kit/system-clock.ts";
import { systemRandom } from "../../src/kit/system-random.ts";
import { type Arguments, HELP, readArguments } from "./arguments.ts";
import { generateJournal } from "./journal/generate.ts";
import { pageWith } from "./page.ts";
import { comparedLines, reportLines } from "./report.ts";
import { beyond, compare, resultSchema } from "./result.ts";
import { GROSS } from "./rows.ts";
import { runBench } from "./run.ts";
import { PROJECT } from "./sides/started.ts";

const PAGE = path.join(PROJECT, "docs/performance.md");
const began = performance.now();
const isWatched = process.stderr.isTTY === true;

// So that what was started is ended too (sides/started.ts).
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const read = readArguments(process.argv.slice(2));
switch (read.is) {
  case "help":
    process.stdout.write(HELP);
    break;
  case "wrong":
    process.stderr.write(`bench: ${read.problem}\n`);
    process.exitCode = 2;
    break;
  case "journal": {
    const of = `of ${read.payments} payments are written`;
    await generateJournal({
      ...{ ...read, clock: systemClock, random: systemRandom },
      progress: (payments) => progress(`${payments} ${of}`),
    });
    print([`${read.payments} ${of} to ${read.dataDir}`]);
    break;
  }
  case "measure":
    await measure(read);
    break;
}

async function measure({ wish, json, write, compare: file }: Extract<Arguments, { is: "measure" }>): Promise<void> {
  const then = file === undefined ? undefined : resultSchema.parse(JSON.parse(fs.readFileSync(file, "utf8")));
  const result = await runBench(wish, progress);
  progress("done");
  if (isWatched) process.stderr.write("\n");
  print(json ? [JSON.stringify(result, undefined, 2)] : reportLines(result));
  if (then !== undefined) print(["", ...comparedLines(compare(result, then))]);
  if (write) fs.writeFileSync(PAGE, pageWith(fs.readFileSync(PAGE, "utf8"), result));
  if (!wish.quick) return;
  const wrong = beyond(result.rows, GROSS);
  for (const { id, ratio, limit } of wrong)
    process.stderr.write(
      `bench: ${id} is ${ratio.toFixed(1)} x what stands beside it; more than ${limit} x is wrong\n`,
    );
  if (wrong.length > 0) process.exitCode = 1;
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

function progress(text: string): void {
  if (isWatched) process.stderr.write(`\r\x1b[K${((performance.now() - began) / 1_000).toFixed(0)} s, ${text}`);
}
