import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mutated } from "./copy.ts";
import { MUTANTS } from "./table.ts";

const root = join(import.meta.dirname, "../..");

describe("the table of mutants", () => {
  test.each(MUTANTS)("$name: its text stands in the product exactly once, and the mistake changes it", (mutant) => {
    const text = readFileSync(join(root, mutant.file), "utf8");
    expect(mutated(mutant, text)).not.toBe(text);
  });

  test("has a mistake against each of the seven truths", () => {
    expect([...new Set(MUTANTS.map(({ truth }) => truth))].toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("refuses a text that is not there", () => {
    expect(() => mutated({ name: "m", truth: 1, file: "f", find: "x", put: "y" }, "a")).toThrow(/stands 0 times in f/);
  });
});
