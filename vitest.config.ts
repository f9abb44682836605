import { defineConfig } from "vitest/config";

const config = defineConfig({ test: { include: ["test/**/*.test.ts"], testTimeout: 20_000, hookTimeout: 20_000, maxWorkers: 2 } });

export default config;
