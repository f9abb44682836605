import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

const PROGRAM = path.join(import.meta.dirname, "appending-process.ts");

export interface OtherProcess {
  readonly child: ChildProcess;
  /** Every line it has printed until now. */
  readonly lines: readonly string[];
  /** Resolves with the first line, from the `from`-th on, that begins so. */
  line(begins: string, from?: number): Promise<string>;
  /** Kills it as a power cut would and resolves when it is gone and all it printed was read. */
  kill(): Promise<void>;
}

/** Starts appending-process.ts on a folder; `shell` may wrap it (limits of the operating system). */
export function startAppending(dataDir: string, writers: number, shell = 'exec "$@"'): OtherProcess {
  const child = spawn("sh", ["-c", shell, "sh", process.execPath, PROGRAM, dataDir, String(writers)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  const closed = once(reader, "close");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await closed;
  };
  onTestFinished(kill);
  const line = (begins: string, from = 0): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = lines.slice(from).find((one) => one.startsWith(begins));
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { child, lines, line, kill };
}
