import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { expressionsOf, namedIn, readAlerts, readDashboard } from "../monitoring/dashboard.ts";

const doc = fs.readFileSync("docs/monitoring.md", "utf8");

describe("the alerts", () => {
  const alerts = readAlerts();

  it("each have their paragraph in the docs, which their runbook names, and no other has one", () => {
    const headings = [...doc.matchAll(/^### (Posbridge\w+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(alerts.map(({ alert }) => alert));
    expect(alerts.map(({ annotations }) => annotations.runbook)).toEqual(
      alerts.map(({ alert }) => `docs/monitoring.md#${alert.toLowerCase()}`),
    );
  });

  it("each fire in one unit test and are quiet in another", () => {
    const tests = fs.readFileSync("test/monitoring/alerts.test.yaml", "utf8");
    const named = [...tests.matchAll(/^ {2}- name: (.+)$/gm)].map(([, name]) => name);
    expect(named).toEqual(alerts.flatMap(({ alert }) => [`${alert} fires`, `${alert} is quiet`]));
  });
});

describe("the dashboard", () => {
  const dashboard = readDashboard();

  it("has what Grafana needs: ids of their own, and panels that lie beside each other", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const taken = new Set<string>();
    for (const { title, gridPos } of dashboard.panels) {
      expect({ title, right: gridPos.x + gridPos.w <= 24 }).toEqual({ title, right: true });
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect({ title, taken: taken.has(`${x} ${y}`) }).toEqual({ title, taken: false });
          taken.add(`${x} ${y}`);
        }
      }
    }
  });

  it("asks for the scrape job that the docs set up, and for the chosen bridges alone", () => {
    for (const { expr } of expressionsOf(dashboard)) expect(expr).toMatch(/job="posbridge",instance=~"\.\*"/);
    expect(doc).toContain("job_name: posbridge");
  });

  it("shows every metric of the table but those that stand in the list here", () => {
    const shown = new Set(
      [...expressionsOf(dashboard), ...readAlerts()].flatMap(({ expr }) =>
        namedIn(expr).metrics.map((name) => name.replace(/_bucket$/, "")),
      ),
    );
    const table = [...doc.matchAll(/^\| (`posbridge_[^|]+) \|/gm)].flatMap(([, names = ""]) =>
      [...names.matchAll(/`(posbridge_\w+)`/g)].map(([, name = ""]) => name),
    );
    const left = [
      "posbridge_looks_due",
      "posbridge_token_changes_total",
      "posbridge_trace_spans_sent_total",
      "posbridge_webhooks_total",
    ];
    expect(table.filter((name) => !shown.has(name)).toSorted()).toEqual(left);
  });
});
