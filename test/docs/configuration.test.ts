import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { withReference } from "../../src/config/reference-page.ts";
import { configurationTables } from "../../src/config/reference-tables.ts";

const page = fs.readFileSync("docs/configuration.md", "utf8");
const rows = configurationTables().flatMap((table) => table.rows);

describe("docs/configuration.md", () => {
  test("has the tables that the schema makes (renew them: npm run configuration-page)", () => {
    expect(page).toBe(withReference(page));
  });

  test("says what every key means, in sentences", () => {
    for (const { key, meaning } of rows) expect(meaning, key).toMatch(/^(?:[A-Z]|pos\.|dual:).*\.$/);
  });

  test("says of every key when a change of it counts", () => {
    for (const { key, reload, usual } of rows.filter((row) => row.usual !== "" && row.key !== "terminals[].connection"))
      expect(reload, `${key} ${usual}`).not.toBe("");
    expect(rows.find(({ key }) => key === "listen.port")?.reload).toBe("at the next start");
    expect(rows.find(({ key }) => key === "terminals[].model")?.reload).toBe("on reload");
  });

  test("has no key twice", () => {
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  test("shows examples that YAML reads as they stand", () => {
    for (const { key, example } of rows.filter((row) => row.example !== ""))
      expect(() => parse(example.slice(1, -1)), key).not.toThrow();
    expect(parse(rows.find(({ key }) => key === "terminals[].terminalId")?.example.slice(1, -1) ?? "")).toBe(
      "12345678",
    );
  });
});

test("a page without the places of the tables is not renewed", () => {
  expect(() => withReference("# The configuration\n")).toThrow(/lacks the lines/);
});
