import { resolve } from "node:path";
import { argumentsOf, HELP } from "./arguments.ts";
import { copyOf } from "./copy.ts";
import { hasToNotice, type MachineName, type Run, run } from "./machines.ts";
import type { Mutant } from "./mutant.ts";

interface Row {
  readonly mutant: Mutant;
  readonly runs: ReadonlyMap<MachineName, Run>;
}

function wrongUsage(message: string): never {
  process.stderr.write(`mutants: ${message}\n`);
  process.exit(2);
}

function cell(ran: Run | undefined): string {
  if (ran === undefined) return "";
  return `${ran.ended === "caught" ? "caught" : ran.ended === "held" ? "NOT CAUGHT" : "broke"} ${ran.seconds.toFixed(0)} s`;
}

function line({ mutant, runs }: Row, machines: readonly MachineName[]): string {
  const strange = [...runs.values()].filter(({ ended }) => ended === "broke").map(({ said }) => `  (${said})`);
  return [
    `truth ${mutant.truth}`,
    mutant.name.padEnd(52),
    ...machines.map((machine) => cell(runs.get(machine)).padEnd(16)),
    ...strange,
  ]
    .join("  ")
    .trimEnd();
}

async function main(): Promise<number> {
  const asked = argumentsOf(process.argv.slice(2));
  if (asked.is === "wrong") wrongUsage(asked.problem);
  if (asked.is === "help") {
    process.stdout.write(HELP);
    return 0;
  }
  const { machines, mutants, json } = asked;
  const copy = copyOf(resolve(import.meta.dirname, "../.."));
  const rows: Row[] = [];
  try {
    if (!json)
      process.stdout.write(
        `${["       ", "mutant".padEnd(52), ...machines.map((machine) => machine.padEnd(16))].join("  ").trimEnd()}\n`,
      );
    for (const mutant of mutants) {
      copy.make(mutant);
      const runs = new Map<MachineName, Run>();
      for (const machine of machines.filter((one) => hasToNotice(one, mutant))) {
        const ran = await run(machine, copy.folder);
        runs.set(machine, ran);
        if (json)
          process.stdout.write(`${JSON.stringify({ mutant: mutant.name, truth: mutant.truth, machine, ...ran })}\n`);
      }
      copy.mend(mutant);
      rows.push({ mutant, runs });
      if (!json) process.stdout.write(`${line({ mutant, runs }, machines)}\n`);
    }
  } finally {
    copy.remove();
  }
  const runs = rows.flatMap((row) => [...row.runs.values()]);
  const [caught, of] = [runs.filter(({ ended }) => ended === "caught").length, runs.length];
  process.stdout.write(`${json ? JSON.stringify({ caught, of }) : `${caught} of ${of} caught`}\n`);
  return caught === of ? 0 : 1;
}

process.exit(await main());
