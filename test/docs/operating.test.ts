import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

/**
 * The pages for a technician at night: their words are those of the program, all alarms are there, and they can be read
 * at a glance.
 */
const operating = fs.readFileSync("docs/operating.md", "utf8");
const troubleshooting = fs.readFileSync("docs/troubleshooting.md", "utf8");
const byItself = fs.readFileSync("docs/by-itself.md", "utf8");

function sourcesOf(folder: string): string {
  const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  return files.map((file) => fs.readFileSync(path.join(folder, file), "utf8")).join("\n");
}
const sources = ["src", "drivers", "packages"].map(sourcesOf).join("\n");

/** Cells of a section's tables, by rows. */
function rowsOf(page: string, title: string): readonly (readonly string[])[] {
  const [, text = ""] = page.split(`\n## ${title}\n`);
  const rows = [...(text.split("\n## ")[0] ?? "").matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) => row.split(" | "));
  return rows.filter(([first = ""]) => !/^(what you see|what happens|the line says|---)/.test(first));
}

const quotesIn = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);

const alarmRows = rowsOf(operating, "Alarms and what to do");
const errorRows = rowsOf(troubleshooting, "Errors in the log");

describe.each([
  { title: "Alarms and what to do", rows: alarmRows, least: 25 },
  { title: "Troubleshooting by symptom", rows: rowsOf(troubleshooting, "Troubleshooting by symptom"), least: 25 },
  { title: "Errors in the log", rows: errorRows, least: 5 },
])("$title", ({ rows, least }) => {
  const quotes = rows.flatMap(([first = ""]) => quotesIn(first));

  test("has rows", () => expect(quotes.length).toBeGreaterThan(least));

  test("quotes what the program says", () => {
    // Names of configuration keys and commands are what other cells have; the first one has words of the program alone.
    expect(quotes.filter((quote) => !sources.includes(quote) && quote !== "environment: test")).toEqual([]);
  });

  test("says what to do in every row", () => {
    for (const row of rows) expect(row.at(-1)?.trim() === "" ? row[0] : "**", row[0]).toMatch(/^\*\*/);
  });
});

/** Where alarms have their words. */
const alarming = ["shell/alarms", "gateway/deletions", "shell/mailbox"]
  .map((name) => fs.readFileSync(`src/engine/${name}.ts`, "utf8"))
  .join("\n");

test("what a technician sees of a life in a shop is what the program says", () => {
  const quotes = rowsOf(byItself, "Life in a shop").flatMap((row) => quotesIn(row.at(-1) ?? ""));
  expect(quotes.length).toBeGreaterThan(10);
  expect(quotes.filter((quote) => !sources.includes(quote) && !quote.startsWith("process_"))).toEqual([]);
});

test("every alarm and every line of the level error has its row", () => {
  const alarms = [...alarming.matchAll(/\bwhat(?::| =) (?:[^"`,;]*\? )?["`]([^"`]+)["`](?: : "([^"]+)")?/g)].flatMap(
    ([, one, other]) => [one, other],
  );
  const lines = [...sourcesOf("src").matchAll(/\blog\.error\([^;"`]*"([^"]+)",?\s*\)/g)].map(([, line]) => line);
  const said = [...alarms, ...lines].filter((text) => text !== undefined);
  expect(said.length).toBeGreaterThan(30);
  const quotes = [...alarmRows, ...errorRows].flatMap(([first = ""]) => quotesIn(first));
  const missing = said.filter((text) => {
    const parts = text.split(/\$\{[^}]*\}/).map((part) => part.trim());
    return !quotes.some((quote) =>
      parts.some((part) => part.includes(quote) || (part.length > 12 && quote.includes(part))),
    );
  });
  expect(missing).toEqual([]);
});

test("no paragraph is longer than 60 words", () => {
  for (const page of [operating, troubleshooting, byItself]) {
    const withoutBlocks = page.replace(/```[\s\S]*?```/g, "").replace(/^( {4}|\|).*$/gm, "");
    const paragraphs = withoutBlocks.split(/\n\n+|\n(?=\d\. )/);
    expect(paragraphs.filter((paragraph) => paragraph.split(/\s+/).length > 60)).toEqual([]);
  }
});

test("the page on operating is one that is read: at most 2,150 words", () => {
  expect(operating.split(/\s+/).length).toBeLessThanOrEqual(2150);
});
