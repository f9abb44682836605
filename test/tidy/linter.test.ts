import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

/** Imports against the arrows: where, and what. */
const WRONG_IMPORTS: readonly (readonly [path: string, text: string])[] = [
  ["src/kit/case-1.ts", 'import { a } from "../emv/tlv.ts";\nexport const b = a;\n'],
  ["src/emv/case-2.ts", 'import { a } from "../payment/decide.ts";\nexport const b = a;\n'],
  ["src/payment/case-3.ts", 'import { readFileSync } from "node:fs";\nexport const b = readFileSync;\n'],
  ["src/payment/case-4.ts", 'import { a } from "../engine/engine.ts";\nexport const b = a;\n'],
  ["src/engine/case-5.ts", 'import { a } from "../journal/sqlite-journal.ts";\nexport const b = a;\n'],
  ["src/terminal/case-6.ts", 'import { a } from "../transport/serial.ts";\nexport const b = a;\n'],
  ["src/gateway/case-7.ts", 'import { request } from "undici";\nexport const b = request;\n'],
  ["src/register/case-8.ts", 'import { a } from "../http/server.ts";\nexport const b = a;\n'],
  ["src/register/methods/case-9.ts", 'import { a } from "../../journal/lock.ts";\nexport const b = a;\n'],
  [
    "packages/sandbox/gateway/case-10.ts",
    'import { a } from "../../../src/gateway/gateway.ts";\nexport const b = a;\n',
  ],
  ["packages/sandbox/testbed/case-25.ts", 'import { a } from "../gateway/sandbox.ts";\nexport const b = a;\n'],
  [
    "packages/sandbox/gateway/jobs/case-26.ts",
    'import { a } from "../../../../src/gateway/verdict.ts";\nexport const b = a;\n',
  ],
  [
    "src/commands/payments.ts",
    'const { a } = await import("../../packages/sandbox/gateway/sandbox.ts");\nexport const b = a;\n',
  ],
  ["src/commands/run.ts", 'import { a } from "../../drivers/index.ts";\nexport const b = a;\n'],
  ["src/agent/agent.ts", 'import { a } from "../../packages/sandbox/testbed/dukpt.ts";\nexport const b = a;\n'],
  ["src/main.ts", 'import { a } from "../packages/sandbox/gateway/sandbox.ts";\nexport const b = a;\n'],
  ["drivers/miura-m020/flow.ts", 'import { a } from "../../packages/sandbox/testbed/dukpt.ts";\nexport const b = a;\n'],
  ["drivers/miura-m020/frame.ts", 'import { z } from "zod";\nexport const b = z;\n'],
  [
    "drivers/miura-m020/simulator-device.ts",
    'import { a } from "../../packages/sandbox/gateway/sandbox.ts";\nexport const b = a;\n',
  ],
];

/** Other things that the linter must refuse: where, what, by which rule. */
const WRONG: readonly (readonly [path: string, text: string, rule: string])[] = [
  ["src/kit/case-11.ts", "export const a = setTimeout;\n", "noRestrictedGlobals"],
  ["src/gateway/case-12.ts", 'export const a = fetch("https://a.example");\n', "noRestrictedGlobals"],
  ["drivers/miura-m020/case-13.ts", "export const a = performance;\n", "noRestrictedGlobals"],
  ["src/kit/case-14.ts", "export const a: any = 1;\n", "noExplicitAny"],
  ["src/kit/case-15.ts", "const a = 1;\nexport default a;\n", "noDefaultExport"],
  ["src/kit/case-16.ts", "export const a = (b: string | undefined) => b!.length;\n", "noNonNullAssertion"],
  ["src/kit/case-17.ts", "export const a = (b: unknown) => b as string;\n", "noUnsafeTypeAssertion"],
  [
    "src/kit/case-18.ts",
    "async function a(): Promise<void> {}\nexport function b(): void {\n  a();\n}\n",
    "noFloatingPromises",
  ],
  ["src/kit/case-19.ts", "export enum A {\n  B,\n}\n", "noEnum"],
  ["src/kit/case-20.ts", "export function a(): void {\n  console.log(1);\n}\n", "noConsole"],
  [
    "src/kit/case-21.ts",
    "export function a(b: 1 | 2): number {\n  switch (b) {\n    case 1:\n      return 1;\n  }\n  return 0;\n}\n",
    "useExhaustiveSwitchCases",
  ],
  [
    "src/kit/case-22.ts",
    `export function a(b: () => void): void {\n${"  b();\n".repeat(81)}}\n`,
    "noExcessiveLinesPerFunction",
  ],
  ["test/unit/a.test.ts", 'it.skip("does", () => {});\n', "noSkippedTests"],
];

/** What it must let pass. */
const RIGHT: readonly (readonly [path: string, text: string])[] = [
  ["src/kit/case-23.ts", 'import { b } from "./bytes.ts";\nexport const a = b;\n'],
  [
    "src/transport/serial.ts",
    'import { SerialPort } from "serialport";\nimport { a } from "../terminal/link.ts";\nexport const b = [a, SerialPort];\n',
  ],
  [
    "src/register/methods/case-24.ts",
    'import { z } from "zod";\nimport { a } from "../wire.ts";\nexport const b = [a, z];\n',
  ],
  [
    "drivers/miura-m020/simulator.ts",
    'import { a } from "../../packages/sandbox/testbed/dukpt.ts";\nimport { c } from "./frame.ts";\nexport const b = [a, c];\n',
  ],
  [
    "packages/sandbox/gateway/accounts/case-27.ts",
    'import { a } from "../../testbed/issuer.ts";\nimport { c } from "../../../../src/gateway/parameters/chapter.ts";\nimport { d } from "../ledger/store.ts";\nexport const b = [a, c, d];\n',
  ],
  ["src/commands/simulate.ts", 'import { a } from "../simulator/panel.ts";\nexport const b = a;\n'],
];

let folder = "";
let report = "";

/** A tree of these texts and nothing else, linted once by the project's own rules. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "posbridge-lint-"));
  for (const name of ["biome.json", "package.json"]) copyFileSync(name, join(folder, name));
  for (const [path, text] of [...WRONG_IMPORTS, ...WRONG, ...RIGHT]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: "wx" });
  }
  const options = ["--vcs-enabled=false", "--vcs-use-ignore-file=false", "--reporter=github", "--max-diagnostics=none"];
  report = spawnSync(join(process.cwd(), "node_modules/.bin/biome"), ["lint", ...options, "."], {
    cwd: folder,
    encoding: "utf8",
  }).stdout;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The rules that found something in a file. */
function found(path: string): readonly string[] {
  const lines = report.split("\n").filter((line) => line.includes(`${path},`));
  return lines.flatMap((line) => /title=lint\/\w+\/(\w+)/.exec(line)?.[1] ?? []);
}

it.each(WRONG_IMPORTS)("the import in %s is refused: %j", (path) => {
  expect(found(path)).toContain("noRestrictedImports");
});

it.each(WRONG)("in %s, %j is refused by %s", (path, _, rule) => {
  expect(found(path)).toContain(rule);
});

it.each(RIGHT)("%s passes: %j", (path) => {
  expect(found(path)).toEqual([]);
});
