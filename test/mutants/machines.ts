import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Mutant } from "./mutant.ts";

/** The three machines that try to break the product, as this table runs them. */
export const MACHINES = {
  world: { script: "test/world/main.ts", options: ["--seed", "5", "--payments", "6000"], limitMs: 240_000 },
  explore: { script: "test/explore/main.ts", options: ["--seconds", "40"], limitMs: 240_000 },
  chaos: {
    script: "test/chaos/main.ts",
    options: ["--payments", "100", "--seed", "5", "--shops", "5", "--patience", "150"],
    limitMs: 600_000,
  },
} as const;
export type MachineName = keyof typeof MACHINES;

/** Chaos judges no rules of payments: world and explore do. */
export function hasToNotice(machine: MachineName, { isForChaos }: Mutant): boolean {
  return machine !== "chaos" || isForChaos === true;
}

export interface Run {
  /**
   * `held`: exit code 0, no violation. `caught`: 1, and a violation was printed. `broke`: it ended in another way, or
   * not in time.
   */
  readonly ended: "held" | "caught" | "broke";
  readonly seconds: number;
  /** The first violation it printed, or the last line. */
  readonly said: string;
}

export async function run(machine: MachineName, folder: string): Promise<Run> {
  const { script, options, limitMs } = MACHINES[machine];
  const started = performance.now();
  const child = spawn(join(folder, "node_modules/.bin/node"), [script, ...options], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    // What a machine keeps of a violation goes with the copy.
    env: { ...process.env, NO_COLOR: "1", TMPDIR: folder },
  });
  let output = "";
  const hear = (chunk: Buffer): void => {
    output = (output + chunk.toString("utf8")).slice(-2_000_000);
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const violation = lines.find((line) => line.includes("VIOLATION"));
  const ended = code === 0 ? "held" : code === 1 && violation !== undefined ? "caught" : "broke";
  return { ended, seconds: (performance.now() - started) / 1000, said: violation ?? lines.at(-1) ?? "" };
}
