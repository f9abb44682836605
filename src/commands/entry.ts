import { runtimeProblem } from "../kit/runtime.ts";
import { LAST_LINES_MS } from "../observe/lines-to-file.ts";
import { loadAddonsBy, usualFolders } from "./packed-addons.ts";
import { type CommandLine, type ExitCode, report, runProgram } from "./program.ts";
import { logsWritten } from "./system-lines.ts";
import { printProblem, systemOutput } from "./system-output.ts";
import { OperationFailed } from "./terminal-output.ts";

/** Runs the process's command line and ends the process with the exit code. */
export async function enter(line: CommandLine): Promise<void> {
  const debug = process.env["POSBRIDGE_DEBUG"] === "1";
  // A reader that went away (| head) is no error.
  const output = systemOutput((error) =>
    end(error.code === "EPIPE" ? 0 : report(new OperationFailed(printProblem(error)), output, debug)),
  );
  process.on("uncaughtException", (error) => end(report(error, output, debug)));
  const problem = runtimeProblem(process.versions.node);
  if (problem !== undefined) {
    output.err(`${line.name}: ${problem}`);
    end(2);
    return;
  }
  loadAddonsBy(usualFolders(process.env));
  end(await runProgram(line, process.argv.slice(2), output, debug));
}

/** Ends the process once its output is written. */
function end(code: ExitCode): void {
  process.exitCode = code;
  void logsWritten(LAST_LINES_MS).then(() => process.stdout.write("", () => process.exit(code)));
}
