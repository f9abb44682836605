import fs from "node:fs";
import { expect, it } from "vitest";
import { createMetrics } from "../../src/observe/metrics.ts";

it("every metric stands in the technician's table, and every one of the table is there", async () => {
  const metrics = createMetrics({
    version: "1",
    environment: "test",
    terminals: () => [],
    registerSockets: () => 0,
    logLinesLost: () => 0,
  });
  metrics.watchOpen(() => []);
  metrics.watchLooks(() => []);
  metrics.watchRollback(() => false);
  metrics.watchStorage(() => ({}));
  metrics.watchCertificates(() => []);
  const served = [...(await metrics.text()).matchAll(/^# TYPE (posbridge_\w+)/gm)].map(([, name]) => name);
  const rows = [...fs.readFileSync("docs/monitoring.md", "utf8").matchAll(/^\| (`posbridge_[^|]+) \|/gm)];
  const table = rows.flatMap(([, names = ""]) => [...names.matchAll(/`(posbridge_\w+)`/g)].map(([, name]) => name));
  expect(table.toSorted()).toEqual(served.toSorted());
});
