import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders whose tests mostly wait for real processes: begun last, they would be waited for alone. */
const WAITING = ["test/chaos/", "test/scenarios/", "test/scaffolding/"];

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWaiting = ({ moduleId }: TestSpecification): boolean => WAITING.some((folder) => moduleId.includes(folder));
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}

/** Files that tests write are changed by nobody else, whatever umask a developer has: the bridge refuses a configuration that others may change. */
process.umask(0o022);

/** Browser tests need Debian's Chromium and have a command of their own (`npm run test:browser`): everything here needs npm alone. */
const config = defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "test/browser/**"],
    testTimeout: 20_000,
    // A shop is four processes and more, and starts slowly beside other shops.
    hookTimeout: 60_000,
    maxWorkers: 2,
    maxConcurrency: 3,
    isolate: false,
    sequence: { sequencer: WaitingFirst },
  },
});

export default config;
