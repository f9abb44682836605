import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/*
 * `npm run new-driver acme-t100` in a copy of the product: what it makes must compile, pass what every driver owes, and
 * fail where something is to be built.
 */

const PARTS = [
  "src",
  "drivers",
  "packages",
  "test",
  "scaffolding",
  "packaging",
  "config",
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
  "biome.json",
  ".gitignore",
];
const MINUTES = 60_000;
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "posbridge-new-driver-"));
  for (const part of PARTS) cpSync(part, join(folder, part), { recursive: true });
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...command: readonly string[]): { readonly code: number | null; readonly said: string } {
  const [name = "", ...args] = command;
  const { status, stdout, stderr } = spawnSync(join(folder, "node_modules/.bin", name), args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", CI: "true" },
  });
  return { code: status, said: `${stdout}${stderr}` };
}

test("a name that is none, or is there already, is refused", () => {
  expect(run("node", "scaffolding/new-driver.ts", "Acme T100")).toMatchObject({
    code: 2,
    said: expect.stringContaining("for example acme-t100"),
  });
  expect(run("node", "scaffolding/new-driver.ts", "miura-m020")).toMatchObject({
    code: 1,
    said: expect.stringContaining("is there already"),
  });
  expect(run("node", "scaffolding/new-driver.ts", "acme-t100", "--title", "`")).toMatchObject({
    code: 2,
    said: expect.stringContaining("--title"),
  });
  expect(run("node", "scaffolding/new-driver.ts", "--help")).toMatchObject({
    code: 0,
    said: expect.stringContaining("Example: npm run new-driver acme-t100"),
  });
});

test(
  "the skeleton compiles, keeps the contract, and fails the stories that are to be built",
  () => {
    const made = run("node", "scaffolding/new-driver.ts", "acme-t100", "--title", "ACME T-100");
    expect(made).toMatchObject({ code: 0, said: expect.stringContaining("drivers/acme-t100/driver.ts") });
    const driver = readFileSync(join(folder, "drivers/acme-t100/driver.ts"), "utf8");
    for (const line of ['title: "ACME T-100",', "\n  wire,\n"]) expect(driver).toContain(line);
    expect(readFileSync(join(folder, "drivers/index.ts"), "utf8")).toContain("acmeT100]");
    expect(
      run(
        "biome",
        "check",
        "--write",
        "drivers/acme-t100",
        "drivers/index.ts",
        "drivers/simulators.ts",
        "test/drivers/models.ts",
        "test/drivers/models/acme-t100.ts",
        "test/unit/drivers/acme-t100",
      ),
    ).toMatchObject({ code: 0 });
    expect(run("tsc", "--noEmit")).toEqual({ code: 0, said: "" });
    const suite = run(
      "vitest",
      "run",
      "test/drivers/conformance.test.ts",
      "test/drivers/sale.test.ts",
      "test/drivers/inferred.test.ts",
      "test/unit/drivers/acme-t100",
      "-t",
      "ACME T-100|acme-t100|frame|bytes",
      "--reporter",
      "verbose",
    );
    expect(suite.code).toBe(1);
    const passed = suite.said.split("\n").filter((line) => line.includes("✓") && /ACME T-100|acme-t100/.test(line));
    const failed = suite.said.split("\n").filter((line) => line.includes("×") && /ACME T-100|acme-t100/.test(line));
    expect(passed.join("\n")).toContain("ends every command exactly once by the time the link is closed");
    expect(failed.join("\n")).toContain("a sale is approved by card and device");
    expect(failed.join("\n")).not.toMatch(/conformance.test.ts|inferred.test.ts/);
  },
  4 * MINUTES,
);
