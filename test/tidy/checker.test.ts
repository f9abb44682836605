import { expect, it } from "vitest";
import { demo, forbiddenIn, shop } from "../../packaging/bundle.ts";
import { rowOf, wrongArrows, wrongPlaces } from "./arrows.ts";
import { bannedWords, emptyName, longFunctions, tooLong } from "./checks.ts";
import { longComments, vagueComments } from "./comments.ts";
import { refusedInPage, refusedWords, termsOf } from "./glossary.ts";
import { deadExports, reachable } from "./reach.ts";
import { importsOf, type SourceFile } from "./tree.ts";

/**
 * A check that never finds anything would pass for ever: each one is shown what it must find, and what it must leave
 * alone.
 */
const file = (path: string, ...lines: readonly string[]): SourceFile => ({ path, text: `${lines.join("\n")}\n` });
const lines = (count: number): readonly string[] => Array.from({ length: count }, () => "  work();");

it("a source file of 401 lines is found, one of 400 is not, and no test is", () => {
  expect(tooLong(file("src/a.ts", ...lines(400)))).toEqual([]);
  expect(tooLong(file("src/a.ts", ...lines(401)))).toEqual([
    "src/a.ts has 401 lines, 400 are allowed; make two things of it",
  ]);
  expect(tooLong(file("test/a.test.ts", ...lines(1_000)))).toEqual([]);
});

it.each([
  "export function run(a: string): void {",
  "export async function run({ a, b }: Options): Promise<void> {",
  "const run = async (a: string): Promise<void> => {",
  "  return rule(slice, ({ gateway }) => {",
  "  close(force: boolean): void {",
])("a function of 81 lines that begins with %j is found, one of 80 is not", (head) => {
  const end = `${/^ */.exec(head)?.[0] ?? ""}}`;
  expect(longFunctions(file("src/a.ts", head, ...lines(78).map((line) => `  ${line}`), end))).toEqual([]);
  expect(longFunctions(file("src/a.ts", head, ...lines(79).map((line) => `  ${line}`), end))).toEqual([
    "src/a.ts:1 a function of 81 lines, 80 are allowed; name its parts",
  ]);
});

it("a long block that is no function is left alone", () => {
  expect(
    longFunctions(file("src/a.ts", "if (a === b) {", ...lines(80), "}", "const table: Table = {", ...lines(80), "};")),
  ).toEqual([]);
});

it.each([
  "src/kit/utils.ts",
  "src/helpers/a.ts",
  "src/payment-manager.ts",
  "src/common/x.ts",
  "test/unit/shared/a.test.ts",
  "src/base.ts",
  "src/date-utils.ts",
])("the name %s is found", (path) => expect(emptyName(file(path))).toHaveLength(1));

it.each(["src/gateway/base-url.ts", "src/engine/terminal/lease.ts", "drivers/miura-m020/shared-memory.ts"])(
  "the name %s is left alone",
  (path) => {
    expect(emptyName(file(path))).toEqual([]);
  },
);

it.each([
  ["// TO", "DO: later"],
  ["/* FIX", "ME */"],
  ["// @ts-", "ignore"],
  ["// @ts-", "expect-error"],
  ["// biome-", "ignore lint: x"],
  ["const a = b as ", "any;"],
  ["it.", "skip('x', () => {});"],
  ["it.", "skipIf(isSlow)('x', () => {});"],
  ["describe.", "only('x', () => {});"],
  ["vi.", "mock('./a.ts');"],
  ["const now = Date.", "now();"],
  ["const at = new ", "Date();"],
  ["const dice = Math.", "random();"],
  ["export ", "default a;"],
  ["export ", "* from './a.ts';"],
  ["process.", "exit(1);"],
])("the banned words %s%s are found with their line", (begin, end) => {
  expect(bannedWords(file("src/a.ts", "", begin + end))).toEqual([expect.stringContaining("src/a.ts:2 ")]);
});

it("banned words are left alone in strings, in other words and where they are allowed", () => {
  expect(
    bannedWords(
      file(
        "src/a.ts",
        'say("the same as any other");',
        "// this skips todos",
        "const at = new Date(0);",
        "item.only(a);",
      ),
    ),
  ).toEqual([]);
  expect(bannedWords(file("src/kit/system-clock.ts", "const now = Date.now();"))).toEqual([]);
  expect(bannedWords(file("src/commands/entry.ts", "process.exit(1);"))).toEqual([]);
});

const glossary = termsOf(
  "| term | meaning | in the code | not |\n| --- | --- | --- | --- |\n| cashier | Who sells. | `cashier` | `sales person`, seller |",
);

it("the glossary's words are read: those in code font are refused", () => {
  expect(glossary).toContainEqual({ term: "cashier", inCode: ["cashier"], refused: ["sales person"] });
});

it.each([
  "/** The sales person sees it. */",
  "// Sales persons",
  "const salesPerson = 1;",
  "const SALES_PERSON = 1;",
  'const a: { "x": SalesPerson } = b;',
])("a refused word is found in %j", (line) => {
  expect(refusedWords(file("src/a.ts", "", line), glossary)).toEqual([
    "src/a.ts:2 sales person: the glossary says cashier",
  ]);
});

it("a refused word is found in a path and in a page's prose, and not in strings, code and other words", () => {
  expect(refusedWords(file("src/sales-person.ts"), glossary)).toEqual([
    "src/sales-person.ts sales-person: the glossary says cashier",
  ]);
  expect(
    refusedWords(file("src/a.ts", 'say("sales person");', "const presalesPersonal = 1; // the seller"), glossary),
  ).toEqual([]);
  expect(refusedInPage(file("a.md", "Of `sales person`,", "the sales person."), glossary)).toEqual([
    "a.md:2 sales person: the glossary says cashier",
  ]);
});

it("every form of import is read, and what stands in comments and strings is not", () => {
  const text = file(
    "src/a/b.ts",
    'import { a } from "./c.ts";',
    'import type { D } from "../d.ts";',
    "import {",
    "  e,",
    "  type F,",
    '} from "../../drivers/e.ts";',
    'import "ws";',
    'export type { G } from "./g.ts";',
    'const { h } = await import("./h.ts");',
    '// import { i } from "./i.ts";',
    "const text = 'import { j } from \"./j.ts\";';",
  );
  expect(importsOf(text)).toEqual([
    { from: "src/a/c.ts", typeOnly: false },
    { from: "src/d.ts", typeOnly: true },
    { from: "drivers/e.ts", typeOnly: false },
    { from: "ws", typeOnly: false },
    { from: "src/a/g.ts", typeOnly: true },
    { from: "src/a/h.ts", typeOnly: false },
  ]);
});

it.each([
  ["src/kit/a.ts", 'import { b } from "../emv/b.ts";'],
  ["src/kit/a.ts", 'import { b } from "node:util";'],
  ["src/payment/a.ts", 'import { b } from "../engine/b.ts";'],
  ["src/payment/a.ts", 'import { b } from "node:crypto";'],
  ["src/engine/a.ts", 'import { b } from "../terminal/status.ts";'],
  ["src/gateway/a.ts", 'import { b } from "../journal/b.ts";'],
  ["src/gateway/a.ts", 'import { request } from "undici";'],
  ["src/register/methods/a.ts", 'import { b } from "../../http/server.ts";'],
  ["drivers/x/flow.ts", 'import { b } from "../../src/transport/serial.ts";'],
  ["drivers/x/flow.ts", 'import { b } from "../../packages/sandbox/testbed/dukpt.ts";'],
  ["drivers/x/flow.ts", 'import { z } from "zod";'],
  ["drivers/x/simulator.ts", 'import { b } from "../../packages/sandbox/gateway/server.ts";'],
  ["packages/sandbox/testbed/a.ts", 'import { b } from "../gateway/b.ts";'],
  ["packages/sandbox/gateway/a.ts", 'import { b } from "../../../src/gateway/verdict.ts";'],
  ["drivers/x/flow.ts", 'import { b } from "../y/flow.ts";'],
  ["drivers/vipa/frame.ts", 'import { b } from "../miura-m020/frame.ts";'],
])("in %s the arrow of %s is found", (path, statement) => {
  const bad = file(path, statement);
  expect(wrongArrows(bad, importsOf(bad))).toHaveLength(1);
});

it.each([
  ["src/kit/secret.ts", 'import { b } from "node:util";'],
  ["src/engine/a.ts", 'import type { B } from "../terminal/status.ts";'],
  ["src/register/methods/a.ts", 'import { b } from "../wire.ts";'],
  ["src/gateway/https.ts", 'import { request } from "undici";'],
  ["drivers/x/simulator-device.ts", 'import { b } from "../../packages/sandbox/testbed/dukpt.ts";'],
  ["drivers/x/flow.ts", 'import { b } from "../vipa/frame.ts";'],
  ["packages/sandbox/gateway/jobs/a.ts", 'import { b } from "../../testbed/b.ts";'],
  ["src/agent/agent.ts", 'import { b } from "../journal/b.ts";'],
])("in %s the arrow of %s is allowed", (path, statement) => {
  const good = file(path, statement);
  expect(wrongArrows(good, importsOf(good))).toEqual([]);
});

it("a folder that nobody thought of has no arrows, and says so", () => {
  expect(rowOf("src/newfolder/a.ts")).toBeUndefined();
  expect(rowOf("src/register/methods/a.ts")).toBe("src/register");
  expect(rowOf("src/gateway/parameters/a.ts")).toBe("src/gateway/parameters");
  expect(rowOf("drivers/x/simulator-device.ts")).toBe("drivers/*/simulator*.ts");
});

it("a package outside its one place is found", () => {
  const bad = file(
    "src/commands/run.ts",
    'import { Agent } from "undici";',
    'import { DatabaseSync } from "node:sqlite";',
    'import { Command } from "commander";',
  );
  expect(wrongPlaces(bad, importsOf(bad))).toEqual([
    "src/commands/run.ts imports undici",
    "src/commands/run.ts imports node:sqlite",
  ]);
});

it("a program reaches what it imports at last, lazily too, and not what it names as a type", () => {
  const files = [
    file("src/main.ts", 'import { a } from "./a.ts";'),
    file("src/a.ts", 'const { b } = await import("./b.ts");', 'import type { C } from "./c.ts";'),
    file("src/b.ts"),
    file("src/c.ts"),
  ];
  expect([...reachable(["src/main.ts"], new Map(files.map((one) => [one.path, one])))].sort()).toEqual([
    "src/a.ts",
    "src/b.ts",
    "src/main.ts",
  ]);
});

it("an export that nobody imports is found, a type of an exported function is left alone", () => {
  const files = [
    file(
      "src/a.ts",
      "export const used = 1;",
      "export const unused = 2;",
      "export interface Shape {}",
      "export function make(): Shape {}",
      "export type Dead = 1;",
    ),
    file("src/b.ts", 'import { used, make } from "./a.ts";', "const unusedElsewhere = 1;"),
    file("src/c.ts", "const unused = 3;"),
  ];
  expect(deadExports(files, new Set())).toEqual([
    "src/a.ts exports unused, which nothing imports",
    "src/a.ts exports Dead, which nothing imports",
  ]);
});

it("a simulator in a shop's bundle is found, in the demo's it belongs", () => {
  const sources = [
    "src/main.ts",
    "packages/sandbox/gateway/server.ts",
    "packages/sandbox/testbed/dukpt.ts",
    "drivers/miura-m020/simulator-device.ts",
    "drivers/miura-m020/driver.ts",
    "node_modules/ws/index.js",
  ];
  expect(forbiddenIn(shop, sources)).toEqual([
    "packages/sandbox/gateway/server.ts",
    "packages/sandbox/testbed/dukpt.ts",
    "drivers/miura-m020/simulator-device.ts",
  ]);
  expect(forbiddenIn(demo, sources)).toEqual([]);
});

const words = (count: number): string => Array.from({ length: count }, () => "word").join(" ");

it("a comment of 41 words is found, at a file's head one of 81", () => {
  const code = "const a = 1;";
  expect(
    longComments(file("src/a.ts", code, `/** ${words(40)} */`, code, `// ${words(20)}`, `// ${words(20)}`, code)),
  ).toEqual([]);
  expect(longComments(file("src/a.ts", code, `/** ${words(41)} */`))).toEqual([
    "src/a.ts:2 a comment of 41 words, 40 are allowed; say why, in one thought",
  ]);
  expect(longComments(file("src/a.ts", code, `// ${words(20)}`, `// ${words(21)}`))).toHaveLength(1);
  expect(longComments(file("src/a.ts", 'import { a } from "./a.ts";', `/* ${words(80)} */`, code))).toEqual([]);
  expect(longComments(file("src/a.ts", `/* ${words(81)} */`, code))).toHaveLength(1);
  expect(longComments(file("src/a.ts", code, `const text = "/* ${words(90)} */";`))).toEqual([]);
});

it("a comment that begins with What is found, one that names a thing is not", () => {
  expect(vagueComments(file("src/a.ts", "/** What is left of it. */", "const a = 1;", "/** The rest. */"))).toEqual([
    'src/a.ts:1 begins with "What"; begin with the thing itself',
  ]);
});
