import { UsageProblem } from "./terminal-output.ts";

/** The port that an option names; 0 lets the system choose one. Throws UsageProblem on anything else. */
export function portOf(option: string, text: string): number {
  const port = Number(text);
  if (!/^[0-9]{1,5}$/.test(text) || port > 65_535) throw new UsageProblem(`${option} ${text}: must be a number from 0 to 65535 (0: the system chooses)`);
  return port;
}

/** Why that port could not be listened on, where the mend is to name another; any other error as it is. */
export function portProblem(error: unknown, option: string, port: number): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return new UsageProblem(`${option} ${port}: the port is in use: stop what listens there, or choose another`);
  if (code === "EACCES") return new UsageProblem(`${option} ${port}: the port may not be opened: choose one above 1023`);
  return error;
}
