import { expect, it } from "vitest";
import { licensesCommand } from "../../../src/commands/licenses.ts";
import { recordedOutput } from "./recorded-output.ts";

async function licenses(...argv: readonly string[]) {
  const output = recordedOutput();
  await licensesCommand(output)
    .exitOverride()
    .parseAsync([...argv], { from: "user" });
  return output.stdout;
}

it("a checkout lists the product, Node and the packages that it uses, once each, and none that builds or tests", async () => {
  const lines = await licenses();
  expect(lines[0]).toMatch(/^package +version +license$/);
  for (const line of [
    /^posbridge .* Apache-2\.0$/,
    /^node +24\.\S+ +MIT$/,
    /^zod .* MIT$/,
    /^fast-uri .* BSD-3-Clause$/,
  ])
    expect(lines.some((one) => line.test(one))).toBe(true);
  expect(lines.filter((line) => /^(vitest|esbuild) /.test(line))).toEqual([]);
  expect(new Set(lines).size).toBe(lines.length);
});

it("a name gives the text of its license", async () => {
  expect((await licenses("zod")).join("\n")).toMatch(/^zod \S+ \(MIT\)\n\nMIT License\n\nCopyright/);
  expect((await licenses("node")).join("\n")).toContain("Node.js is licensed for use as follows");
});

it("--json lists without texts, and one package with its text", async () => {
  const all: unknown = JSON.parse((await licenses("--json")).join("\n"));
  expect(all).toContainEqual({ name: "posbridge", version: expect.any(String), license: "Apache-2.0" });
  const one: unknown = JSON.parse((await licenses("commander", "--json")).join("\n"));
  expect(one).toEqual([
    {
      name: "commander",
      version: expect.any(String),
      license: "MIT",
      text: expect.stringContaining("(The MIT License)"),
    },
  ]);
});

it("a package that is not inside is refused", async () => {
  await expect(licenses("left-pad")).rejects.toThrow("no package left-pad is inside: posbridge licenses lists them");
});
