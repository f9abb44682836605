import { parseArgs } from "node:util";
import { hasToNotice, MACHINES, type MachineName } from "./machines.ts";
import type { Mutant } from "./mutant.ts";
import { MUTANTS } from "./table.ts";

const listed = (mutants: readonly Mutant[]): string =>
  mutants.map(({ name, truth, isForChaos }) => `  truth ${truth}  ${name}${isForChaos ? " *" : ""}`).join("\n");

export const HELP = `Makes one deliberate mistake after another in a copy of the product, and shows which of the machines that guard money notice it.

  npm run mutants -- [--with world,explore,chaos] [--only TEXT] [--json]

  --with   the machines to run; all three unless given; chaos has to notice only those with a star
  --only   mutants whose name holds this text
  --json   one line of JSON a mutant and machine

Ends with 0 if every mutant was caught by every machine that has to notice it, else with 1, and with 2 for wrong usage. Example:
npm run mutants -- --with world --only reversal

The mutants, and the truth (docs/register-api.md) that each breaks:

${listed(MUTANTS)}
`;

export type Arguments =
  | { readonly is: "help" }
  | { readonly is: "wrong"; readonly problem: string }
  | {
      readonly is: "run";
      readonly machines: readonly MachineName[];
      readonly mutants: readonly Mutant[];
      readonly json: boolean;
    };

function isMachine(name: string): name is MachineName {
  return Object.hasOwn(MACHINES, name);
}

export function argumentsOf(argv: readonly string[]): Arguments {
  const options = {
    with: { type: "string" },
    only: { type: "string" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  } as const;
  try {
    const { values } = parseArgs({ args: [...argv], options });
    if (values.help === true) return { is: "help" };
    const names = (values.with ?? Object.keys(MACHINES).join(",")).split(",");
    const machines = names.filter(isMachine);
    if (machines.length !== names.length)
      return { is: "wrong", problem: `--with takes ${Object.keys(MACHINES).join(", ")}, separated by commas` };
    const mutants = MUTANTS.filter(
      (mutant) => mutant.name.includes(values.only ?? "") && machines.some((machine) => hasToNotice(machine, mutant)),
    );
    if (mutants.length === 0)
      return {
        is: "wrong",
        problem: `no mutant's name holds "${values.only}", for these machines; these are the names:\n${listed(MUTANTS)}`,
      };
    return { is: "run", machines, mutants, json: values.json === true };
  } catch (cause) {
    return { is: "wrong", problem: cause instanceof Error ? cause.message : String(cause) };
  }
}
