import { Command, CommanderError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { type BuildIdentity, buildIdentity } from "./build-identity.ts";
import { OperationFailed, type Output, UsageProblem } from "./terminal-output.ts";

export type ExitCode = 0 | 1 | 2;

/** The command line of one entry point: its name and commands. */
export interface CommandLine {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly ((output: Output) => Command)[];
}

/**
 * Runs a command line and returns the exit code: 0 done, 1 refused or failed, 2 wrong usage or configuration. Errors
 * are one line on stderr; an internal one shows its stack only with `debug`.
 */
export async function runProgram(
  line: CommandLine,
  argv: readonly string[],
  output: Output,
  debug: boolean,
): Promise<ExitCode> {
  const program = buildProgram(line, output);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return 0;
  } catch (error) {
    return report(error, output, debug);
  }
}

function buildProgram({ name, description, commands }: CommandLine, output: Output): Command {
  const program = new Command(name)
    .description(description)
    .option("-V, --version", "print version, commit and target")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", `\nExample:\n  ${name} help run`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.out(withoutLastBreak(text)),
      writeErr: (text) => output.err(withoutLastBreak(text)),
      outputError: (text, write) => write(`${name}: ${oneLine(text.replace(/^error: /, ""))}`),
      getOutHasColors: () => output.tty,
      getErrHasColors: () => output.tty,
    });
  program.on("option:version", () => {
    output.out(versionLine(name, buildIdentity()));
    throw new CommanderError(0, "commander.version", "");
  });
  for (const command of commands) program.addCommand(inherit(command(output), program));
  return program;
}

/** Version, commit and target, as `posbridge 0.1.0 (3166fe4, linux-x64)`. */
export function versionLine(name: string, { commit, target }: BuildIdentity): string {
  return `${name} ${manifest.version} (${commit ?? "from source"}, ${target})`;
}

/** Commander passes settings only to commands that it created itself. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child, command);
  return command;
}

/** Prints the error in one line and returns its exit code. */
export function report(error: unknown, output: Output, debug: boolean): ExitCode {
  // Commander has already printed it: help and version are no errors, everything else is wrong usage.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageProblem || error instanceof OperationFailed) {
    output.err(`posbridge: ${error.message}`);
    return error instanceof UsageProblem ? 2 : 1;
  }
  if (debug && error instanceof Error) output.err(error.stack ?? error.message);
  else
    output.err(
      `posbridge: unexpected fault: ${oneLine(error instanceof Error ? error.message : String(error))} (POSBRIDGE_DEBUG=1 shows where)`,
    );
  return 1;
}

function withoutLastBreak(text: string): string {
  return text.replace(/\n$/, "");
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, " ");
}
