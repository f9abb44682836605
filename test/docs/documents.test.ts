import fs from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import manifest from "../../package.json" with { type: "json" };
import { demoCommand } from "../../src/commands/demo.ts";
import { sandboxCommand } from "../../src/commands/sandbox.ts";
import { shopCommands } from "../../src/commands/shop.ts";
import { simulateCommand } from "../../src/commands/simulate.ts";
import type { Output } from "../../src/commands/terminal-output.ts";
import { methods } from "../../src/register/rpc/method-registry.ts";

/**
 * What the documents say must be so: links lead somewhere, commands exist with the options that are named, and frames
 * are what the bridge takes.
 */
const pages = fs.globSync("docs/**/*.md").map((file) => file.replaceAll("\\", "/"));
const readmes = fs
  .globSync(["*.md", "src/**/*.md", "drivers/*.md", "packages/*/*.md"])
  .map((file) => file.replaceAll("\\", "/"));
const documents = [...readmes, ...pages].map((file) => ({
  file,
  text: fs.readFileSync(file, "utf8"),
}));

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .replace(/^#+ /, "")
    .toLowerCase()
    .replace(/\]\([^)]*\)/g, "")
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

const silent: Output = {
  out: () => undefined,
  err: () => undefined,
  tty: false,
  stopped: new Promise(() => undefined),
};
const commands = [demoCommand, ...shopCommands([]), sandboxCommand, simulateCommand].map((make) => make(silent));

/**
 * The command that words begin with, and those below it that the further words name; its options may be said to them
 * too.
 */
function commandsNamed([first, ...others]: readonly string[]): readonly Command[] {
  const command = commands.find((one) => one.name() === first);
  const below = (path: readonly Command[], word: string): readonly Command[] => [
    ...path,
    ...(path.at(-1)?.commands.filter((one) => one.name() === word) ?? []),
  ];
  return command === undefined ? [] : others.reduce(below, [command]);
}

describe.each(documents)("$file", ({ file, text }) => {
  test("links to files that are there", () => {
    const links = [...text.matchAll(/\]\(([^)#]+)\)/g)]
      .map(([, target]) => target ?? "")
      .filter((target) => !target.startsWith("http"));
    for (const link of links) expect(fs.existsSync(path.join(path.dirname(file), link)), link).toBe(true);
  });

  test("links to headings that are there", () => {
    for (const [, target = "", anchor = ""] of text.matchAll(/\]\(([^)#:]*\.md)?#([^)]+)\)/g)) {
      const page = target === "" ? file : path.join(path.dirname(file), target);
      const headings = fs.readFileSync(page, "utf8").match(/^#+ .*$/gm) ?? [];
      expect(headings.map(anchorOf), `${page}#${anchor}`).toContain(anchor);
    }
  });

  test("names only npm scripts that exist", () => {
    const named = [...text.matchAll(/npm run ([a-z-]+)/g)].map(([, name]) => name ?? "");
    for (const name of named) expect(Object.keys(manifest.scripts), name).toContain(name);
  });

  test("names only commands that exist, with options that they have", () => {
    const lines = [
      ...text.matchAll(
        /(?:^|[\s`])(?:posbridge|npm run posbridge --) ([a-z][a-z-]*(?: [a-z][a-z-]*)*)((?:(?! posbridge )[^\n`|])*)/g,
      ),
    ];
    for (const [line, words = "", rest = ""] of lines) {
      const named = commandsNamed(words.split(" "));
      if (named.length === 0) continue;
      const options = named.flatMap((command) => command.options.map((option) => option.long));
      for (const [option] of rest.matchAll(/--[a-z][a-z-]*/g))
        expect([...options, "--help"], `${line.trim()}: ${option}`).toContain(option);
    }
  });

  test("names only metrics that exist", () => {
    const files = fs.readdirSync("src/observe").filter((name) => name.startsWith("metrics"));
    const source = files.map((name) => fs.readFileSync(`src/observe/${name}`, "utf8")).join("\n");
    for (const [, metric = ""] of text.matchAll(/`(posbridge_[a-z_]+)/g)) expect(source).toContain(`"${metric}"`);
  });

  test("shows frames that the bridge takes", () => {
    const frames = [...text.matchAll(/^(?:→ )?(\{"jsonrpc":"2\.0","id":\d+,"method":.*\})$/gm)].map(
      ([, frame]) => frame ?? "",
    );
    const schema = z.object({ method: z.string(), params: z.json() });
    for (const frame of frames) {
      const { method: name, params } = schema.parse(JSON.parse(frame));
      const method = methods.find((one) => one.name === name);
      expect(method, name).toBeDefined();
      expect(method?.params.safeParse(params).success, frame).toBe(true);
    }
  });
});

test("the table of commands is the command line's own", () => {
  const page = fs.readFileSync("docs/commands.md", "utf8");
  const named = new Set([...page.matchAll(/^\| `([a-z-]+)/gm)].map(([, name]) => name ?? ""));
  expect([...named].sort()).toEqual(commands.map((command) => command.name()).sort());
});

test("docs/README.md leads to every page, and the one of decisions to every decision", () => {
  for (const folder of ["docs", "docs/decisions"]) {
    const index = fs.readFileSync(`${folder}/README.md`, "utf8");
    const names = fs.readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
    expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  }
});
