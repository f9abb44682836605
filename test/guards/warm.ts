import { readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Plugin } from "vite";
import { createVitest, type Vitest } from "vitest/node";
import { type Guard, withSwitches } from "./guard.ts";
import { type Line, lineSchema, type Plan } from "./plan.ts";

declare module "vitest" {
  interface ProvidedContext {
    guards: Plan;
  }
}

export type Numbered = Guard & { readonly id: number };

/** A worker that writes nothing for so long is in a loop that asks no guard. */
const SILENT_MS = 90_000;

export interface Ran {
  readonly lines: readonly Line[];
  readonly failed: readonly string[];
  /** The guard whose deletion kept the worker from its end. */
  readonly hung: number | undefined;
}

/** One vitest that stays up; its product has a switch at each guard. */
export interface Warm {
  run(files: readonly string[], plan: Omit<Plan, "run" | "log">): Promise<Ran>;
  close(): Promise<void>;
}

function switchesIn(root: string, guards: readonly Numbered[]): Plugin {
  const files = Map.groupBy(guards, ({ file }) => file);
  return {
    name: "guards",
    enforce: "pre",
    transform: (code, id) => {
      const here = files.get(relative(root, id.replace(/\?.*/, "")));
      return here === undefined ? null : { code: withSwitches(here, code), map: null };
    },
  };
}

export async function warm(root: string, guards: readonly Numbered[]): Promise<Warm> {
  const log = join(tmpdir(), `posbridge-guards-${process.pid}.jsonl`);
  const vitest = await createVitest(
    {
      root,
      config: false,
      watch: false,
      include: ["test/**/*.test.ts"],
      runner: "test/guards/runner.ts",
      setupFiles: ["test/guards/seed.ts"],
      reporters: [{}],
      silent: true,
      // The cache knows nothing of the switches: it would bring back those of another run.
      fsModuleCache: false,
      isolate: false,
      fileParallelism: false,
      // A hang is seen by its silence; a limit here would only fail on a busy machine.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      dangerouslyIgnoreUnhandledErrors: true,
    },
    { plugins: [switchesIn(root, guards)] },
  );
  let count = 0;
  return {
    async run(files, plan) {
      count += 1;
      writeFileSync(log, "");
      vitest.provide("guards", { ...plan, run: count, log });
      const { failed, hung } = await watched(
        vitest,
        files.map((file) => join(root, file)),
        log,
        plan.off,
      );
      return { lines: linesOf(log), failed: failed.map((file) => relative(root, file)), hung };
    },
    close: () => vitest.close(),
  };
}

function linesOf(log: string): readonly Line[] {
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => lineSchema.parse(JSON.parse(line)));
}

async function watched(
  vitest: Vitest,
  files: readonly string[],
  log: string,
  off: number | undefined,
): Promise<Pick<Ran, "failed" | "hung">> {
  let hung: number | undefined;
  const watch = setInterval(() => {
    if (Date.now() - statSync(log).mtimeMs < SILENT_MS) return;
    const lines = linesOf(log);
    const last = lines.at(-1);
    const worker = lines.findLast((line) => line.is === "begun");
    hung = off ?? (last?.is === "trying" ? last.guard : undefined);
    if (worker?.is === "begun") process.kill(worker.pid, "SIGKILL");
  }, 2000);
  try {
    const project = vitest.getRootProject();
    const { testModules } = await vitest.runTestSpecifications(files.map((file) => project.createSpecification(file)));
    return { failed: testModules.filter((module) => !module.ok()).map(({ moduleId }) => moduleId), hung };
  } finally {
    clearInterval(watch);
  }
}
