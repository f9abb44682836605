import { parseArgs } from "node:util";
import { rowNamed, rows } from "./rows.ts";
import type { Wish } from "./run.ts";

export const HELP = `Usage: npm run bench [-- OPTIONS]
       npm run bench -- journal --payments N --data DIR [--seed S]

Measures the bridge beside a bare script with the same parts (test/bench/bare), by turns in one run, and a long journal
beside one of 1,000 payments. Each figure is a median with its quartiles; warm-up does not count. Compare ratios: times
depend on the machine.

  --only ROW     this row (more than once: these rows)
  --journal N    beside a journal of 1,000 payments one of N, which is generated first (from 1,000 to 1,000,000)
  --data DIR     with --journal N: a data folder that was generated before; a few sales are added to it
  --terminals N  how many terminals sell at once (default 32)
  --program FILE the packaged program in place of the sources
  --quick        a short form in less than a minute; fails (exit code 1) where a ratio is grossly wrong
  --json         print the result as JSON
  --compare FILE an earlier --json output: the change of each row, and whether it is outside of the spread
  --write        write the result to docs/performance.md

  journal        writes a data folder with N closed payments: 300 a day by four registers, then a day of 1,000 by
                 register-1 alone, which is yesterday; 3 % are refunded and 2 % declined
  --payments N   how many payments (from 1 to 1,000,000)
  --data DIR     the folder, which must not have a journal
  --seed S       a whole number (default 1): the same seed makes the same payments

Rows:
${rows.map(({ id, title }) => `  ${id.padEnd(14)} ${title}`).join("\n")}

Examples:
  npm run bench -- --only sale-own --only sale-final
  npm run bench -- --journal 100000 --json > before.json
  npm run bench -- journal --payments 1000000 --data /var/tmp/bench-data
`;

export type Arguments =
  | { readonly is: "help" }
  | { readonly is: "wrong"; readonly problem: string }
  | { readonly is: "journal"; readonly payments: number; readonly dataDir: string; readonly seed: number }
  | {
      readonly is: "measure";
      readonly wish: Wish;
      readonly json: boolean;
      readonly write: boolean;
      readonly compare: string | undefined;
    };

const MOST_PAYMENTS = 1_000_000;
const MOST_TERMINALS = 48;
const OPTIONS = {
  payments: { type: "string" },
  data: { type: "string" },
  seed: { type: "string", default: "1" },
  only: { type: "string", multiple: true },
  journal: { type: "string" },
  terminals: { type: "string", default: "32" },
  program: { type: "string" },
  compare: { type: "string" },
  quick: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

export function readArguments(argv: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
    if (values.help) return { is: "help" };
    const [word, ...more] = positionals;
    if (more.length > 0 || (word !== undefined && word !== "journal"))
      throw new RangeError(`${more[0] ?? word} is no command`);
    if (word === "journal") {
      if (values.data === undefined) throw new RangeError("--data DIR is missing");
      const payments = wholeNumber("--payments", values.payments ?? "", 1, MOST_PAYMENTS);
      const seed = wholeNumber("--seed", values.seed, 0, 0xffff_ffff);
      return { is: "journal", payments, dataDir: values.data, seed };
    }
    const only = values.only ?? [];
    const unknown = only.find((id) => rowNamed(id) === undefined);
    if (unknown !== undefined) throw new RangeError(`--only ${unknown}: there is no such row`);
    const journal =
      values.journal === undefined ? undefined : wholeNumber("--journal", values.journal, 1_000, MOST_PAYMENTS);
    if (values.data !== undefined && journal === undefined) throw new RangeError("--data needs --journal N");
    const terminals = wholeNumber("--terminals", values.terminals, 1, MOST_TERMINALS);
    const { quick, json, write, compare, program, data: dataDir } = values;
    return { is: "measure", wish: { only, quick, journal, dataDir, terminals, program }, json, write, compare };
  } catch (error) {
    const [problem = "wrong usage"] = (error instanceof Error ? error.message : String(error)).split(". ");
    return { is: "wrong", problem: `${problem}; npm run bench -- --help` };
  }
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (!/^[0-9]{1,10}$/.test(text) || number < least || number > most)
    throw new RangeError(`${option} ${text}: must be a whole number from ${least} to ${most}`);
  return number;
}
