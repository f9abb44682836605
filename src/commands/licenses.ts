import { Command } from "commander";
import { tableLines } from "./table.ts";
import { OperationFailed, type Output } from "./terminal-output.ts";

const EXAMPLE = `
Every package inside this program, Node among them, with its version and license (SPDX). With a name, the text of that license.

Example:
  posbridge licenses
  posbridge licenses zod`;

/** `licenses [NAME] [--json]`: the licenses of this program's parts. */
export function licensesCommand(output: Output): Command {
  return new Command("licenses")
    .description("list the packages inside this program with their licenses, or print the text of one")
    .argument("[name]", "a package of the list, whose license is printed")
    .option("--json", "print the result as JSON")
    .addHelpText("after", EXAMPLE)
    .action(async (name: string | undefined, { json }: { json?: true }) => {
      const { packagesInside } = await import("./packages-inside.ts");
      const all = [...packagesInside()].sort(
        (one, other) => compare(one.name, other.name) || compare(one.version, other.version),
      );
      if (all.length === 0)
        throw new OperationFailed("this program is neither packaged nor a checkout: nothing tells what is inside");
      const named = all.filter((one) => name === undefined || one.name === name);
      if (named.length === 0) throw new OperationFailed(`no package ${name} is inside: posbridge licenses lists them`);
      if (json === true)
        return output.out(
          JSON.stringify(name === undefined ? named.map(({ text: _, ...one }) => one) : named, null, 2),
        );
      if (name === undefined) {
        const rows = named.map(({ name: of, version, license }) => [of, version, license]);
        for (const line of tableLines(["package", "version", "license"], rows)) output.out(line);
      } else
        for (const { name: of, version, license, text } of named)
          output.out(`${of} ${version} (${license})\n\n${text}\n`);
    });
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
