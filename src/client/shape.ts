import type { Schema, SchemaIssue } from "./schema.ts";

/** The part of JSON Schema that describes messages of the bridge. Lengths and patterns are the bridge's business. */
export interface JsonShape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonShape[];
  readonly items?: JsonShape;
  readonly properties?: Readonly<Record<string, JsonShape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonShape;
}

type Path = readonly PropertyKey[];

/** A reader with zod's answers and without zod. */
export function shape<T>(json: JsonShape): Schema<T> {
  const fits = (value: unknown): value is T => issuesOf(json, value, []).length === 0;
  return {
    safeParse: (value) => {
      const plain = stripped(json, value);
      return fits(plain)
        ? { success: true, data: plain }
        : { success: false, error: { issues: issuesOf(json, plain, []) } };
    },
  };
}

function issuesOf(json: JsonShape, value: unknown, path: Path): readonly SchemaIssue[] {
  if (json.anyOf !== undefined) {
    const forms = json.anyOf.map((each) => issuesOf(each, value, path));
    // Unknown fields alone do not make it another form.
    const close = forms.filter((issues) => issues.every(({ code }) => code === "unrecognized_keys"));
    const fitting = close.find(({ length }) => length === 0) ?? (close.length === 1 ? close[0] : undefined);
    return fitting ?? [{ code: "invalid_union", path, message: "has none of its forms" }];
  }
  const choices = "const" in json ? [json.const] : json.enum;
  if (choices !== undefined)
    return choices.includes(value) ? [] : [{ code: "invalid_value", path, message: `is not ${choices.join(" or ")}` }];
  if (json.type !== undefined && !isOfType(json.type, value))
    return [{ code: "invalid_type", path, message: `is no ${json.type}` }];
  if (json.items !== undefined && Array.isArray(value)) {
    const { items } = json;
    return value.flatMap((each: unknown, index) => issuesOf(items, each, [...path, index]));
  }
  return json.type === "object" && isObject(value) ? membersOf(json, value, path) : [];
}

function membersOf(json: JsonShape, value: object, path: Path): readonly SchemaIssue[] {
  const { properties = {}, required = [], additionalProperties } = json;
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ code: "invalid_type", path: [...path, name], message: "is missing" }));
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  const inside = members.flatMap(([name, each]) => {
    const member = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return typeof member === "object" ? issuesOf(member, each, [...path, name]) : [];
  });
  const keys =
    additionalProperties === false ? members.map(([name]) => name).filter((name) => !(name in properties)) : [];
  const unknown = keys.length === 0 ? [] : [{ code: "unrecognized_keys", path, message: "has unknown fields", keys }];
  return [...missing, ...inside, ...unknown];
}

/** Without the members that an open object does not name; a copy where something was removed. */
function stripped(json: JsonShape, value: unknown): unknown {
  if (json.anyOf !== undefined) {
    const fitting = json.anyOf.find((each) => issuesOf(each, value, []).length === 0);
    return fitting === undefined ? value : stripped(fitting, value);
  }
  const { items, properties, additionalProperties } = json;
  if (items !== undefined && Array.isArray(value)) return value.map((each: unknown) => stripped(items, each));
  if (properties === undefined || !isObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([name]) => additionalProperties === false || Object.hasOwn(properties, name),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, stripped(properties[name] ?? {}, each)]));
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
