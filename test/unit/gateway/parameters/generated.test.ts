import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { flatten } from "../../../../src/gateway/form.ts";
import { unflatten } from "../../../../src/gateway/form-nesting.ts";
import type { Sent } from "../../../../src/gateway/parameters/chapter.ts";
import { chaptersOf, type Endpoint } from "../../../../src/gateway/parameters/endpoints.ts";
import { keyedGroups, parameterProblems } from "../../../../src/gateway/parameters/problems.ts";
import { specification } from "../../../../src/gateway/parameters/specification.ts";
import { linesOf, REQUIRED, validForm } from "./forms.ts";
import { requested, sendable } from "./table.ts";
import { anyValue } from "./values.ts";

const ENDPOINTS = Object.keys(chaptersOf).filter((name): name is Endpoint => Object.hasOwn(chaptersOf, name));
const RUNS = { numRuns: 60 };

const named = (endpoint: Endpoint, form: Sent): readonly string[] =>
  parameterProblems(form, chaptersOf[endpoint]).map(({ name }) => name);

/** A registration's one type. */
const atRegistration = (endpoint: Endpoint, form: Sent): Sent =>
  endpoint === "registration" && form.has("paymentType") ? new Map([...form, ["paymentType", "RG"]]) : form;

describe.each(ENDPOINTS)("forms of the table at the endpoint %s", (endpoint) => {
  const form = validForm(endpoint).map((valid) => atRegistration(endpoint, valid));
  const lines = linesOf(endpoint);
  const breakable = lines.flatMap((line) => line.invalid.map((value) => [sendable(line.name), value] as const));

  test("are good", () => {
    fc.assert(
      fc.property(form, (valid) => {
        expect(parameterProblems(valid, chaptersOf[endpoint])).toEqual([]);
      }),
      RUNS,
    );
  });

  test("with one value broken, that parameter is named and no other", () => {
    fc.assert(
      fc.property(form, fc.nat(), (valid, which) => {
        const sent = breakable.filter(([name]) => valid.has(name));
        const [name, value] = sent[which % sent.length] ?? [];
        if (name === undefined || value === undefined) return;
        expect(named(endpoint, new Map([...valid, [name, value]]))).toEqual([name]);
      }),
      RUNS,
    );
  });

  test("with one unknown parameter, that is named and no other", () => {
    fc.assert(
      fc.property(
        form,
        fc.constantFrom("amoun", "card.pan", "customer", "cart.items[0]", "customParameters[a]", "x"),
        (valid, name) => {
          expect(named(endpoint, new Map([...valid, [name, "1"]]))).toEqual([name]);
        },
      ),
      RUNS,
    );
  });

  test("without one that is required, that is named and no other", () => {
    const required = lines
      .filter(({ need, name }) => need === "required" && name !== "virtualAccount.accountId")
      .map(({ name }) => sendable(name));
    fc.assert(
      fc.property(form, fc.nat(), (valid, which) => {
        const there = required.filter((name) => valid.has(name) && !mayBeMissing(endpoint, name, valid));
        const name = there[which % there.length];
        if (name === undefined) return;
        expect(named(endpoint, new Map([...valid].filter(([each]) => each !== name)))).toEqual([name]);
      }),
      RUNS,
    );
  });
});

/**
 * What the table requires and is not missed here: not every endpoint needs an amount, a checkout may only register, and
 * a group that is not sent requires nothing.
 */
function mayBeMissing(endpoint: Endpoint, name: string, form: Sent): boolean {
  const [group, member] = name.split(".");
  if (member !== undefined)
    return (
      !name.startsWith("date.") && ![...form.keys()].some((other) => other !== name && other.startsWith(`${group}.`))
    );
  if (endpoint === "checkout") return form.get("createRegistration") === "true";
  return !REQUIRED[endpoint].includes(name);
}

describe("names and values both ways", () => {
  const keyed = keyedGroups(specification);

  test.each(requested.map((line) => [line.name, line] as const))("%s", (_, line) => {
    fc.assert(
      fc.property(anyValue(line), (value) => {
        const fields = [[sendable(line.name), value] as const];
        const nested = unflatten(fields, keyed);
        expect(nested.ok && flatten(nested.value, keyed)).toEqual(fields);
      }),
      { numRuns: 3 },
    );
  });

  test("a whole payment", () => {
    fc.assert(
      fc.property(validForm("payment"), (form) => {
        const nested = unflatten([...form], keyed);
        expect(new Map(nested.ok ? flatten(nested.value, keyed) : [])).toEqual(form);
      }),
      RUNS,
    );
  });
});
