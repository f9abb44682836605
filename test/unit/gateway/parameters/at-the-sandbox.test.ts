import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import type { Endpoint } from "../../../../src/gateway/parameters/endpoints.ts";
import { bench } from "../../sandbox/bench.ts";
import { ENTITY } from "../../sandbox/simulated-till.ts";
import { linesOf, validForm } from "./forms.ts";
import { sendable } from "./table.ts";

/** Where requests that need no earlier one go. */
const PATHS: readonly (readonly [Endpoint, string])[] = [
  ["payment", "/v1/payments"],
  ["registration", "/v1/registrations"],
  ["checkout", "/v1/checkouts"],
  ["link", "/paybylink/v1"],
];

/** Names of something that was there before: a random one is not, and is refused for that. */
const REFERRING: readonly string[] = ["referenceUuid", "registrations[0].id"];

const TYPES: readonly string[] = ["paymentType", "overridePaymentType[VISA]"];

/**
 * As a stranger sends it: with the entity of the sandbox, a type that this endpoint has, and nothing that refers to
 * what it never had.
 */
function asSent(endpoint: Endpoint, form: Sent): Sent {
  const type = endpoint === "registration" ? "RG" : "DB";
  const kept = [...form].filter(([name]) => !REFERRING.includes(name));
  return new Map([
    ...kept.map(([name, value]) => [name, TYPES.includes(name) ? type : value] as const),
    ["entityId", ENTITY],
  ]);
}

const named = (errors: readonly { readonly name: string }[] = []): readonly string[] => [
  ...new Set(errors.map(({ name }) => name)),
];

describe.each(PATHS)("a stranger's %s", (endpoint, path) => {
  const { post } = bench();
  const form = validForm(endpoint)
    .filter((valid) => !valid.has("registrationId"))
    .map((valid) => asSent(endpoint, valid));
  const breakable = linesOf(endpoint).flatMap((line) =>
    line.invalid.map((value) => [sendable(line.name), value] as const),
  );

  test("is never refused for a parameter while the specification allows it", async () => {
    await fc.assert(
      fc.asyncProperty(form, async (valid) => {
        const { code, body } = await post(path, valid);
        expect(named(body.result.parameterErrors)).toEqual([]);
        expect(code).not.toBe("200.300.404");
      }),
      { numRuns: 60 },
    );
  });

  test("is refused with 400, 200.300.404 and the name of the one parameter that is broken", async () => {
    await fc.assert(
      fc.asyncProperty(form, fc.nat(), async (valid, which) => {
        const there = breakable.filter(([name]) => valid.has(name) && name !== "entityId");
        const [name, value] = there[which % there.length] ?? [];
        if (name === undefined || value === undefined) return;
        const { status, code, body } = await post(path, new Map([...valid, [name, value]]));
        expect([status, code, ...named(body.result.parameterErrors)]).toEqual([400, "200.300.404", name]);
      }),
      { numRuns: 60 },
    );
  });
});
