import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { knownNames } from "../../../../src/gateway/parameters/problems.ts";
import { referencePage } from "../../../../src/gateway/parameters/reference-page.ts";
import { specification } from "../../../../src/gateway/parameters/specification.ts";

const page = referencePage();

test("docs/parameters.md is current: after a change run `npm run parameters-page`", () => {
  expect(readFileSync(new URL("../../../../docs/parameters.md", import.meta.url), "utf8")).toBe(page);
});

test("the page has a line for every parameter, with where it may be sent", () => {
  const lines = page.split("\n");
  for (const name of knownNames(specification))
    expect(lines.some((line) => line.startsWith(`| \`${name}\` |`))).toBe(true);
  expect(page).not.toMatch(/^- Where: \.$/m);
  expect(page).not.toContain("| only  |");
});

test.each([
  "- Where: payment, registration, checkoutSubmission.",
  "| `cart.items[n].name` | 1-255 characters | conditional | yes |  |",
  "| `card.number` | 8-32 digits | required |  |  |",
  "| `card.cvv` | 3-4 digits | conditional |  | also registrationPayment |",
  "| `overridePaymentType[key]` | 2 letters; the name: 1-32 letters, digits or underscores | optional |  | only checkout |",
  "| `merchantTransactionId` | 1-255 characters | optional |  |  |",
])("%s", (line) => {
  expect(page).toContain(line);
});
