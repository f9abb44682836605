import { parseArgs } from "node:util";

export const HELP = `Deletes one guard after another (an if without else that ends in return, throw, continue or break), and names those that no test misses.

  npm run guards -- [--only PLACE]... [--quick] [--resume] [--json]

  --only      folders or files whose guards are deleted; src/payment and drivers unless given
  --quick     leaves out the slow tests: what it names may still be noticed by a story
  --resume    leaves out the guards that an earlier run saw noticed, where their file has not changed since
  --json      one line of JSON a guard, as in the file of results, node_modules/.cache/guards.jsonl

Guards that may go unnoticed stand in test/guards/accepted.ts, each with its reason.
Ends with 0 where each other deletion was noticed, else with 1, and with 2 for wrong usage. Example:
npm run guards -- --only src/payment/recovery
`;

export interface Asked {
  readonly is: "run";
  readonly only: readonly string[];
  readonly quick: boolean;
  readonly resume: boolean;
  readonly json: boolean;
}

export type Arguments = { readonly is: "help" } | { readonly is: "wrong"; readonly problem: string } | Asked;

const OPTIONS = {
  only: { type: "string", multiple: true },
  quick: { type: "boolean" },
  resume: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean" },
} as const;

export function argumentsOf(argv: readonly string[]): Arguments {
  try {
    const { values } = parseArgs({ args: [...argv], options: OPTIONS });
    const { only = ["src/payment", "drivers"], quick = false, resume = false, json = false, help = false } = values;
    if (help) return { is: "help" };
    return { is: "run", only: only.map((place) => place.replace(/\/+$/, "")), quick, resume, json };
  } catch (cause) {
    return { is: "wrong", problem: cause instanceof Error ? cause.message : String(cause) };
  }
}
