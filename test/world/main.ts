import { parseArgs } from "node:util";
import { runWorld } from "./world.ts";

const { values } = parseArgs({ options: { seed: { type: "string" }, payments: { type: "string" } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const payments = Number(values.payments ?? 1_000);
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(payments) || payments < 1) {
  process.stderr.write("world: --seed and --payments take whole numbers, for example: npm run world -- --seed 1 --payments 1000\n");
  process.exit(2);
}

const started = performance.now();
const result = await runWorld(seed, payments);
const seconds = (performance.now() - started) / 1000;
const table = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort()
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
const lines = [
  `seed ${seed}: ${result.payments} payments in ${(result.virtualMs / 3_600_000).toFixed(1)} h of the world's time, ${seconds.toFixed(1)} s of ours`,
  `outcomes: ${table(result.outcomes)}`,
  `troubles: ${table(result.troubles)}; crashes ${result.crashes}`,
  ...result.violations.slice(0, 20).map((violation) => `VIOLATION ${violation}`),
  `${result.violations.length} violations${result.violations.length === 0 ? "" : `; again with: npm run world -- --seed ${seed} --payments ${payments}`}`,
];
process.stdout.write(`${lines.join("\n")}\n`);
process.exit(result.violations.length === 0 ? 0 : 1);
