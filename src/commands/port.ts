import { UsageProblem } from "./terminal-output.ts";

/** The port of an option; 0 lets the system choose. Throws a UsageProblem on anything else. */
export function portOf(option: string, text: string): number {
  const port = Number(text);
  if (!/^[0-9]{1,5}$/.test(text) || port > 65_535)
    throw new UsageProblem(`${option} ${text}: must be a number from 0 to 65535 (0: the system chooses)`);
  return port;
}

/** Why the port cannot be opened, if another port is the fix; any other error unchanged. */
export function portProblem(error: unknown, option: string, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return new UsageProblem(`${option} ${port}: the port is in use: stop what listens there, or choose another`);
  if (code === "EACCES")
    return new UsageProblem(`${option} ${port}: the port may not be opened: choose one above 1023`);
  return error;
}
