import { parseArgs } from "node:util";

export const HELP = `Deletes one guard after another (an "if (...) return", throw, continue) in a copy of the product, and shows which of them no test misses.

  npm run guards -- [--under FOLDER]... [--only TEXT] [--sample N [--seed N]] [--at-once N] [--json]

  --under     folders or files whose guards are deleted; src/payment and drivers unless given
  --only      guards whose file or text holds this text
  --sample    so many of them, drawn by --seed (1 unless given); all unless given
  --at-once   so many copies are tested at once; 2 unless given
  --json      one line of JSON a guard

Ends with 0 where each deletion was noticed, else with 1, and with 2 for wrong usage. Example:
npm run guards -- --under src/payment/recovery
`;

export interface Asked {
  readonly is: "run";
  readonly under: readonly string[];
  readonly only: string;
  readonly sample: number | undefined;
  readonly seed: number;
  readonly atOnce: number;
  readonly json: boolean;
}

export type Arguments = { readonly is: "help" } | { readonly is: "wrong"; readonly problem: string } | Asked;

const OPTIONS = {
  under: { type: "string", multiple: true },
  only: { type: "string" },
  sample: { type: "string" },
  seed: { type: "string" },
  "at-once": { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean" },
} as const;

export function argumentsOf(argv: readonly string[]): Arguments {
  try {
    const { values } = parseArgs({ args: [...argv], options: OPTIONS });
    if (values.help === true) return { is: "help" };
    const { under = ["src/payment", "drivers"], only = "", json = false } = values;
    const sample = values.sample === undefined ? undefined : countOf("--sample", values.sample);
    return {
      is: "run",
      under,
      only,
      sample,
      seed: countOf("--seed", values.seed ?? "1"),
      atOnce: countOf("--at-once", values["at-once"] ?? "2"),
      json,
    };
  } catch (cause) {
    return { is: "wrong", problem: cause instanceof Error ? cause.message : String(cause) };
  }
}

function countOf(name: string, text: string): number {
  if (!/^[1-9][0-9]{0,5}$/.test(text))
    throw new RangeError(`${name} takes a whole number from 1, not ${JSON.stringify(text)}`);
  return Number(text);
}
