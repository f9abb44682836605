import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { driverModels } from "../../drivers/index.ts";

/**
 * What docs/configuration.md says of the models is what the roster has: no model and no option is missing, and none is
 * there that does not exist.
 */
const file = "docs/configuration.md";
const text = fs.readFileSync(file, "utf8");
const rows = text
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.slice(2, -2).split(" | "));
const ids = driverModels.map(({ id }) => id);
const modelRows = rows.filter(
  ([first = "", , connection = ""]) => ids.includes(first.slice(1, -1)) && /`(?:serial|usb|tcp)`/.test(connection),
);
const optionRows = rows
  .filter(([first = ""]) => ids.includes(first.slice(1, -1)))
  .filter((row) => !modelRows.includes(row));

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .replace(/^#+ /, "")
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
}

describe("docs/configuration.md", () => {
  test("has a row for every model of the roster, and for no other", () => {
    expect(modelRows.map(([first]) => first).sort()).toEqual(ids.map((id) => `\`${id}\``).sort());
  });

  test.each(driverModels)(
    "says how $id is connected, and leads to the chapter on what must be on the device",
    ({ id, lines }) => {
      const [, , connection = "", chapter = ""] = modelRows.find(([first]) => first === `\`${id}\``) ?? [];
      const named = [...connection.matchAll(/`([a-z]+)`(?: \(port ([0-9]+))?/g)].map(([, kind, port]) => ({
        kind,
        port,
      }));
      const known = lines.map((line) => ({
        kind: line.kind,
        port: "defaultPort" in line ? String(line.defaultPort) : undefined,
      }));
      const byKind = (a: { readonly kind?: string | undefined }, b: { readonly kind?: string | undefined }): number =>
        (a.kind ?? "") < (b.kind ?? "") ? -1 : 1;
      expect([...named].sort(byKind)).toEqual([...known].sort(byKind));
      const [, target = "", anchor = ""] = /\]\(([^)#]+)#([^)]+)\)/.exec(chapter) ?? [];
      expect(target).toBe(`../drivers/${id}/PROTOCOL.md`);
      const headings = fs.readFileSync(path.join("docs", target), "utf8").match(/^#+ .*$/gm) ?? [];
      expect(headings.map(anchorOf)).toContain(anchor);
    },
  );

  test("has a row for every option of every model with its usual value, and for no other", () => {
    const written = optionRows.map(([model, option, , usual]) => [model, option, usual].join(" "));
    const declared = driverModels.flatMap(({ id, options }) =>
      options.map(({ name, usual }) => `\`${id}\` \`${name}\` ${usual === "" ? "empty" : `\`${usual}\``}`),
    );
    expect([...written].sort()).toEqual([...declared].sort());
  });

  test("links to headings of its own that are there", () => {
    const headings = (text.match(/^#+ .*$/gm) ?? []).map(anchorOf);
    for (const [, anchor] of text.matchAll(/\]\(#([^)]+)\)/g)) expect(headings).toContain(anchor);
  });
});
