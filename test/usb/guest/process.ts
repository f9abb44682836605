import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { pause } from "./check.ts";

/** One command of the packaged program. */
export interface Running {
  readonly lines: readonly string[];
  /**
   * The first line of either output, from the `from`-th on, that fits. Rejects where the process ends before, or after
   * `withinMs`.
   */
  line(fits: RegExp, from?: number, withinMs?: number): Promise<string>;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Resolves when it ended by itself and all that it printed was read. */
  readonly ended: Promise<void>;
}

const LINE_MS = 240_000;
/** What one process compiled, the next need not: compiling is most of a start where the processor is emulated. */
const COMPILED = { NODE_COMPILE_CACHE: "/tmp/compiled" };
const running = new Set<ChildProcess>();

export function start(...argv: readonly string[]): Running {
  return startNode("program.cjs", ...argv);
}

/** A Node of its own with other arguments. */
export function startNode(...argv: readonly string[]): Running {
  const child = spawn(process.execPath, [...argv], {
    cwd: "/app",
    env: { ...process.env, ...COMPILED },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => lines.push(line));
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      running.delete(child);
      resolve();
    });
  });
  const line = async (fits: RegExp, from = 0, withinMs = LINE_MS): Promise<string> => {
    const end = performance.now() + withinMs;
    for (;;) {
      const found = lines.slice(from).find((text) => fits.test(text));
      if (found !== undefined) return found;
      if (!running.has(child) || performance.now() > end)
        throw new Error(`${argv.join(" ")}: no line like ${fits}; last: ${lines.slice(-6).join(" / ")}`);
      await pause(20);
    }
  };
  return {
    lines,
    line,
    ended,
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}

/** Runs a command to its end and gives what it printed. */
export async function output(...argv: readonly string[]): Promise<readonly string[]> {
  const { lines, ended } = start(...argv);
  await ended;
  return lines;
}
