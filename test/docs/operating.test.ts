import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

/** The page for a technician at night: its words are those of the program, its alarms are all there, and it can be read at a glance. */
const page = fs.readFileSync("docs/operating.md", "utf8");

function sourcesOf(folder: string): string {
  const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  return files.map((file) => fs.readFileSync(path.join(folder, file), "utf8")).join("\n");
}
const sources = `${sourcesOf("src")}\n${sourcesOf("drivers")}`;

function section(title: string): string {
  const [, text = ""] = page.split(`\n## ${title}\n`);
  return text.split("\n## ")[0] ?? "";
}

/** Cells of a section's tables, by rows. */
function rowsOf(title: string): readonly (readonly string[])[] {
  const rows = [...section(title).matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) => row.split(" | "));
  return rows.filter(([first = ""]) => !/^(what you see|the line says|---)/.test(first));
}

const quotesIn = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);

describe.each(["Alarms and what to do", "Troubleshooting by symptom"])("%s", (title) => {
  const quotes = rowsOf(title).flatMap(([first = ""]) => quotesIn(first));

  test("has rows", () => expect(quotes.length).toBeGreaterThan(25));

  test("quotes what the program says", () => {
    // Names of configuration keys and commands are what other cells have; the first one has words of the program alone.
    expect(quotes.filter((quote) => !sources.includes(quote) && quote !== "environment: test")).toEqual([]);
  });

  test("says what to do in every row", () => {
    for (const row of rowsOf(title)) expect(row.at(-1)?.trim() === "" ? row[0] : "**", row[0]).toMatch(/^\*\*/);
  });
});

/** Where alarms have their words. */
const alarming = ["alarms", "deletions", "mailbox"].map((name) => fs.readFileSync(`src/engine/${name}.ts`, "utf8")).join("\n");

test("what a technician sees of a life in a shop is what the program says", () => {
  const [, table = ""] = page.split("\n### Life in a shop\n");
  const rows = [...(table.split("\n## ")[0] ?? "").matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) => row.split(" | "));
  const quotes = rows.flatMap((row) => quotesIn(row.at(-1) ?? ""));
  expect(quotes.length).toBeGreaterThan(10);
  expect(quotes.filter((quote) => !sources.includes(quote) && !quote.startsWith("process_"))).toEqual([]);
});

test("every alarm and every line of the level error has its row", () => {
  const alarms = [...alarming.matchAll(/\bwhat(?::| =) (?:[^"`,;]*\? )?["`]([^"`]+)["`](?: : "([^"]+)")?/g)].flatMap(([, one, other]) => [one, other]);
  const lines = [...sourcesOf("src").matchAll(/\blog\.error\([^;"`]*"([^"]+)",?\s*\)/g)].map(([, line]) => line);
  const said = [...alarms, ...lines].filter((text) => text !== undefined);
  expect(said.length).toBeGreaterThan(30);
  const quotes = rowsOf("Alarms and what to do").flatMap(([first = ""]) => quotesIn(first));
  const missing = said.filter((text) => {
    const parts = text.split(/\$\{[^}]*\}/).map((part) => part.trim());
    return !quotes.some((quote) => parts.some((part) => part.includes(quote) || (part.length > 12 && quote.includes(part))));
  });
  expect(missing).toEqual([]);
});

test("no paragraph is longer than 60 words, and the page is one that is read", () => {
  const withoutBlocks = page.replace(/```[\s\S]*?```/g, "").replace(/^( {4}|\|).*$/gm, "");
  const paragraphs = withoutBlocks.split(/\n\n+|\n(?=\d\. )/);
  expect(paragraphs.filter((paragraph) => paragraph.split(/\s+/).length > 60)).toEqual([]);
  expect(page.split("\n").length).toBeLessThan(320);
});
