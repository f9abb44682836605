import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { moment } from "../moment.ts";

export const PROJECT = path.resolve(import.meta.dirname, "../../..");
/** What compiling costs is paid once. */
const COMPILED = path.join(PROJECT, "node_modules/.cache/compiled");
const READY_MS = 600_000;
const LOOK_MS = 5;

/** A process whose output goes to a file, as a service's does. */
export interface Started {
  readonly pid: number;
  /** From the start of the process to that line. */
  readonly tookMs: number;
  readonly line: string;
  /** What it printed so far. */
  printed(): string;
  /** Ends it as a service manager does. */
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a command and waits for a line of its output. */
export async function start(command: readonly string[], file: string, ready: RegExp): Promise<Started> {
  const output = fs.openSync(file, "a", 0o600);
  const from = fs.fstatSync(output).size;
  const began = moment();
  const [program = "", ...argv] = command;
  const child = spawn(program, argv, {
    cwd: PROJECT,
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
    stdio: ["ignore", output, output],
  });
  fs.closeSync(output);
  running.add(child);
  const gone = once(child, "exit").then(() => running.delete(child));
  const printed = (): string => fs.readFileSync(file, "utf8").slice(from);
  for (let size = -1; ; ) {
    const now = fs.statSync(file).size;
    const line = now === size ? undefined : printed().match(ready)?.[0];
    if (line !== undefined) {
      const stop = async (): Promise<void> => {
        child.kill("SIGTERM");
        await gone;
      };
      return { pid: child.pid ?? 0, tookMs: moment() - began, line, printed, stop };
    }
    if (!running.has(child) || moment() - began > READY_MS)
      throw new Error(`${command.join(" ")} did not become ready: ${printed().slice(-2_000)}`);
    size = now;
    await new Promise((later) => setTimeout(later, LOOK_MS));
  }
}

/** Resident memory of a process, in megabytes. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}
