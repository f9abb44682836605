import { parseArgs } from "node:util";
import { simulators } from "../../drivers/simulators.ts";
import { type PaceName, paceNames } from "../../src/simulator/pace.ts";
import { defaultThreads, playWorld, runBatch, scriptOf, type WorldSummary, worldSizes } from "./batch.ts";
import { type Script, scriptSchema } from "./script.ts";
import type { Fleet } from "./stand.ts";

const HELP = `Plays payments through the production code in worlds of their own, with everything going wrong, and holds the books to the truths of the contract.

  npm run world -- --seed N [--payments M]      the same seed and payments give the same worlds, on however many threads
  npm run world -- --seed 1 --payments 60000
  npm run world -- --seed 1 --seconds 20        as many worlds as begin within that time
  npm run world -- --seed 1 --payments 5000 --world 7     one world of them, with its history if it fails
  npm run world -- --script '{"seed":1,"steps":[...]}'    what a failure was cut down to, with its history

  --terminal M  every terminal is of this model (posbridge simulate --list), whatever cards it takes
  --pace real   every terminal takes as long over a chip as a real one was recorded to
  --threads T   worlds beside each other, by default one for each processor
  --json        the result as JSON
`;

interface Wish {
  readonly seed: number;
  readonly payments: number;
  readonly seconds: number | undefined;
  readonly threads: number;
  readonly world: number | undefined;
  readonly fleet: Fleet;
  readonly script: Script | undefined;
  readonly json: boolean;
}

function fail(problem: string): never {
  process.stderr.write(`world: ${problem}\n`);
  process.exit(2);
}

function whole(name: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) && value >= least
    ? value
    : fail(`--${name} takes a whole number from ${least} on, for example: npm run world -- --seed 1 --payments 1000`);
}

function wishOf(args: readonly string[]): Wish {
  const text = { type: "string" } as const;
  const options = {
    seed: text,
    payments: text,
    seconds: text,
    threads: text,
    world: text,
    terminal: text,
    pace: text,
    script: text,
    json: { type: "boolean" },
    help: { type: "boolean" },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    if (values.help === true) {
      process.stdout.write(HELP);
      process.exit(0);
    }
    const seconds = whole("seconds", values.seconds, 1);
    return {
      seed: whole("seed", values.seed, 0) ?? Date.now() % 1_000_000,
      payments: whole("payments", values.payments, 1) ?? (seconds === undefined ? 1_000 : 10_000_000),
      seconds,
      threads: whole("threads", values.threads, 1) ?? defaultThreads,
      world: whole("world", values.world, 0),
      fleet: {
        model: values.terminal === undefined ? undefined : modelNamed(values.terminal),
        pace: paceNamed(values.pace),
      },
      script: values.script === undefined ? undefined : readScript(values.script),
      json: values.json === true,
    };
  } catch (cause) {
    return fail(`${cause instanceof Error ? cause.message : String(cause)}; see npm run world -- --help`);
  }
}

function modelNamed(name: string): string {
  const models = simulators.map(({ id }) => id);
  return models.includes(name) ? name : fail(`--terminal takes one of ${models.join(", ")}`);
}

function paceNamed(text: string | undefined): PaceName | undefined {
  return text === undefined
    ? undefined
    : (paceNames.find((name) => name === text) ?? fail(`--pace takes one of ${paceNames.join(", ")}`));
}

function readScript(text: string): Script {
  try {
    return scriptSchema.parse(JSON.parse(text));
  } catch (cause) {
    return fail(
      `--script is not a script of a world: ${cause instanceof Error ? cause.message.split("\n")[0] : String(cause)}`,
    );
  }
}

interface Failure {
  readonly world: number;
  readonly rule: string;
  readonly script: Script;
  readonly history: readonly string[];
  readonly again: string;
}

const count = (of: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> => {
  const total: Record<string, number> = {};
  for (const counts of of)
    for (const [name, number] of Object.entries(counts)) total[name] = (total[name] ?? 0) + number;
  return Object.fromEntries(Object.entries(total).sort(([a], [b]) => a.localeCompare(b)));
};

async function failureOf(script: Script, world: number, rule: string): Promise<Failure> {
  const { shrink } = await import("./shrink.ts");
  const shrunk = await shrink(script, rule);
  return {
    world,
    rule,
    script: shrunk.script,
    history: shrunk.history,
    again: `npm run world -- --script '${JSON.stringify(shrunk.script)}'`,
  };
}

/** Plays what is wished; `played` has one entry for each world. */
async function play(
  wish: Wish,
): Promise<{ readonly played: readonly WorldSummary[]; readonly failure: Failure | undefined }> {
  const { seed, payments, world, fleet } = wish;
  const size =
    world === undefined
      ? 0
      : (worldSizes(payments)[world] ??
        fail(`--world: ${payments} payments make ${worldSizes(payments).length} worlds, counted from 0`));
  if (wish.script !== undefined) {
    const [{ runWorld }, { historyOf }] = await Promise.all([import("./world.ts"), import("./shrink.ts")]);
    const { history: _, ...result } = await runWorld(wish.script);
    const rule = result.violations[0]?.rule ?? "no rule";
    const history = await historyOf(wish.script, rule);
    const failure = {
      world: 0,
      rule,
      script: wish.script,
      history,
      again: `npm run world -- --script '${JSON.stringify(wish.script)}'`,
    };
    return { played: [{ world: 0, ...result }], failure };
  }
  const played =
    world === undefined
      ? await runBatch({
          seed,
          payments,
          fleet,
          threads: wish.threads,
          withinMs: (wish.seconds ?? Number.POSITIVE_INFINITY) * 1000,
        })
      : [await playWorld(seed, world, size, fleet)];
  const failed = played.find(({ violations }) => violations.length > 0);
  const rule = failed?.violations[0]?.rule;
  if (failed === undefined || rule === undefined) return { played, failure: undefined };
  return {
    played,
    failure: await failureOf(
      scriptOf(seed, failed.world, worldSizes(payments)[failed.world] ?? 0, fleet),
      failed.world,
      rule,
    ),
  };
}

const wish = wishOf(process.argv.slice(2));
const started = performance.now();
const { played, failure } = await play(wish);
const seconds = (performance.now() - started) / 1000;
const total = played.reduce((sum, { payments }) => sum + payments, 0);
const violations = played.flatMap(({ world, violations: found }) =>
  found.map((violation) => ({ world, ...violation })),
);
const result = {
  ...{
    seed: wish.seed,
    payments: total,
    worlds: played.length,
    threads: wish.threads,
    seconds: Number(seconds.toFixed(1)),
    perMinute: Math.round((total / seconds) * 60),
  },
  virtualHours: Number((played.reduce((sum, { virtualMs }) => sum + virtualMs, 0) / 3_600_000).toFixed(1)),
  outcomes: count(played.map(({ outcomes }) => outcomes)),
  approved: count(played.map(({ approved }) => approved)),
  troubles: count(played.map(({ troubles }) => troubles)),
  crashes: played.reduce((sum, { crashes }) => sum + crashes, 0),
  violations,
};
const table = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, number]) => `${name} ${number}`)
    .join(", ");
const lines = [
  ...(failure === undefined
    ? []
    : [
        `world ${failure.world}, cut down to ${failure.script.steps.length} payments, breaks ${failure.rule}:`,
        ...failure.history,
        failure.again,
      ]),
  `outcomes: ${table(result.outcomes)}`,
  `approved: ${table(result.approved)}`,
  `troubles: ${table(result.troubles)}; crashes ${result.crashes}`,
  ...violations
    .slice(0, 20)
    .map(({ world, reference, rule, text }) => `VIOLATION world ${world} ${reference} ${rule}: ${text}`),
  `seed ${wish.seed}: ${total} payments in ${played.length} worlds, ${result.virtualHours} h of their time, ${result.seconds} s of ours on ${wish.threads} threads: ${result.perMinute} payments a minute`,
  violations.length === 0
    ? "0 violations"
    : `${violations.length} violations; again with: npm run world -- --seed ${wish.seed} --payments ${wish.payments}`,
];
process.stdout.write(
  wish.json ? `${JSON.stringify({ ...result, ...(failure !== undefined && { failure }) })}\n` : `${lines.join("\n")}\n`,
);
process.exitCode = violations.length === 0 ? 0 : 1;
