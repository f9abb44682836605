import { z } from "zod";
import { passthroughShape } from "../../../src/gateway/parameters/passthrough.ts";
import type { Json } from "./exchange.ts";

/** JSON Schema, as far as the register API uses it. */
interface Schema {
  readonly $ref?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly const?: Json | undefined;
  readonly enum?: readonly Json[] | undefined;
  readonly pattern?: string | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly items?: Schema | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
}
const schemaSchema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    description: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    format: z.string().optional(),
    const: z.json().optional(),
    enum: z.array(z.json()).optional(),
    pattern: z.string().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    anyOf: z.array(schemaSchema).optional(),
    items: schemaSchema.optional(),
    properties: z.record(z.string(), schemaSchema).optional(),
    required: z.array(z.string()).optional(),
  }),
);

const documentSchema = z.object({
  methods: z.array(
    z.object({
      name: z.string(),
      summary: z.string(),
      description: z.string().optional(),
      params: z.array(z.object({ name: z.string(), required: z.boolean(), schema: schemaSchema })),
      result: z.object({ schema: schemaSchema }),
      "x-scopes": z.array(z.string()),
    }),
  ),
  "x-notifications": z.array(z.object({ name: z.string(), params: schemaSchema })),
  components: z.object({
    schemas: z.record(z.string(), schemaSchema),
    errors: z.record(z.string(), z.object({ code: z.int(), message: z.string(), "x-fix": z.string() })),
  }),
});
/** The OpenRPC document of the bridge. */
export type ApiDocument = z.infer<typeof documentSchema>;
export const readDocument = (document: unknown): ApiDocument => documentSchema.parse(document);

/** One line of a table. */
export interface Row {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly meaning: string;
}

type Components = ApiDocument["components"]["schemas"];

/** A value and, below it, its members. */
function rowsOf(name: string, schema: Schema, required: boolean, components: Components): readonly Row[] {
  const known = schema.$ref === undefined ? undefined : components[nameIn(schema.$ref)];
  const meaning = schema.description ?? known?.description ?? "";
  return [{ name, type: typeOf(schema), required, meaning }, ...membersOf(schema, name, components)];
}

function membersOf(schema: Schema, name: string, components: Components): readonly Row[] {
  if (schema.items !== undefined) return membersOf(schema.items, `${name}[]`, components);
  const among = (schema.anyOf ?? []).flatMap((each) => membersOf(each, name, components));
  return [...among, ...objectRows(schema, components, name === "" ? "" : `${name}.`)];
}

export function objectRows(schema: Schema, components: Components, prefix = ""): readonly Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, own]) =>
    rowsOf(`${prefix}${name}`, own, schema.required?.includes(name) === true, components),
  );
}

/** Parameters that the bridge passes to the gateway have a table of their own. */
export const isPassed = (name: string): boolean => Object.hasOwn(passthroughShape, name);

export function parameterRows({ params }: Pick<ApiDocument["methods"][number], "params">, components: Components) {
  return params.flatMap(({ name, required, schema }) =>
    isPassed(name)
      ? [{ name, type: "", required, meaning: schema.description ?? "" }]
      : rowsOf(name, schema, required, components),
  );
}

const nameIn = (reference: string): string => reference.split("/").at(-1) ?? "";

const WORDS: Readonly<Record<string, string>> = {
  boolean: "true or false",
  number: "number",
  string: "text",
  object: "object",
  null: "null",
};

function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, items } = schema;
  if ($ref !== undefined) return `[${nameIn($ref)}](#${nameIn($ref).toLowerCase()})`;
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(" or ");
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (type === "string") return textOf(schema);
  if (type === "integer") return `whole number${rangeOf(schema)}`;
  return [type ?? "object"]
    .flat()
    .map((each) => WORDS[each] ?? each)
    .join(" or ");
}

function textOf({ pattern = "", format, maxLength }: Schema): string {
  if (format === "date-time") return "time";
  const [, characters = "", least, most = least] = /^\^(\[.+\])\{(\d+)(?:,(\d+))?\}\$$/.exec(pattern) ?? [];
  const kind =
    { "[A-Za-z0-9]": "letters or digits", "[0-9]": "digits" }[characters] ??
    (characters.startsWith("[\\p{L}") ? "printable characters" : undefined);
  if (kind !== undefined) return `text, ${least === most ? "" : `${least} to `}${most} ${kind}`;
  return maxLength === undefined ? "text" : `text, at most ${maxLength}`;
}

function rangeOf({ minimum, maximum }: Schema): string {
  const least = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (most !== undefined) return `, ${least ?? 0} to ${most}`;
  return least === undefined || least <= 0 ? "" : `, ${least} or more`;
}
