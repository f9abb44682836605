import { z } from "zod";
import { RELOAD_TABLE } from "./reload.ts";
import { fileSchema } from "./schema.ts";

/* The tables of docs/configuration.md: every key of the schema, in the order of the file. */

/** The part of JSON Schema that the configuration's schema uses. */
interface Node {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly examples?: readonly unknown[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, Node>> | undefined;
  readonly items?: Node | undefined;
}

const nodeSchema: z.ZodType<Node> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    description: z.string().optional(),
    default: z.unknown().optional(),
    examples: z.array(z.unknown()).optional(),
    enum: z.array(z.unknown()).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    maxLength: z.number().optional(),
    maxItems: z.number().optional(),
    required: z.array(z.string()).optional(),
    properties: z.record(z.string(), nodeSchema).optional(),
    items: nodeSchema.optional(),
  }),
);

export interface KeyRow {
  readonly key: string;
  readonly meaning: string;
  readonly usual: string;
  readonly limits: string;
  readonly example: string;
  /** When a change takes effect. */
  readonly reload: string;
}

/** The keys below one key of the file; `key` is empty for those at the top. */
export interface KeyTable {
  readonly key: string;
  readonly meaning: string;
  readonly rows: readonly KeyRow[];
}

export function configurationTables(): readonly KeyTable[] {
  const file = nodeSchema.parse(z.toJSONSchema(fileSchema, { io: "input" }));
  const entries = Object.entries(file.properties ?? {});
  const isTable = ([, node]: readonly [string, Node]): boolean => keysOf(node) !== undefined;
  const top = entries.filter((entry) => !isTable(entry)).map(([key, node]) => rowOf(key, node, isRequired(file, key)));
  const tables = entries
    .filter(isTable)
    .map(([key, node]) => ({ key, meaning: node.description ?? "", rows: rowsBelow(key, node) }));
  return [{ key: "", meaning: "", rows: top }, ...tables];
}

/** The tables as Markdown. */
export function configurationReference(): string {
  return configurationTables().map(tableText).join("\n\n");
}

function tableText({ key, meaning, rows }: KeyTable): string {
  const lines = rows.map(
    (row) => `| \`${row.key}\` | ${row.meaning} | ${row.usual} | ${row.limits} | ${row.example} | ${row.reload} |`,
  );
  const head = key === "" ? [] : [`### ${key}`, "", ...(meaning === "" ? [] : [meaning, ""])];
  return [
    ...head,
    "| key | meaning | default | limits | example | a change counts |",
    "|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

/** The keys below a mapping or a list of mappings. A mapping whose keys are all alike (brands) is a single row. */
function keysOf({ properties, items }: Node): Node | undefined {
  const within = properties === undefined ? items : { properties };
  const described = Object.values(within?.properties ?? {}).some(
    ({ description, properties: more }) => description !== undefined || more !== undefined,
  );
  return described ? within : undefined;
}

function rowsBelow(key: string, node: Node): readonly KeyRow[] {
  const within = node.items ?? node;
  const prefix = node.items === undefined ? key : `${key}[]`;
  return Object.entries(within.properties ?? {}).flatMap(([name, below]) => {
    const path = `${prefix}.${name}`;
    const row = rowOf(path, below, isRequired(within, name));
    return keysOf(below) === undefined ? [row] : [row, ...rowsBelow(path, below)];
  });
}

function isRequired({ required = [] }: Node, key: string): boolean {
  return required.includes(key);
}

function rowOf(key: string, node: Node, required: boolean): KeyRow {
  const isMapping = keysOf(node) !== undefined;
  return {
    key,
    meaning: node.description ?? "",
    usual: required ? "required" : isMapping ? "" : usualText(node),
    limits: limitsText(node),
    example: node.examples?.[0] === undefined || isMapping ? "" : `\`${yamlText(node.examples[0])}\``,
    reload: isMapping ? "" : reloadText(key),
  };
}

/** From the table that the bridge uses for a reload. */
function reloadText(key: string): string {
  const entry = RELOAD_TABLE.find(({ keys }) => keys.some((one) => key === one || key.startsWith(`${one}[]`)));
  if (entry === undefined) return "";
  if (typeof entry.when !== "string") return `on reload, where ${entry.when.where}`;
  return entry.when === "now" ? "on reload" : "at the next start";
}

function usualText({ default: usual, maximum }: Node): string {
  if (typeof usual === "number") return maximum === MAX_PORT ? String(usual) : numberText(usual);
  const text = yamlText(usual);
  return usual === undefined || usual === "" || text === "[]" || text === "{}" ? "none" : `\`${text}\``;
}

/** Maximum of ports and USB ids, which are written without thousands separators. */
const MAX_PORT = 65_535;

function limitsText({ enum: values, type, minimum, maximum, maxLength, maxItems, items }: Node): string {
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (type === "boolean") return "`true`, `false`";
  if (minimum !== undefined && maximum !== undefined)
    return maximum === MAX_PORT ? `${minimum} to ${maximum}` : `${numberText(minimum)} to ${numberText(maximum)}`;
  const each = items?.maxLength === undefined ? "" : ` of ${numberText(items.maxLength)} characters`;
  if (maxItems !== undefined) return `at most ${numberText(maxItems)}${each}`;
  return maxLength === undefined ? "" : `at most ${numberText(maxLength)} characters`;
}

function numberText(value: number): string {
  return value.toLocaleString("en-GB");
}

/** Text that YAML reads back unchanged without quotes. */
const PLAIN = /^(?:[A-Za-z./](?:[A-Za-z0-9 _./:-]*[A-Za-z0-9_./-])?|(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?::[0-9]+)?)$/;
const SPECIAL = /: |^(?:true|false|yes|no|on|off|null|NO)$/i;

/** A value on one line, as a person would write it into the file. */
function yamlText(value: unknown): string {
  if (typeof value === "string") return PLAIN.test(value) && !SPECIAL.test(value) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(yamlText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const pairs = Object.entries(value).map(([key, one]) => `${key}: ${yamlText(one)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}
