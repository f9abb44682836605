import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonOf } from "../../../packaging/json-type.ts";
import { ProtocolBroken } from "../../../src/client/errors.ts";
import type { Schema } from "../../../src/client/schema.ts";
import { type JsonShape, shape } from "../../../src/client/shape.ts";
import { readTolerantly } from "../../../src/client/tolerant.ts";
import * as messages from "../../../src/register/rpc/schemas.ts";

const read: readonly (readonly [string, z.ZodType])[] = Object.entries(messages).flatMap(([name, schema]) =>
  schema instanceof z.ZodType && /^(hello|change|frame|error|receipt)|Result/.test(name)
    ? [[name, schema] as const]
    : [],
);

/** Values that fit, and values with a member too many, too few, or of another type. */
function anyOf(json: JsonShape): fc.Arbitrary<unknown> {
  const odd = fc.constantFrom<unknown>(null, 7, "odd", true, [], {});
  return fc.oneof({ weight: 60, arbitrary: fitting(json) }, { weight: 1, arbitrary: odd });
}

function fitting(json: JsonShape): fc.Arbitrary<unknown> {
  if (json.anyOf !== undefined) return fc.oneof(...json.anyOf.map(anyOf));
  if (json.const !== undefined) return fc.constant(json.const);
  if (json.enum !== undefined) return fc.constantFrom(...json.enum);
  switch (json.type) {
    case "object":
      return objectOf(json);
    case "array":
      return fc.array(anyOf(json.items ?? {}), { maxLength: 3 });
    case "integer":
      return fc.integer({ min: 1, max: 9_999 });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return fc.constantFrom("a", "17", "12.34");
    default:
      return fc.constantFrom<unknown>("a", 1, null);
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: JsonShape): fc.Arbitrary<unknown> {
  const members = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, anyOf(member)])),
    { requiredKeys: [...required] },
  );
  const more = typeof additionalProperties === "object" ? anyOf(additionalProperties) : fc.constant({ deep: [1] });
  const extra = fc.oneof(
    { weight: 9, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.record({ later: more }) },
  );
  return fc.tuple(members, extra).map(([own, added]) => ({ ...own, ...added }));
}

function outcome<T>(schema: Schema<T>, value: unknown): unknown {
  try {
    return { reads: readTolerantly(schema, value, "it") };
  } catch (error) {
    if (error instanceof ProtocolBroken) return "broken";
    throw error;
  }
}

describe("the package's reader, which has no zod", () => {
  it("is tried with every message that the bridge sends", () => expect(read.length).toBeGreaterThan(20));

  it.each(read)("takes, strips and refuses the same values as %s", (_, schema) => {
    const json: JsonShape = jsonOf(schema, new Map());
    const own = shape(json);
    fc.assert(
      fc.property(anyOf(json), (value) => {
        expect(outcome(own, value)).toEqual(outcome(schema, value));
      }),
      { numRuns: 60 },
    );
  });
});
