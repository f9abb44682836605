import { parseArgs } from "node:util";

export const HELP = `Usage: npm run chaos -- [--payments N] [--seed S] [--shops K] [--patience S] [--json]

Makes N payments through real processes: bridges, sandbox gateways, and simulated terminals on pseudo-terminals.
Bridges are killed with SIGKILL, three times for ten payments; gateways are killed, connections are cut, terminals are
unplugged, and registers go away and come back. Then everything is healed, and the ledger, the journal and what each
register was told are compared.

Every choice comes from the seed; processes and time are real, so two runs of one seed are alike and not the same.

  --payments N   how many payments (default 40)
  --seed S       a whole number (default: a random one, which is printed)
  --shops K      how many shops at once, each with a bridge, a sandbox and three terminals (default: one for 10 payments, from 2 to 8)
  --patience S   how many seconds nothing may get better while all is healed, before what is still open counts (default 330)
  --json         print the result as JSON

Exit codes: 0 no violation, 1 violations (each is printed, and the data folders and logs are kept), 2 wrong usage.

Example:
  npm run chaos -- --payments 40 --seed 7
`;

export type Arguments =
  | { readonly is: "help" }
  | { readonly is: "wrong"; readonly problem: string }
  | {
      readonly is: "run";
      readonly payments: number;
      readonly seed: number | undefined;
      readonly shops: number;
      readonly patienceMs: number;
      readonly json: boolean;
    };

const MOST_PAYMENTS = 100_000;
const MOST_SHOPS = 16;
/** The longest that the bridge lets pass between two queries for the same booking (docs/gateway.md), and a little. */
const PATIENCE_S = "330";
/** A lost payment costs its channel up to a minute of queries: more channels heal sooner. */
const PAYMENTS_A_SHOP = 10;
const SHOPS = { least: 2, most: 8 };

export function readArguments(argv: readonly string[]): Arguments {
  const options = {
    payments: { type: "string", default: "40" },
    seed: { type: "string" },
    shops: { type: "string" },
    patience: { type: "string", default: PATIENCE_S },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  } as const;
  try {
    const { values } = parseArgs({ args: [...argv], options });
    if (values.help) return { is: "help" };
    const payments = wholeNumber("--payments", values.payments, 1, MOST_PAYMENTS);
    const seed = values.seed === undefined ? undefined : wholeNumber("--seed", values.seed, 0, 0xffff_ffff);
    const shops = values.shops === undefined ? shopsFor(payments) : wholeNumber("--shops", values.shops, 1, MOST_SHOPS);
    const patienceMs = wholeNumber("--patience", values.patience, 10, 86_400) * 1_000;
    return { is: "run", payments, seed, shops, patienceMs, json: values.json };
  } catch (error) {
    const [problem = "wrong usage"] = (error instanceof Error ? error.message : String(error)).split(". ");
    return { is: "wrong", problem: `${problem}; for example: npm run chaos -- --payments 40 --seed 7` };
  }
}

function shopsFor(payments: number): number {
  return Math.min(SHOPS.most, Math.max(SHOPS.least, Math.ceil(payments / PAYMENTS_A_SHOP)));
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (!/^[0-9]{1,10}$/.test(text) || number < least || number > most)
    throw new RangeError(`${option} ${text}: must be a whole number from ${least} to ${most}`);
  return number;
}
