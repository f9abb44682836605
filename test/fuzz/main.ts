import { parseArgs } from "node:util";
import { type SeededRandom, seededRandom } from "../../src/kit/seeded-random.ts";
import { pairs } from "../drivers/models.ts";
import { type Round, round } from "./round.ts";

/*
 * Lives of drivers with a line that spoils what it likes, until the time is up: every command must end, no driver may
 * throw, and no verdict may be told that is not
 * the card's. Each round comes from its own seed, which a failure prints with the command that repeats it.
 */

const HELP = `npm run fuzz -- [--seconds N] [--model ID] [--seed N] [--rounds N] [--json]

  Spoils what simulated terminals send to their drivers, at random and for as long as there is time.

  --seconds N   how long; 30 by default
  --model ID    this simulator only; all by default
  --seed N      of the first round; the time of day by default
  --rounds N    so many rounds instead of so many seconds
  --json        for machines

  Example: npm run fuzz -- --seconds 3600 --model miura-m020
`;

interface Settings {
  readonly seconds: number;
  readonly model: string | undefined;
  readonly seed: number;
  readonly rounds: number;
  readonly json: boolean;
}

function settings(): Settings | "help" {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "30" },
      model: { type: "string" },
      seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
      rounds: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  const whole = (name: string, text: string): number => {
    const number = Number(text);
    if (!Number.isSafeInteger(number) || number < 0)
      throw new RangeError(`--${name} must be a whole number, not ${JSON.stringify(text)}`);
    return number;
  };
  const known = pairs.map(({ simulator }) => simulator.id);
  if (values.model !== undefined && !known.includes(values.model))
    throw new RangeError(`--model must be one of ${[...new Set(known)].join(", ")}`);
  return {
    seconds: whole("seconds", values.seconds),
    model: values.model,
    seed: whole("seed", values.seed),
    rounds: values.rounds === undefined ? Number.POSITIVE_INFINITY : whole("rounds", values.rounds),
    json: values.json,
  };
}

function report({ model, seed, json }: Settings, rounds: readonly Round[], failed: Round | undefined): void {
  const chunks = rounds.reduce((total, one) => total + one.chunks, 0);
  const spoiled = rounds.reduce((total, one) => total + one.spoiled, 0);
  if (json) {
    process.stdout.write(`${JSON.stringify({ seed, rounds: rounds.length, chunks, spoiled, failure: failed })}\n`);
    return;
  }
  if (failed !== undefined) {
    const only = model === undefined ? "" : ` --model ${model}`;
    process.stdout.write(
      `FAILED ${failed.title}: ${failed.problem}\n  again: npm run fuzz -- --seed ${failed.seed} --rounds 1${only}\n`,
    );
  }
  process.stdout.write(
    `${rounds.length} rounds from seed ${seed}, ${chunks} chunks of ${spoiled} spoiled, ${failed === undefined ? "0 failures" : "1 failure"}\n`,
  );
}

async function main(): Promise<number> {
  const on = settings();
  if (on === "help") {
    process.stdout.write(HELP);
    return 0;
  }
  const devices = pairs.filter(({ simulator }) => on.model === undefined || simulator.id === on.model);
  const until = performance.now() + on.seconds * 1000;
  const rounds: Round[] = [];
  let failed: Round | undefined;
  while (
    failed === undefined &&
    rounds.length < on.rounds &&
    (Number.isFinite(on.rounds) || performance.now() < until)
  ) {
    const seed = on.seed + rounds.length;
    const random: SeededRandom = seededRandom(seed);
    const pair = devices[random.below(devices.length)];
    if (pair === undefined) throw new RangeError("no device");
    const one = await round(pair, seed, random);
    rounds.push(one);
    if (one.problem !== undefined) failed = one;
  }
  report(on, rounds, failed);
  return failed === undefined ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`fuzz: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
