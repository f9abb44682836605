import fs from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

/*
 * What Grafana needs of a dashboard, as far as config/grafana/posbridge.json uses it (Grafana, "JSON model" and
 * provisioning of dashboards), and the rules of Prometheus. Nothing
 * here draws: what a panel looks like was never seen by a test.
 */

const datasource = z.strictObject({ type: z.literal("prometheus"), uid: z.string().regex(/^\$\{datasource\}$/) });
const gridPos = z.strictObject({
  h: z.int().min(1).max(20),
  w: z.int().min(1).max(24),
  x: z.int().min(0).max(23),
  y: z.int().min(0),
});
const target = z.strictObject({
  refId: z.string().regex(/^[A-Z]$/),
  datasource,
  expr: z.string().min(1),
  legendFormat: z.string(),
  instant: z.literal(true).optional(),
  format: z.literal("table").optional(),
});
const step = z.strictObject({ color: z.enum(["green", "orange", "red"]), value: z.number().nullable() });
const defaults = z.strictObject({
  unit: z.enum(["s", "short", "bytes", "percentunit"]).optional(),
  thresholds: z.strictObject({ mode: z.literal("absolute"), steps: z.array(step).min(1) }).optional(),
});

const row = z.strictObject({
  ...{ id: z.int().positive(), type: z.literal("row"), title: z.string().min(1), gridPos },
  ...{ collapsed: z.literal(false), panels: z.array(z.never()) },
});
const drawn = z.strictObject({
  ...{ id: z.int().positive(), title: z.string().min(1), description: z.string(), gridPos, datasource },
  type: z.enum(["timeseries", "stat", "table"]),
  targets: z.array(target).min(1).max(6),
  fieldConfig: z.strictObject({ defaults, overrides: z.array(z.never()) }),
  options: z.record(z.string(), z.unknown()),
  transformations: z.array(z.strictObject({ id: z.literal("merge"), options: z.strictObject({}) })).optional(),
});

const variable = z.looseObject({
  name: z.string().regex(/^[a-z]+$/),
  label: z.string().min(1),
  type: z.enum(["datasource", "query"]),
  query: z.unknown(),
});

const dashboardSchema = z.strictObject({
  ...{
    uid: z.string().regex(/^[A-Za-z0-9_-]{1,40}$/),
    title: z.string().min(1),
    description: z.string(),
    tags: z.array(z.string()),
  },
  ...{ schemaVersion: z.literal(39), version: z.int(), editable: z.boolean(), graphTooltip: z.int().min(0).max(2) },
  ...{
    refresh: z.string(),
    timezone: z.literal("browser"),
    time: z.strictObject({ from: z.string(), to: z.string() }),
  },
  annotations: z.strictObject({ list: z.array(z.never()) }),
  links: z.array(z.never()),
  templating: z.strictObject({ list: z.array(variable) }),
  panels: z.array(z.discriminatedUnion("type", [row, drawn])).min(1),
});
export type Dashboard = z.infer<typeof dashboardSchema>;

export function readDashboard(): Dashboard {
  return dashboardSchema.parse(JSON.parse(fs.readFileSync("config/grafana/posbridge.json", "utf8")));
}

/** The expressions of a dashboard with its variables filled in, each with its panel's title. */
export function expressionsOf({ panels }: Dashboard): readonly { readonly title: string; readonly expr: string }[] {
  const fill = (expr: string): string => expr.replaceAll("$instance", ".*").replaceAll("$__rate_interval", "1m");
  return panels.flatMap((panel) =>
    panel.type === "row" ? [] : panel.targets.map(({ expr }) => ({ title: panel.title, expr: fill(expr) })),
  );
}

const alertSchema = z.strictObject({
  alert: z.string().regex(/^Posbridge[A-Za-z]+$/),
  expr: z.string().min(1),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(["page", "warning", "info"]) }),
  annotations: z.strictObject({
    summary: z.string().min(1),
    description: z.string().min(1),
    runbook: z.string().regex(/^docs\/monitoring\.md#[a-z]+$/),
  }),
});
const rulesSchema = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(alertSchema).min(1) })).length(1),
});
export type Alert = z.infer<typeof alertSchema>;

export function readAlerts(): readonly Alert[] {
  return rulesSchema.parse(parse(fs.readFileSync("config/alerts.yaml", "utf8"))).groups.flatMap(({ rules }) => rules);
}

/** Metrics and labels that an expression names. */
export function namedIn(expr: string): { readonly metrics: readonly string[]; readonly labels: readonly string[] } {
  const plain = expr.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const metrics = [...plain.matchAll(/\b((?:posbridge|process|nodejs)_\w+)/g)].map(([, name = ""]) => name);
  const matched = [...plain.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = ""]) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, name = ""]) => name),
  );
  const grouped = [...plain.matchAll(/\b(?:by|without|on)\s*\(([^)]*)\)/g)].flatMap(([, inside = ""]) =>
    inside.split(",").map((name) => name.trim()),
  );
  return { metrics, labels: [...matched, ...grouped].filter((name) => name !== "") };
}

/** Names of metrics and of labels in the Prometheus text format. */
export function shownIn(text: string): { readonly metrics: ReadonlySet<string>; readonly labels: ReadonlySet<string> } {
  const metrics = new Set<string>();
  const labels = new Set<string>();
  // What was never counted has its type alone.
  for (const [, name = ""] of text.matchAll(/^# TYPE (\w+) /gm)) metrics.add(name);
  for (const [, name = "", inside = ""] of text.matchAll(/^([a-z_]\w*)(?:\{([^}]*)\})? /gm)) {
    metrics.add(name);
    for (const [, label = ""] of inside.matchAll(/(\w+)="/g)) labels.add(label);
  }
  return { metrics, labels };
}
