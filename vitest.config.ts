import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Whose tests start processes, and wait for them. */
const PROCESSES = ["test/scenarios/**/*.test.ts"];

/** The tests that take longest come first: begun last, each would be waited for alone. */
const FIRST = ["/test/scenarios/", "/test/explore/", "/test/world/", "/test/drivers/"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = FIRST.findIndex((folder) => moduleId.includes(folder));
      return at === -1 ? FIRST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/**
 * Browser tests need Debian's Chromium and have a command of their own (`npm run test:browser`): everything here needs
 * npm alone. Chaos and the copy of the whole product
 * that a new driver is tried in take most of a minute each, and what is inside the programs and a process that sleeps
 * some seconds: they are in `npm run test:long`. The tree's own rules belong to `npm run check`.
 */
const EXCLUDED = [
  ...configDefaults.exclude,
  "test/browser/**",
  "test/chaos/chaos.test.ts",
  "test/scaffolding/**",
  "test/packaging/**",
  "test/tidy/**",
  "test/scenarios/asleep.test.ts",
];

const config = defineConfig({
  test: {
    // Limits are for what never comes. Nothing here may fail because the machine has much else to do.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // One more than two cores: tests of processes wait more than they compute.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    maxConcurrency: 3,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "processes",
          include: PROCESSES,
          exclude: EXCLUDED,
          globalSetup: "test/scenarios/built-program.ts",
        },
      },
      {
        extends: true,
        test: { name: "in-process", include: ["test/**/*.test.ts"], exclude: [...EXCLUDED, ...PROCESSES] },
      },
    ],
  },
});

export default config;
