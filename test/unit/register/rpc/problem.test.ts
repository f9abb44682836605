import { expect, test } from "vitest";
import { paymentStart } from "../../../../src/register/methods/payment-start.ts";
import { firstProblem } from "../../../../src/register/rpc/problem.ts";

const sale = { reference: "R-1", type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" };

function problemOf(changes: object): string | undefined {
  const sent = { ...sale, ...changes };
  const { error } = paymentStart.params.safeParse(sent);
  if (error === undefined) return undefined;
  const { path, message } = firstProblem(error, sent);
  return `${path} ${message}`;
}

test.each([
  [{ expiresInMs: 1000.5 }, "expiresInMs must be a whole number"],
  [{ expiresInMs: "1000" }, "expiresInMs must be a number"],
  [{ queue: "yes" }, "queue must be true or false"],
  [{ terminal: 7 }, "terminal must be text"],
  [{ entryModes: "chip" }, "entryModes must be a list"],
  [{ customer: "Doe" }, "customer must be an object"],
])("a wrong type is told with the path of the field, in words of who wrote it: %j", (changes, told) => {
  expect(problemOf(changes)).toBe(told);
});
