import { type CommandLine, type ExitCode, report, runProgram } from "./program.ts";
import { runtimeProblem } from "./runtime.ts";
import { systemOutput } from "./system-output.ts";

/** Runs the process's own command line and ends the process with the exit code. */
export async function enter(line: CommandLine): Promise<void> {
  const output = systemOutput();
  const debug = process.env["POSBRIDGE_DEBUG"] === "1";
  process.on("uncaughtException", (error) => end(report(error, output, debug)));
  // A reader that went away (| head) is no fault.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => end(error.code === "EPIPE" ? 0 : 1));
  const problem = runtimeProblem(process.versions.node);
  if (problem !== undefined) {
    output.err(`${line.name}: ${problem}`);
    end(2);
    return;
  }
  end(await runProgram(line, process.argv.slice(2), output, debug));
}

/** Ends the process once what was printed is out. */
function end(code: ExitCode): void {
  process.exitCode = code;
  process.stdout.write("", () => process.exit(code));
}
