import { z } from "zod";

/** The part of JSON Schema that zod writes for messages. */
const jsonSchema = z.object({
  $ref: z.string().optional(),
  type: z.enum(["string", "number", "integer", "boolean", "null", "array", "object"]).optional(),
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  get anyOf() {
    return z.array(jsonSchema).optional();
  },
  get items() {
    return jsonSchema.optional();
  },
  get properties() {
    return z.record(z.string(), jsonSchema).optional();
  },
  required: z.array(z.string()).optional(),
  get additionalProperties() {
    return z.union([z.boolean(), jsonSchema]).optional();
  },
});
type Json = z.output<typeof jsonSchema>;

/** Schemas that have a name of their own, wherever they stand inside others. */
export type Named = ReadonlyMap<z.core.$ZodType, string>;

/** The JSON Schema of one side of a schema; a named one inside it is `$ref: NAME`. */
export function jsonOf(schema: z.core.$ZodType, named: Named, io: "input" | "output" = "input"): object {
  const {
    $schema: _dialect,
    "~standard": _standard,
    ...plain
  } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema: json }) => {
      const name = zodSchema === schema ? undefined : named.get(zodSchema);
      if (name === undefined) return;
      for (const key of Object.keys(json)) Reflect.deleteProperty(json, key);
      json.$ref = name;
    },
  });
  return plain;
}

/** The TypeScript type of values that fit a JSON Schema. `isGiven`: a value that callers write, so it stays unchanged. */
export function typeOf(json: object, isGiven: boolean): string {
  return textOf(jsonSchema.parse(json), isGiven);
}

function textOf(json: Json, isGiven: boolean): string {
  if (json.$ref !== undefined) return json.$ref;
  if (json.anyOf !== undefined) return json.anyOf.map((each) => textOf(each, isGiven)).join(" | ");
  if (json.const !== undefined) return JSON.stringify(json.const);
  if (json.enum !== undefined) return json.enum.map((each) => JSON.stringify(each)).join(" | ");
  switch (json.type) {
    case undefined:
      return "unknown";
    case "array":
      return listOf(json.items ?? {}, isGiven);
    case "object":
      return objectOf(json, isGiven);
    case "integer":
      return "number";
    case "string":
    case "number":
    case "boolean":
    case "null":
      return json.type;
  }
}

function listOf(items: Json, isGiven: boolean): string {
  const text = textOf(items, isGiven);
  const element = text.includes("|") && !text.startsWith("{") ? `(${text})` : text;
  return `${isGiven ? "readonly " : ""}${element}[]`;
}

function objectOf({ properties = {}, required = [], additionalProperties }: Json, isGiven: boolean): string {
  const readonly = isGiven ? "readonly " : "";
  const members = Object.entries(properties).map(([name, member]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${readonly}${name}${mark}: ${textOf(member, isGiven)}${mark === "" ? "" : " | undefined"};`;
  });
  if (typeof additionalProperties === "object")
    members.push(`${readonly}[name: string]: ${textOf(additionalProperties, isGiven)};`);
  return `{ ${members.join(" ")} }`;
}
