import { Command } from "commander";
import { describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { buildIdentity, commitOf } from "../../../src/commands/build-identity.ts";
import { runProgram, versionLine } from "../../../src/commands/program.ts";
import { OperationFailed, UsageProblem } from "../../../src/commands/terminal-output.ts";
import { recordedOutput } from "./recorded-output.ts";

const FAULT = new Error("first line\n  second line");

const endings: Readonly<Record<string, () => void>> = {
  fine: () => undefined,
  misused: () => {
    throw new UsageProblem("name the register");
  },
  refused: () => {
    throw new OperationFailed("the daemon does not run; start it");
  },
  broken: () => {
    throw FAULT;
  },
};

async function run(argv: readonly string[], debug = false) {
  const output = recordedOutput();
  const ends = () =>
    new Command("ends")
      .description("ends as told")
      .argument("<how>")
      .option("--json")
      .action((how: string) => endings[how]?.());
  const nested = () => new Command("outer").addCommand(new Command("inner").argument("<what>").action(() => undefined));
  const code = await runProgram(
    { name: "posbridge", description: "A bridge.", commands: [ends, nested] },
    argv,
    output,
    debug,
  );
  return { code, stdout: output.stdout, stderr: output.stderr };
}

describe("the exit code and the one line on stderr", () => {
  it.each([
    [["ends", "fine"], 0, []],
    [["ends", "misused"], 2, ["posbridge: name the register"]],
    [["ends", "refused"], 1, ["posbridge: the daemon does not run; start it"]],
    [["ends", "broken"], 1, ["posbridge: unexpected fault: first line second line (POSBRIDGE_DEBUG=1 shows where)"]],
    [["ends"], 2, ["posbridge: missing required argument 'how'"]],
    [["ends", "fine", "--jsn"], 2, ["posbridge: unknown option '--jsn' (Did you mean --json?)"]],
    [["end", "fine"], 2, ["posbridge: unknown command 'end' (Did you mean ends?)"]],
    [
      ["ends", "fine", "more"],
      2,
      ["posbridge: too many arguments for 'ends'. Expected 1 argument but got 2: fine, more."],
    ],
    [["outer", "inner"], 2, ["posbridge: missing required argument 'what'"]],
  ])("of %j are %i and %j", async (argv, code, stderr) => {
    expect(await run(argv)).toEqual({ code, stdout: [], stderr });
  });

  it("with debug on, a fault of our own shows where it came from", async () => {
    expect(await run(["ends", "broken"], true)).toEqual({ code: 1, stdout: [], stderr: [FAULT.stack] });
  });

  it("of no command at all are 2 and the help", async () => {
    const { code, stdout, stderr } = await run([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: [] });
    expect(stderr.join("\n")).toContain("Usage: posbridge");
  });
});

it("the version names the commit as git tells it, and the kind of machine", async () => {
  const { code, stdout, stderr } = await run(["--version"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
  expect(stdout).toEqual([versionLine("posbridge", buildIdentity())]);
  expect(stdout[0]).toMatch(
    new RegExp(
      `^posbridge ${manifest.version} \\(([0-9a-f]{7,}(\\+changes)?|from source), (linux|win|darwin)-(x64|arm64)\\)$`,
    ),
  );
});

it("a version without a commit says that it is from source", () => {
  expect(versionLine("posbridge-demo", { commit: undefined, target: "linux-arm64" })).toBe(
    `posbridge-demo ${manifest.version} (from source, linux-arm64)`,
  );
  expect(versionLine("posbridge", { commit: "3166fe4", target: "win-x64" })).toBe(
    `posbridge ${manifest.version} (3166fe4, win-x64)`,
  );
  expect(commitOf("/")).toBeUndefined();
});

it("help goes to stdout and lists the commands", async () => {
  const { code, stdout, stderr } = await run(["--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
  expect(stdout.join("\n")).toMatch(/ends.*ends as told/);
});
