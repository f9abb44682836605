import { ProtocolBroken } from "./errors.ts";
import type { Schema, SchemaIssue } from "./schema.ts";

/** Limit for new fields nested inside new fields. */
const ROUNDS = 8;

/**
 * Parses a message of the bridge. Unknown fields are removed (contract: additions are welcome), and an unknown advice
 * becomes "call-support". All other deviations are errors.
 */
export function readTolerantly<T>(schema: Schema<T>, said: unknown, what: string): T {
  let value = said;
  for (let round = 0; round < ROUNDS; round += 1) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const { issues } = parsed.error;
    const broken = issues.find((issue) => issue.code !== "unrecognized_keys" && !isNewAdvice(issue));
    if (broken !== undefined)
      throw new ProtocolBroken(`${what}: ${broken.path.join(".")} ${broken.message}`, { cause: parsed.error });
    value = structuredClone(value);
    for (const issue of issues) {
      if (issue.code === "unrecognized_keys") remove(value, issue.path, issue.keys ?? []);
      else Object.assign(at(value, issue.path.slice(0, -1)) ?? {}, { advice: "call-support" });
    }
  }
  throw new ProtocolBroken(`${what}: too many unknown fields`);
}

/** The list of advices may grow (contract, section 3, "at least"). */
function isNewAdvice({ code, path }: SchemaIssue): boolean {
  return code === "invalid_value" && path.at(-1) === "advice" && path.at(-2) === "reason";
}

function remove(value: unknown, path: readonly PropertyKey[], keys: readonly string[]): void {
  const here = at(value, path);
  if (here !== undefined) for (const key of keys) Reflect.deleteProperty(here, key);
}

function at(value: unknown, path: readonly PropertyKey[]): object | undefined {
  let here = value;
  for (const step of path)
    here = typeof here === "object" && here !== null ? Object.getOwnPropertyDescriptor(here, step)?.value : undefined;
  return typeof here === "object" && here !== null ? here : undefined;
}
