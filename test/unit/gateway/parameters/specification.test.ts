import { describe, expect, test } from "vitest";
import { keyedGroups, knownNames } from "../../../../src/gateway/parameters/problems.ts";
import { type ParameterName, specification } from "../../../../src/gateway/parameters/specification.ts";
import { sendable } from "./table.ts";

/** Does not compile for a name that the specification does not have. */
const written: readonly ParameterName[] = [
  ...([
    "amount",
    "cart.items[0].recipient.city",
    "airline.passengers[0].legs[12].fareBasis",
    "customParameters[SHOPPER_till]",
  ] as const),
  ...([
    "threeDSecure.v2.visa.requestorId",
    "threeDSecure.schemeData[CB-USECASE]",
    "merchant.billing.city",
    "shipping.customer.surname",
  ] as const),
];

/** What TypeScript thinks of a name. */
type Known<Name extends string> = Name extends ParameterName ? true : false;

describe("names of parameters as types", () => {
  test("what is written by its type is a parameter's name", () => {
    const names = new Set(knownNames(specification).map(sendable));
    const asListed = written.map((name) =>
      name.replaceAll(/\[[0-9]+\]/g, "[0]").replace("[SHOPPER_till]", "[SHOPPER_key.1]"),
    );
    expect(asListed.filter((name) => !names.has(name))).toEqual([]);
  });

  test("a typo is none", () => {
    const typos: readonly [
      Known<"pos.entryMod">,
      Known<"cart.items[x].name">,
      Known<"cart.items[0].nam">,
      Known<"customParameters">,
      Known<"merchant.biling.city">,
    ] = [...([false, false, false, false, false] as const)];
    expect(typos).not.toContain(true);
  });
});

test("names in brackets are told from indexes", () => {
  const groups = [
    "overridePaymentType",
    "merchant.data",
    "customParameters",
    "threeDSecure.schemeData",
    "risk.parameters",
  ];
  expect([...keyedGroups(specification)].toSorted()).toEqual(groups.toSorted());
});
