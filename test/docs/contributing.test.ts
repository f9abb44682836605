import fs from "node:fs";
import { describe, expect, test } from "vitest";

/** A newcomer follows CONTRIBUTING.md to the letter: what it tells to edit and to run is there. */
const page = fs.readFileSync("CONTRIBUTING.md", "utf8");
const [, exercise = ""] = page.split("## A first change\n");
const steps = (exercise.split("\n## ")[0] ?? "").split(/^\*\*\d\. /m);

describe("CONTRIBUTING.md, the first change", () => {
  test.each(steps.slice(1).filter((step) => step.includes("add `")))("finds what is to be edited: %s", (step) => {
    const [, file = ""] = /`([a-z/.-]+\.(?:ts|md))`/.exec(step) ?? [];
    // As the file is before the exercise: its codes are there too while somebody does it.
    const text = fs.readFileSync(file, "utf8").replace(/"61", |, "61"/g, "");
    for (const [, line = ""] of step.matchAll(/^ {4}(.+)$/gm)) expect(text.split(line)).toHaveLength(2);
  });

  test("edits a test, and then a source", () => {
    const edited = steps
      .filter((step) => /add `[^`]+` to/.test(step))
      .map((step) => /`([a-z/.-]+\.ts)`/.exec(step)?.[1]);
    expect(edited).toEqual(["test/unit/gateway/verdict.test.ts", "src/gateway/soft-declines.ts"]);
  });

  test("names a page that has the codes of that rule", () => {
    expect(fs.readFileSync("docs/gateway.md", "utf8")).toMatch(/AcquirerResponse 1A,.* `wantsCardholder`/);
  });
});

describe("CONTRIBUTING.md", () => {
  test("runs tests that are there", () => {
    const paths = [...page.matchAll(/npx vitest run (\S+[a-z])/g)].map(([, path]) => path ?? "");
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !fs.existsSync(path))).toEqual([]);
  });
});
