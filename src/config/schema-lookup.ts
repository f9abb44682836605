import { z } from "zod";
import type { Path } from "./problem.ts";

/** The schema at a path without its wrappers (optional, default); undefined if the path is unknown. */
function schemaAt(schema: unknown, path: Path): unknown {
  const [first, ...rest] = path;
  const bare = unwrap(schema);
  if (first === undefined) return bare;
  if (bare instanceof z.ZodArray) return schemaAt(bare.element, rest);
  if (bare instanceof z.ZodObject) {
    const shape: Readonly<Record<string, unknown>> = bare.shape;
    return Object.hasOwn(shape, first) ? schemaAt(shape[first], rest) : undefined;
  }
  return undefined;
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return unwrap(schema.unwrap());
  return schema;
}

/** The keys allowed in the mapping at that path. */
export function knownKeys(schema: z.ZodType, path: Path): readonly string[] {
  const found = schemaAt(schema, path);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

/** An example for the value at that path, on one line as YAML (JSON is YAML); undefined if the schema has none. */
export function exampleAt(schema: z.ZodType, path: Path): string | undefined {
  const found = schemaAt(schema, path);
  const examples = found instanceof z.ZodType ? found.meta()?.["examples"] : undefined;
  return Array.isArray(examples) ? JSON.stringify(examples[0]) : undefined;
}
