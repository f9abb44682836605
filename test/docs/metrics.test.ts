import fs from "node:fs";
import { expect, it } from "vitest";
import { createMetrics } from "../../src/observe/metrics.ts";

it("every metric stands in the operator's table, and every one of the table is there", async () => {
  const metrics = createMetrics({ version: "1", environment: "test", terminals: () => [], registerSockets: () => 0, logLinesLost: () => 0 });
  metrics.watchOpen(() => []);
  metrics.watchLooks(() => []);
  metrics.watchRollback(() => false);
  const served = [...(await metrics.text()).matchAll(/^# TYPE (posbridge_\w+)/gm)].map(([, name]) => name);
  const table = fs.readFileSync("docs/operating.md", "utf8").matchAll(/^\| `(posbridge_\w+)` \|/gm);
  expect([...table].map(([, name]) => name).toSorted()).toEqual(served.toSorted());
});
