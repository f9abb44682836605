import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Sent } from "../../../src/gateway/parameters/chapter.ts";
import type { Endpoint } from "../../../src/gateway/parameters/endpoints.ts";
import { runsOf } from "../../support/dose.ts";
import { linesOf, validForm } from "../gateway/parameters/forms.ts";
import { sendable } from "../gateway/parameters/table.ts";
import { type Bench, bench } from "./bench.ts";
import { ENTITY } from "./simulated-till.ts";

const CARD = {
  paymentBrand: "VISA",
  "card.number": "4200000000000000",
  "card.expiryMonth": "05",
  "card.expiryYear": "2034",
};

/** What a form of that endpoint says, with an entity and a type that are there. */
function formOf(
  endpoint: Endpoint,
  types: readonly string[],
  own: Readonly<Record<string, string>> = {},
): fc.Arbitrary<Sent> {
  return fc.tuple(validForm(endpoint), fc.constantFrom(...types)).map(([form, paymentType]) => {
    const said = form.has("paymentType") || types.length > 1 ? { paymentType } : {};
    return new Map([...form, ...begunByCustomer(form), ...Object.entries({ entityId: ENTITY, ...said, ...own })]);
  });
}

/**
 * A later payment that the merchant begins has to name what an earlier form of the run may have been told:
 * agreements.test.ts tries those.
 */
function begunByCustomer(form: Sent): Sent {
  const isOfAgreement =
    form.get("standingInstruction.mode") === "REPEATED" && form.get("standingInstruction.source") === "MIT";
  return new Map(isOfAgreement ? [["standingInstruction.source", "CIT"]] : []);
}

async function stored(on: Bench): Promise<string> {
  const { body } = await on.send("/v1/registrations", CARD);
  return body.id ?? "";
}

describe("a request that the specification allows is never a parameter error", () => {
  type Ask = (form: Sent) => Promise<{ readonly body: { readonly result: { readonly code: string } } }>;
  /** `accepted`: a form that is surely not refused, for where chance gives few. */
  const holds = async (forms: fc.Arbitrary<Sent>, ask: Ask, accepted: readonly Sent[] = []) => {
    const codes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(forms, async (form) => {
        const { result } = (await ask(form)).body;
        codes.add(result.code);
        expect(result).not.toHaveProperty("parameterErrors");
      }),
      { numRuns: runsOf(50, 150), examples: accepted.map((form) => [form]) },
    );
    expect([...codes]).toContain("000.100.110");
  };

  test("at POST /v1/payments/{id}", async () => {
    const on = bench();
    const { body } = await on.send("/v1/payments", {
      ...CARD,
      "card.cvv": "123",
      amount: "1.00",
      currency: "EUR",
      paymentType: "DB",
    });
    const forms = formOf("reference", ["CP", "RV", "RF", "RB", "CB", "CR", "RC"], {
      currency: "EUR",
      paymentBrand: "VISA",
      testMode: "INTERNAL",
    });
    await holds(forms, (form) => on.post(`/v1/payments/${body.id}`, form));
  });

  test("at POST /v1/registrations", async () => {
    const on = bench();
    // A number that is not published is refused by its issuer; one that is takes its place in half of the forms.
    const known = (form: Sent): Sent => (form.has("card.number") ? new Map([...form, ...Object.entries(CARD)]) : form);
    const forms = fc
      .tuple(formOf("registration", ["RG"]), fc.boolean())
      .map(([form, isKnown]) => (isKnown ? known(form) : form));
    const plain = new Map(Object.entries({ entityId: ENTITY, ...CARD }));
    await holds(forms, (form) => on.post("/v1/registrations", form), [plain]);
  });

  test("at POST /v1/registrations/{id}/payments", async () => {
    const on = bench();
    const id = await stored(on);
    await holds(formOf("registrationPayment", ["PA", "DB", "CD"], { currency: "EUR" }), (form) =>
      on.post(`/v1/registrations/${id}/payments`, form),
    );
  });

  test("at POST /v1/schedules", async () => {
    const on = bench();
    const forms = formOf("schedule", ["PA", "DB", "CD", "SD"], { currency: "EUR", registrationId: await stored(on) });
    await holds(forms, (form) => on.post("/v1/schedules", form));
  });
});

describe("a request with one parameter broken is refused for that one", () => {
  test.each<[Endpoint, readonly string[], (id: string) => string]>([
    ["reference", ["CP", "RV", "RF", "RB", "CB", "CR", "RC"], (id) => `/v1/payments/${id}`],
    ["registration", ["RG"], () => "/v1/registrations"],
    ["registrationPayment", ["PA", "DB", "CD"], (id) => `/v1/registrations/${id}/payments`],
    ["schedule", ["PA", "DB", "CD", "SD"], () => "/scheduling/v1/schedules"],
  ])("%s", async (endpoint, types, path) => {
    const on = bench();
    const id = await stored(on);
    const breakable = linesOf(endpoint).flatMap((line) =>
      line.invalid.map((value) => [sendable(line.name), value] as const),
    );
    await fc.assert(
      fc.asyncProperty(
        formOf(endpoint, types, endpoint === "schedule" ? { registrationId: id } : {}),
        fc.nat(),
        async (form, which) => {
          const there = breakable.filter(([name]) => form.has(name) && name !== "entityId");
          const [name = "paymentType", value = "??"] = there[which % Math.max(1, there.length)] ?? [];
          const { status, code, body } = await on.post(path(id), new Map([...form, [name, value]]));
          const named = new Set(body.result.parameterErrors?.map((problem) => problem.name));
          expect([status, code, ...named]).toEqual([400, "200.300.404", name]);
        },
      ),
      { numRuns: runsOf(26, 80) },
    );
  });
});
