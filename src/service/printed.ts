import { shellWord } from "../kit/shell-word.ts";
import type { ServicePlan, Step } from "./plan.ts";
import { commandWord } from "./windows.ts";

/** A plan for a person: every file under its path, then the other steps as shell commands. */
export function printedPlan(plan: ServicePlan): readonly string[] {
  return plan.manager === "windows" ? printedForWindows(plan) : printedForUnix(plan);
}

/** Commands for cmd.exe, in their order. */
function printedForWindows({ folders, make = [], load, start }: ServicePlan): readonly string[] {
  const lineOf = ({ argv }: Step): string => argv.map(commandWord).join(" ");
  return [
    ...[
      "rem in a command prompt (cmd) of an administrator; service install does the same",
      ...folders.map(({ path }) => `mkdir ${commandWord(path)}`),
    ],
    ...[...make, ...load].map(lineOf),
    ...["rem to start it now (service install --start); it starts with Windows by itself", ...start.map(lineOf)],
  ];
}

function printedForUnix({ account, folders, files, load, start }: ServicePlan): readonly string[] {
  const commands = [
    ...(account === undefined
      ? []
      : [
          `useradd --system --user-group --no-create-home ${account.user}${account.groups.length > 0 ? ` -G ${account.groups.join(",")}` : ""}`,
        ]),
    ...folders.map(({ path, mode, owner }) => {
      const user = owner === "root" || account === undefined ? "root" : account.user;
      return `install -d -o ${user} -g ${user} -m ${octal(mode)} ${shellWord(path)}`;
    }),
    ...load.map(lineOf),
  ];
  return [
    ...files.flatMap(({ path, mode, text }) => [
      `# ${path} (owner root, mode ${octal(mode)})`,
      ...text.replace(/\n$/, "").split("\n"),
      "",
    ]),
    ...(commands.length > 0 ? ["# besides, what is not there yet:", ...commands.map((line) => `#   ${line}`)] : []),
    ...[
      "# to start it now and with the machine (service install --start):",
      ...start.map((step) => `#   ${lineOf(step)}`),
    ],
  ];
}

function lineOf({ argv }: Step): string {
  return argv.map(shellWord).join(" ");
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
