import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { driverModels } from "../../drivers/index.ts";
import { FACTS } from "./models.ts";

/*
 * Whatever a PROTOCOL.md infers is flipped somewhere: by a device that does the other thing (test/drivers/models), or
 * in the unit tests of its driver, where it has
 * a test or a row of its own that begins with its number.
 */

const rootOf = (path: string): string => new URL(`../../${path}`, import.meta.url).pathname;

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(rootOf(folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(rootOf(join(folder, name)), "utf8"));
}

/** Numbers that a test is named by, or that are a key or an entry of a table. */
const NAMED = /(?:^\s*|["'`([])(I[0-9]+)(?=\b[^"'`\n]*["'`]|:)/gm;

const namedIn = (text: string): readonly string[] => [...text.matchAll(NAMED)].flatMap(([, clause]) => clause ?? []);

describe.each(driverModels)("what is inferred of $id", ({ id }) => {
  const protocol = readFileSync(rootOf(`drivers/${id}/PROTOCOL.md`), "utf8");
  const listed = [...protocol.matchAll(/^\| (I[0-9]+) \|/gm)].flatMap(([, clause]) => clause ?? []);

  test("is numbered from 1, without a gap, and each number stands where it is inferred", () => {
    const marked = [...protocol.matchAll(/\*\*(I[0-9]+)\*\*/g)].flatMap(([, clause]) => clause ?? []);
    expect(marked.filter((clause) => !listed.includes(clause))).toEqual([]);
    expect(listed).toEqual(listed.map((_, at) => `I${at + 1}`));
    expect(listed.filter((clause) => !protocol.includes(`**${clause}**`))).toEqual([]);
  });

  test("stands in the table of evidence at the end, and nothing else does", () => {
    const [, title = "", evidence = ""] = /^## [0-9]+\. (.*)\n((?:(?!^## ).*\n)*)(?![\s\S])/m.exec(protocol) ?? [];
    expect(title).toBe("Evidence");
    expect(evidence).toContain("| clauses | confirmed by | inferred, and what would confirm it |");
    const named = [...new Set([...evidence.matchAll(/\bI[0-9]+\b/g)].map(([clause]) => clause))];
    expect(named.toSorted()).toEqual([...listed].toSorted());
  });

  test("is flipped, all of it", () => {
    const byDevices = FACTS.filter(({ driver }) => driver === id).flatMap(({ flips }) =>
      flips.map(({ clause }) => clause),
    );
    const inTests = sourcesIn(`test/unit/drivers/${id}`).flatMap(namedIn);
    expect(listed.filter((clause) => !byDevices.includes(clause) && !inTests.includes(clause))).toEqual([]);
  });

  test("is nothing that no longer stands there", () => {
    const byDevices = FACTS.filter(({ driver }) => driver === id).flatMap(({ flips }) =>
      flips.map(({ clause }) => clause),
    );
    expect(byDevices.filter((clause) => /^I[0-9]+$/.test(clause) && !listed.includes(clause))).toEqual([]);
  });
});
