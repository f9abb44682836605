import type { Output } from "../../../src/commands/terminal-output.ts";

/** An output that keeps its lines. */
export function recordedOutput(): Output & { readonly stdout: string[]; readonly stderr: string[] } {
  const stdout: string[] = [];
  const stderr: string[] = [];
  return {
    stdout,
    stderr,
    out: (line) => void stdout.push(line),
    err: (line) => void stderr.push(line),
    tty: false,
    stopped: new Promise(() => undefined),
  };
}
