import { configDefaults, defineConfig } from "vitest/config";

/** Browser tests need Debian's Chromium and have a command of their own (`npm run test:browser`): everything here needs npm alone. */
const config = defineConfig({
  test: { include: ["test/**/*.test.ts"], exclude: [...configDefaults.exclude, "test/browser/**"], testTimeout: 20_000, hookTimeout: 20_000, maxWorkers: 2 },
});

export default config;
