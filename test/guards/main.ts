import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { readTree } from "../tidy/tree.ts";
import { ACCEPTED, isAccepted, staleAmong } from "./accepted.ts";
import { type Asked, argumentsOf, HELP } from "./arguments.ts";
import { refusedByCompiler } from "./compiler.ts";
import { type Guard, guardsOf } from "./guard.ts";
import { hashOf, type Result, Results, stillNoticed } from "./results.ts";
import { Sweep } from "./sweep.ts";
import { tiersFor } from "./tests.ts";
import { type Numbered, warm } from "./warm.ts";

const ROOT = resolve(import.meta.dirname, "../..");

function wrongUsage(message: string): never {
  process.stderr.write(`guards: ${message}\n`);
  process.exit(2);
}

/** The simulators of drivers are tools of the tests. */
function guardsIn(places: readonly string[]): readonly Guard[] {
  const files = places.flatMap((place) => {
    if (statSync(join(ROOT, place), { throwIfNoEntry: false }) === undefined)
      wrongUsage(`--only ${place}: there is no such folder or file`);
    return place.endsWith(".ts") ? [{ path: place, text: readFileSync(join(ROOT, place), "utf8") }] : readTree(place);
  });
  return files
    .filter(({ path }) => !/\/simulator[^/]*\.ts$/.test(path))
    .flatMap(({ path, text }) => guardsOf(path, text));
}

class Report {
  readonly #results = new Results(join(ROOT, "node_modules/.cache/guards.jsonl"));
  readonly #json: boolean;
  readonly #hashes = new Map<string, string>();
  readonly counts = { noticed: 0, compiler: 0, unnoticed: 0, accepted: 0 };

  constructor({ json }: Asked) {
    this.#json = json;
  }

  #hash(file: string): string {
    const hash = this.#hashes.get(file) ?? hashOf(readFileSync(join(ROOT, file), "utf8"));
    this.#hashes.set(file, hash);
    return hash;
  }

  /** The guards that have to be tried. Results of other places stay as they are. */
  begin(guards: readonly Guard[], resume: boolean): readonly Guard[] {
    const all = this.#results.earlier();
    const places = new Set(guards.map(({ file }) => file));
    const earlier = resume ? all : [];
    const known = guards.map((guard) => ({ guard, result: stillNoticed(earlier, guard, this.#hash(guard.file)) }));
    const kept = known.flatMap(({ result }) => result ?? []);
    this.#results.begin([...all.filter(({ file }) => !places.has(file)), ...kept]);
    this.counts.noticed += kept.length;
    return known.flatMap(({ guard, result }) => (result === undefined ? [guard] : []));
  }

  add({ file, line, text }: Guard, is: Result["is"], by?: string): void {
    this.counts[is] += 1;
    const result = { file, line, text, sha256: this.#hash(file), is, ...(by !== undefined && { by }) };
    this.#results.add(result);
    if (this.#json) process.stdout.write(`${JSON.stringify(result)}\n`);
    else if (is === "unnoticed") process.stdout.write(`NOT NOTICED  ${file}:${line}  ${text}\n`);
  }

  end(seconds: number, of: number): void {
    const { noticed, compiler, unnoticed, accepted } = this.counts;
    const words = `${noticed} noticed by tests, ${compiler} by the compiler, ${accepted} accepted, ${unnoticed} not noticed`;
    process.stdout.write(
      this.#json
        ? `${JSON.stringify({ ...this.counts, of, seconds })}\n`
        : `${words}, of ${of}, in ${seconds.toFixed(0)} s\n`,
    );
  }
}

async function tried(guards: readonly Numbered[], report: Report, { quick }: Asked): Promise<readonly Numbered[]> {
  if (guards.length === 0) return [];
  const vitest = await warm(ROOT, guards);
  try {
    const sweep = new Sweep(vitest, guards, (guard, by) => report.add(guard, "noticed", by));
    const tiers = tiersFor(guards.map(({ file }) => file));
    return await sweep.over(quick ? tiers.slice(0, -1) : tiers);
  } finally {
    await vitest.close();
  }
}

async function main(): Promise<number> {
  const asked = argumentsOf(process.argv.slice(2));
  if (asked.is === "wrong") wrongUsage(asked.problem);
  if (asked.is === "help") {
    process.stdout.write(HELP);
    return 0;
  }
  const begun = performance.now();
  const guards = guardsIn(asked.only);
  if (guards.length === 0) wrongUsage("no guard there; see --help");
  const report = new Report(asked);
  const waiting = report.begin(guards, asked.resume);
  const accepted = waiting.filter(isAccepted);
  for (const guard of accepted) report.add(guard, "accepted");
  const open = waiting.filter((guard) => !accepted.includes(guard)).map((guard, id) => ({ ...guard, id }));
  const left = await tried(open, report, asked);
  const refused = new Set(refusedByCompiler(ROOT, left));
  for (const guard of left) report.add(guard, refused.has(guard) ? "compiler" : "unnoticed");
  report.end((performance.now() - begun) / 1000, guards.length);
  const stale = staleAmong(ACCEPTED, guardsIn([...new Set(ACCEPTED.map(({ file }) => file))]));
  for (const { file, text } of stale)
    process.stderr.write(`accepted.ts names a guard that is gone: ${file}  ${text}\n`);
  return report.counts.unnoticed === 0 && stale.length === 0 ? 0 : 1;
}

process.exit(await main());
