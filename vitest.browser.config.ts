import { defineConfig } from "vitest/config";

/** One browser at a time: pages of two at once would wait for each other on a small machine. */
const config = defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    globalSetup: "test/browser/built-pages.ts",
    testTimeout: 45_000,
    hookTimeout: 60_000,
    // A page on a busy machine takes longer than the usual second.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 1,
  },
});

export default config;
