import { parseArgs } from "node:util";

export const HELP = `Usage: npm run bench [-- SALES]
       npm run bench -- journal --payments N --data DIR [--seed S]

Measures what the bridge adds to a sale.

  journal        writes a data folder with N closed payments: 300 a day by four registers, then a day of 1,000 by
                 register-1 alone, which is yesterday; 3 % are refunded and 2 % declined
  --payments N   how many payments (from 1 to 1,000,000)
  --data DIR     the folder, which must not have a journal
  --seed S       a whole number (default 1): the same seed makes the same payments

Example:
  npm run bench -- journal --payments 100000 --data /var/tmp/bench-data
`;

export type Arguments =
  | { readonly is: "help" }
  | { readonly is: "wrong"; readonly problem: string }
  | { readonly is: "journal"; readonly payments: number; readonly dataDir: string; readonly seed: number }
  | { readonly is: "sale"; readonly sales: number };

const MOST_PAYMENTS = 1_000_000;

export function readArguments(argv: readonly string[]): Arguments {
  const options = {
    payments: { type: "string" },
    data: { type: "string" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    if (values.help) return { is: "help" };
    if (positionals[0] !== "journal")
      return { is: "sale", sales: wholeNumber("SALES", positionals[0] ?? "20", 1, 1_000) };
    if (values.data === undefined) throw new RangeError("--data DIR is missing");
    const payments = wholeNumber("--payments", values.payments ?? "", 1, MOST_PAYMENTS);
    return {
      is: "journal",
      payments,
      dataDir: values.data,
      seed: wholeNumber("--seed", values.seed, 0, 0xffff_ffff),
    };
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
