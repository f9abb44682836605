import fs from "node:fs";
import { describe, expect, test } from "vitest";

/** What the pages for contributors say of the tree is so. */
const inside = fs.readFileSync("src/README.md", "utf8");

describe("src/README.md", () => {
  test("names every room of src, and no other", () => {
    const [, table = ""] = inside.split("## The rooms\n");
    const rooms = [...(table.split("\n## ")[0] ?? "").matchAll(/^\| `([a-z]+)` \|/gm)].map(([, room]) => room);
    const folders = fs.readdirSync("src", { withFileTypes: true }).filter((one) => one.isDirectory());
    expect(rooms.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
  });

  test("is read at one sitting: 120 lines of 120 characters", () => {
    const lines = inside.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(120);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });
});

const decisions = fs.readdirSync("docs/decisions").map((name) => `docs/decisions/${name}`);

test.each(["src/README.md", "CONTRIBUTING.md", ...decisions])("%s names only files that exist", (page) => {
  const named = [...fs.readFileSync(page, "utf8").matchAll(/`([a-z-]+(?:\/[a-z-]+)*\/[a-z-]+\.ts)`/g)].map(
    ([, file]) => file ?? "",
  );
  expect(named.filter((file) => !fs.existsSync(file) && !fs.existsSync(`src/${file}`))).toEqual([]);
});

const contributors = [
  "README.md",
  "CONTRIBUTING.md",
  "docs/README.md",
  "docs/commands.md",
  "docs/glossary.md",
  "src/README.md",
];

test.each(contributors)("%s has no paragraph of more than 60 words", (page) => {
  const text = fs.readFileSync(page, "utf8").replace(/^```[\s\S]*?^```$|^(?: {4}|\|).*$/gm, "");
  const paragraphs = text.split(/\n\n+|\n(?=- |\d\. )/);
  expect(paragraphs.filter((paragraph) => paragraph.trim().split(/\s+/).length > 60)).toEqual([]);
});
