import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { chaptersOf } from "../../../../src/gateway/parameters/endpoints.ts";
import { parameterProblems } from "../../../../src/gateway/parameters/problems.ts";

const lines = readFileSync(new URL("../../../vectors/parameter-rules.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .slice(1)
  .map((line) => {
    const [chapter = "", rule = "", endpoint = "", kept = "", broken = "", named = ""] = line.split("\t");
    return { chapter, rule, endpoint, kept, broken, named };
  });

function namesIn(endpoint: string, form: string): readonly string[] {
  const [, chapters = []] = Object.entries(chaptersOf).find(([name]) => name === endpoint) ?? [];
  expect(chapters).not.toEqual([]);
  return parameterProblems(new Map(new URLSearchParams(form)), chapters).map(({ name }) => name);
}

describe.each(lines)("$chapter: $rule", ({ endpoint, kept, broken, named }) => {
  test("kept, nothing is named", () => {
    expect(namesIn(endpoint, kept)).toEqual([]);
  });

  test(`broken, ${named} is named and no other`, () => {
    expect(namesIn(endpoint, broken)).toEqual([named]);
  });
});
