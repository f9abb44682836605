import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** The tests of which `npm test` runs a sample (test/support/dose.ts). */
const SAMPLED = globSync("test/**/*.test.ts").filter((file) => readFileSync(file, "utf8").includes("support/dose.ts"));

/** Those that it leaves out. */
const WHOLE = [
  "test/chaos/chaos.test.ts",
  "test/scaffolding/**/*.test.ts",
  "test/packaging/**/*.test.ts",
  "test/scenarios/asleep.test.ts",
];

const config = defineConfig({
  test: {
    include: [...SAMPLED, ...WHOLE],
    env: { POSBRIDGE_TESTS: process.env["POSBRIDGE_TESTS"] ?? "long" },
    testTimeout: 600_000,
    hookTimeout: 180_000,
    // One more than two cores: a run of chaos waits more than it computes.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    isolate: false,
  },
});

export default config;
