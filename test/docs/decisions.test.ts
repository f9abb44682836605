import fs from "node:fs";
import { describe, expect, test } from "vitest";

/** A page of docs/decisions is one decision that is read in a minute; the index has all of them. */
const FOLDER = "docs/decisions";
const index = fs.readFileSync(`${FOLDER}/README.md`, "utf8");
const names = fs.readdirSync(FOLDER).filter((name) => name !== "README.md");
const pages = names.map((name) => ({ name, text: fs.readFileSync(`${FOLDER}/${name}`, "utf8") }));

test("decisions are numbered without a gap, and stand in the index by their titles", () => {
  expect(names.length).toBeGreaterThan(20);
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, at) => at + 1));
  const rows = [...index.matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \|$/gm)].map(([, number, file, title]) => ({
    number,
    file,
    title,
  }));
  const titles = pages.map(({ name, text }) => ({
    number: name.slice(0, 4),
    file: name,
    title: text.split("\n")[0]?.replace(/^# \d+\. /, ""),
  }));
  expect(rows).toEqual(titles);
});

describe.each(pages)("$name", ({ name, text }) => {
  test("has its number, a context, a decision and consequences", () => {
    const headings = text.match(/^#+ .*$/gm) ?? [];
    expect(headings).toEqual([
      expect.stringMatching(new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`)),
      "## Context",
      "## Decision",
      "## Consequences",
    ]);
  });

  test("is short: 40 lines, 120 characters a line, 60 words a paragraph", () => {
    const lines = text.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
    const paragraphs = text.split(/\n\n+|\n(?=[-|] )/).filter((one) => !one.startsWith("|"));
    expect(paragraphs.filter((paragraph) => paragraph.split(/\s+/).length > 60)).toEqual([]);
  });
});
