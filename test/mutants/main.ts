import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { copyOf } from "./copy.ts";
import { MACHINES, type MachineName, type Run, run } from "./machines.ts";
import type { Mutant } from "./mutant.ts";
import { MUTANTS } from "./table.ts";

const HELP = `Makes one deliberate mistake after another in a copy of the product, and shows which of the machines that guard money notice it.

  npm run mutants -- [--with world,explore,chaos] [--only TEXT] [--json]

  --with   the machines to run; all three unless given
  --only   mutants whose name holds this text
  --json   one line of JSON a mutant and machine

Ends with 0 where every mutant was caught by every machine that was run, else with 1. Example: npm run mutants -- --with world --only reversal
`;

interface Row {
  readonly mutant: Mutant;
  readonly runs: ReadonlyMap<MachineName, Run>;
}

function isMachine(name: string): name is MachineName {
  return Object.hasOwn(MACHINES, name);
}

function wrongUsage(message: string): never {
  process.stderr.write(`mutants: ${message}\n`);
  process.exit(2);
}

function options(): { readonly machines: readonly MachineName[]; readonly mutants: readonly Mutant[]; readonly json: boolean } {
  const { values } = parseArgs({ options: { with: { type: "string" }, only: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean" } } });
  if (values.help === true) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const names = (values.with ?? Object.keys(MACHINES).join(",")).split(",");
  const machines = names.filter(isMachine);
  if (machines.length !== names.length) wrongUsage(`--with takes ${Object.keys(MACHINES).join(", ")}, separated by commas`);
  const mutants = MUTANTS.filter(({ name }) => name.includes(values.only ?? ""));
  if (mutants.length === 0) wrongUsage(`no mutant's name holds "${values.only}"`);
  return { machines, mutants, json: values.json === true };
}

function cell(ran: Run | undefined): string {
  if (ran === undefined) return "";
  return `${ran.ended === "caught" ? "caught" : ran.ended === "held" ? "NOT CAUGHT" : "broke"} ${ran.seconds.toFixed(0)} s`;
}

function line({ mutant, runs }: Row, machines: readonly MachineName[]): string {
  const strange = [...runs.values()].filter(({ ended }) => ended === "broke").map(({ said }) => `  (${said})`);
  return [`truth ${mutant.truth}`, mutant.name.padEnd(52), ...machines.map((machine) => cell(runs.get(machine)).padEnd(16)), ...strange].join("  ").trimEnd();
}

async function main(): Promise<number> {
  const { machines, mutants, json } = options();
  const copy = copyOf(resolve(import.meta.dirname, "../.."));
  const rows: Row[] = [];
  try {
    if (!json) process.stdout.write(`${["       ", "mutant".padEnd(52), ...machines.map((machine) => machine.padEnd(16))].join("  ").trimEnd()}\n`);
    for (const mutant of mutants) {
      copy.make(mutant);
      const runs = new Map<MachineName, Run>();
      for (const machine of machines) {
        const ran = await run(machine, copy.folder);
        runs.set(machine, ran);
        if (json) process.stdout.write(`${JSON.stringify({ mutant: mutant.name, truth: mutant.truth, machine, ...ran })}\n`);
      }
      copy.mend(mutant);
      rows.push({ mutant, runs });
      if (!json) process.stdout.write(`${line({ mutant, runs }, machines)}\n`);
    }
  } finally {
    copy.remove();
  }
  const missed = rows.flatMap(({ runs }) => [...runs.values()]).filter(({ ended }) => ended !== "caught").length;
  const all = rows.length * machines.length;
  process.stdout.write(`${json ? JSON.stringify({ caught: all - missed, of: all }) : `${all - missed} of ${all} caught`}\n`);
  return missed === 0 ? 0 : 1;
}

process.exit(await main());
