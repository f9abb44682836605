import { spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { copyOf } from "../mutants/copy.ts";
import { readTree } from "../tidy/tree.ts";
import { type Asked, argumentsOf, HELP } from "./arguments.ts";
import { EQUIVALENT } from "./equivalent.ts";
import { type Guard, guardsOf, testsFor, withoutGuard } from "./guard.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** A loop that lost its guard may run for ever. */
const LIMIT_MS = 180_000;

function wrongUsage(message: string): never {
  process.stderr.write(`guards: ${message}\n`);
  process.exit(2);
}

function guardsAsked({ under, only, sample, seed }: Asked): readonly Guard[] {
  const files = under.flatMap((place) => {
    if (statSync(join(ROOT, place), { throwIfNoEntry: false }) === undefined)
      wrongUsage(`--under ${place}: there is no such folder or file`);
    return place.endsWith(".ts") ? [{ path: place, text: readFileSync(join(ROOT, place), "utf8") }] : readTree(place);
  });
  const product = files.filter(({ path }) => !/\/simulator[^/]*\.ts$/.test(path));
  const guards = product
    .flatMap(({ path, text }) => guardsOf(path, text))
    .filter(({ file, text }) => file.includes(only) || text.includes(only));
  return sample === undefined ? guards : drawn(guards, sample, seed);
}

/** So many of them, the same ones for the same seed. */
function drawn(guards: readonly Guard[], count: number, seed: number): readonly Guard[] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state;
  };
  return guards
    .map((guard) => ({ guard, order: next() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ guard }) => guard);
}

/** Whether the tests of a copy fail, or do not come to their end. */
async function isNoticed(folder: string, tests: readonly string[]): Promise<boolean> {
  const vitest = join(folder, "node_modules/.bin/vitest");
  const options = ["run", "--bail", "1", "--no-isolate", "--reporter", "dot", "--maxWorkers", "1"];
  const child = spawn(vitest, [...options, ...tests], {
    cwd: folder,
    stdio: "ignore",
    env: { ...process.env, NO_COLOR: "1", TMPDIR: folder },
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  const code = await new Promise<number | null>((done) => child.on("close", done));
  clearTimeout(timer);
  return code !== 0;
}

async function isMissed(folder: string, guard: Guard): Promise<boolean> {
  for (const tests of testsFor(guard.file)) {
    if (await isNoticed(folder, tests)) return false;
  }
  return true;
}

async function main(): Promise<number> {
  const asked = argumentsOf(process.argv.slice(2));
  if (asked.is === "wrong") wrongUsage(asked.problem);
  if (asked.is === "help") {
    process.stdout.write(HELP);
    return 0;
  }
  const guards = guardsAsked(asked);
  if (guards.length === 0) wrongUsage("no guard there; see --help");
  const open = guards.filter(({ file, text }) => EQUIVALENT.every((each) => each.file !== file || each.text !== text));
  let unnoticed = 0;
  const next = open.values();
  const work = async (): Promise<void> => {
    const copy = copyOf(ROOT);
    try {
      for (const guard of next) {
        const original = readFileSync(join(ROOT, guard.file), "utf8");
        writeFileSync(join(copy.folder, guard.file), withoutGuard(guard, original));
        const missed = await isMissed(copy.folder, guard);
        writeFileSync(join(copy.folder, guard.file), original);
        if (missed) unnoticed += 1;
        if (asked.json) process.stdout.write(`${JSON.stringify({ ...guard, noticed: !missed })}\n`);
        else if (missed) process.stdout.write(`NOT NOTICED  ${guard.file}:${guard.line}  ${guard.text}\n`);
      }
    } finally {
      copy.remove();
    }
  };
  await Promise.all(Array.from({ length: Math.min(asked.atOnce, open.length) }, work));
  const [noticed, equivalent] = [open.length - unnoticed, guards.length - open.length];
  process.stdout.write(
    asked.json
      ? `${JSON.stringify({ noticed, equivalent, of: guards.length })}\n`
      : `${noticed} noticed and ${equivalent} of no effect, of ${guards.length}\n`,
  );
  return unnoticed === 0 ? 0 : 1;
}

process.exit(await main());
