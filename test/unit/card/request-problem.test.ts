import { expect, test } from "vitest";
import { clockProblem, issuerProblem, moneyProblem } from "../../../src/card/request-problem.ts";
import { sealedOf } from "../../../src/card/sealed.ts";

const MONEY = { amount: 1234, currencyNumeric: "978", currencyCode: "EUR", decimals: 2 };
const ISSUER = { verdict: "approved", arc: "3030", scripts: [] } as const;

test.each([
  [{}, undefined],
  [{ amount: 0 }, undefined],
  [{ amount: 999_999_999_999 }, undefined],
  [{ amount: 1_000_000_000_000 }, "amount"],
  [{ amount: -1 }, "amount"],
  [{ amount: 0.5 }, "amount"],
  [{ amount: Number.NaN }, "amount"],
  [{ currencyNumeric: "97" }, "currencyNumeric"],
  [{ currencyCode: "eur" }, "currencyCode"],
  [{ decimals: 5 }, "decimals"],
  [{ decimals: 1.5 }, "decimals"],
])("money with %j is refused for %s", (change, field) => {
  expect(moneyProblem({ ...MONEY, ...change })?.split(" ")[0]).toBe(field);
});

test.each([
  ["260115", "101500", undefined],
  ["26011", "101500", "now.date must be six digits, YYMMDD"],
  ["260115", "10:15", "now.time must be six digits, HHMMSS"],
])("the time %s %s is refused: %s", (date, time, problem) => {
  expect(clockProblem({ date, time })).toBe(problem);
});

test.each([
  [{}, undefined],
  [{ authentication: "11223344556677883030" }, undefined],
  [{ arc: "00" }, "issuer.arc"],
  [{ arc: "3a30" }, "issuer.arc"],
  [{ authentication: "1122" }, "issuer.authentication"],
  [{ scripts: [{ tag: "71", value: "8" }] }, "issuer.scripts"],
] as const)("an issuer's answer with %j is refused for %s", (change, field) => {
  expect(issuerProblem({ ...ISSUER, ...change })?.split(" ")[0]).toBe(field);
});

test.each([
  [8, 10, true],
  [1024, 12, true],
  [0, 10, false],
  [12, 10, false],
  [1032, 10, false],
  [16, 9, false],
  [16, 0, false],
])("%i bytes under a serial number of %i bytes are ciphertext: %s", (size, ksn, expected) => {
  const sealed = sealedOf(new Uint8Array(size).fill(0xab), new Uint8Array(ksn).fill(1));
  expect(sealed !== undefined).toBe(expected);
  if (expected) expect([sealed?.data.reveal(), sealed?.ksn]).toEqual(["AB".repeat(size), "01".repeat(ksn)]);
});
