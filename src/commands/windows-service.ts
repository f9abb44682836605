import { systemPlatform } from "../kit/system-platform.ts";
import { beginService, type WindowsService } from "../windows/service.ts";
import { type Output, UsageProblem } from "./terminal-output.ts";

/**
 * Runs a command as the service of the process. Errors also go to the event log, because nobody reads a service's
 * stderr.
 */
export async function asWindowsService(
  output: Output,
  run: (output: Output, service: WindowsService) => Promise<void>,
): Promise<void> {
  if (systemPlatform !== "windows") throw new UsageProblem("--windows-service: this is not Windows; leave it out");
  const service = await begin();
  const told: Output = {
    out: (line) => output.out(line),
    err: (line) => {
      output.err(line);
      service.tell(line);
    },
    tty: output.tty,
    get stopped() {
      return output.stopped;
    },
  };
  await run(told, service).catch((cause: unknown) => {
    service.tell(cause instanceof Error ? cause.message : String(cause));
    throw cause;
  });
}

async function begin(): Promise<WindowsService> {
  const { systemServiceManager } = await import("../windows/advapi.ts");
  try {
    return await beginService(systemServiceManager(), (ending) => void process.once("exit", ending));
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new UsageProblem(`--windows-service: ${said}; install the service with: posbridge service install`);
  }
}
