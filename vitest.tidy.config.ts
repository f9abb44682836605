import { defineConfig } from "vitest/config";

/** The tree's own rules: a part of `npm run check`. */
const config = defineConfig({
  test: { include: ["test/tidy/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 180_000, maxWorkers: 2 },
});

export default config;
