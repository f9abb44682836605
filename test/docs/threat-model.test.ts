import fs from "node:fs";
import { describe, expect, test } from "vitest";

const page = fs.readFileSync("docs/threat-model.md", "utf8");
const rows = page
  .split("\n")
  .filter((line) => /^\| (?!attack |---)/.test(line))
  .map((line) => {
    const cells = line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, ""));
    const [, file = "", name = ""] =
      /^\[[a-z-]+\]\(\.\.\/(test\/\S+\.test\.ts)\) `(.+)`$/.exec(cells.at(-1) ?? "") ?? [];
    return { attack: cells[0] ?? "", cells, file, name };
  });

/** Titles of tests and of groups, of tables too. A skipped one is none: `.skip` stands between the word and the title. */
function titlesIn(source: string): readonly string[] {
  const plain = source.matchAll(/(?<![\w.])(?:it|test|describe)\(\s*(["`])([^\n]+?)\1\s*,/g);
  const tables = source.matchAll(/[)\]]\(\s*(["`])([^\n]+?)\1\s*,/g);
  return [...plain, ...tables].map(([, , title = ""]) => title);
}

describe("docs/threat-model.md", () => {
  test("has rows of five cells, none of them empty", () => {
    expect(rows.length).toBeGreaterThan(60);
    for (const { attack, cells } of rows) {
      expect(cells, attack).toHaveLength(5);
      expect(
        cells.filter((cell) => cell.trim() === ""),
        attack,
      ).toEqual([]);
    }
  });

  test("has a test of its own for each row", () => {
    const tests = rows.map(({ file, name }) => `${file} ${name}`);
    expect(tests.filter((one, at) => tests.indexOf(one) !== at)).toEqual([]);
  });

  test.each(rows)("names a test that exists: $attack", ({ file, name }) => {
    expect(fs.existsSync(file), file).toBe(true);
    expect(titlesIn(fs.readFileSync(file, "utf8"))).toContain(name);
  });
});
