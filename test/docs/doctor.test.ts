import fs from "node:fs";
import { expect, it } from "vitest";
import { withFindings } from "../unit/checks/doctor-page.ts";

const page = fs.readFileSync("docs/doctor.md", "utf8");

it("docs/doctor.md has every finding with its fix (renew it: npm run doctor-page)", () =>
  expect(page).toBe(withFindings(page)));

it("no text of a check is missing in docs/doctor.md", () => {
  const sources = fs.readdirSync("src/checks").filter((name) => name.startsWith("judge"));
  const code = sources
    .map((name) => fs.readFileSync(`src/checks/${name}`, "utf8").replaceAll(/^\s*(?:\/\*\*|\*|\/\/|import).*$/gm, ""))
    .join("\n");
  // The parts of each text that do not differ from case to case. What is ok needs no fix, and no row.
  const called = [...code.matchAll(/\b(?:warn|fail)\(([^;]*?)\)[;,\]\n]/g)].map(([, text = ""]) => text);
  const literals = called.flatMap((text) =>
    [...text.matchAll(/"([^"]+)"|`([^`]+)`/g)].map(([, plain, template]) => plain ?? template ?? ""),
  );
  const parts = literals.flatMap((text) => text.split(/\$\{[^}]*\}/)).filter((part) => part.length > 12);
  expect(parts.length).toBeGreaterThan(40);
  for (const part of parts) expect(page).toContain(part);
});
