import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Command } from "commander";
import { describe, expect, it, onTestFinished } from "vitest";
import { driverModels } from "../../../drivers/index.ts";
import {
  type DataFolderOptions,
  dataFolderOf,
  withConfiguration,
  withDataFolder,
} from "../../../src/commands/data-folder-option.ts";
import { paymentsCommand } from "../../../src/commands/payments.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { shopCommands } from "../../../src/commands/shop.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { SMALLEST } from "../config/surroundings.ts";
import { recordedOutput } from "./recorded-output.ts";

const folder = fs.mkdtempSync(path.join(tmpdir(), "posbridge-option-"));
process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }));

function configuration(text: string): string {
  const file = path.join(fs.mkdtempSync(path.join(folder, "shop-")), "posbridge.yaml");
  fs.writeFileSync(file, text, { mode: 0o600 });
  return file;
}

async function folderOf(options: DataFolderOptions) {
  const output = recordedOutput();
  const found = await dataFolderOf(options, output).catch((cause: unknown) => ({
    refused: cause instanceof Error ? cause.message : String(cause),
  }));
  return { found, stderr: output.stderr };
}

describe("the data folder of a command", () => {
  it("is the one that --data names, as it is written", async () => {
    expect(await folderOf({ data: "./data" })).toEqual({ found: "./data", stderr: [] });
  });

  it("is the dataDir of the configuration, relative to that file", async () => {
    const named = configuration(`${SMALLEST}dataDir: ../other/data\n`);
    expect(await folderOf({ config: named })).toEqual({ found: path.join(folder, "other", "data"), stderr: [] });
    const usual = configuration(SMALLEST);
    expect(await folderOf({ config: path.relative(process.cwd(), usual) })).toEqual({
      found: path.join(path.dirname(usual), "data"),
      stderr: [],
    });
  });

  it("is known also where the service's secrets and devices are not: an operator's shell has no GATEWAY_TOKEN", async () => {
    const file = configuration(
      SMALLEST.replace("accessTokenFile: ./gateway-token", "accessTokenEnv: GATEWAY_TOKEN").replace(
        "miura-m020",
        "of a newer version",
      ),
    );
    expect((await folderOf({ config: file })).found).toBe(path.join(path.dirname(file), "data"));
  });

  it("may be named by both where they agree", async () => {
    const file = configuration(SMALLEST);
    const data = path.join(path.dirname(file), "data");
    fs.mkdirSync(data);
    expect((await folderOf({ data, config: file })).found).toBe(data);
    const other = path.dirname(file);
    expect((await folderOf({ data: other, config: file })).found).toEqual({
      refused: `--data ${other} is not the dataDir of ${file} (${data}); name the configuration of that data folder`,
    });
  });

  it("has to be named", async () => {
    const refused = "name the data folder by --data DIR, or the bridge's configuration by --config FILE";
    expect(await folderOf({})).toEqual({ found: { refused }, stderr: [] });
  });

  it.each([
    [
      "a key that is none: it may be meant for this",
      `${SMALLEST}datadir: ./elsewhere\n`,
      ":14: datadir: is not a known key; did you mean dataDir?",
    ],
    ["an empty dataDir", `${SMALLEST}dataDir: ""\n`, ":14: dataDir: is empty; name a file or folder"],
    ["a file that is no configuration", "services: [till]\n", ":1: environment: is missing; add it"],
    ["a file that is no mapping", "- a\n", ": must be a mapping (key: value); indent its keys below it"],
    ["an empty file", "", ": is empty; begin with the example"],
    ["broken YAML", "environment: {\n", ": "],
  ])("is not taken from %s", async (_what, text, problem) => {
    const file = configuration(text);
    const { found, stderr } = await folderOf({ config: file });
    expect(found).toEqual({ refused: expect.stringContaining(`then try: posbridge check-config ${file}`) });
    expect(stderr.join("\n")).toContain(problem);
  });

  it("where it is not taken, all that the file's text shows to be wrong is told, as by check-config", async () => {
    const file = configuration(
      `${SMALLEST.replace("country: DE", "country: de")}datadir: ./elsewhere\norigins: none\n`,
    );
    const { stderr } = await folderOf({ config: file });
    expect(stderr.map((line) => line.slice(file.length, line.indexOf(": ", file.length + 5)))).toEqual([
      ":4: merchant.country",
      ":14: datadir",
      ":15: origins",
    ]);
  });

  it("is not taken from a configuration that others may change", async () => {
    const file = configuration(SMALLEST);
    fs.chmodSync(file, 0o666);
    expect((await folderOf({ config: file })).stderr).toEqual([
      `${file}: may be changed by others (mode 0666); run: chmod go-w ${file}`,
    ]);
  });

  it("is that of the configuration at a usual place where nothing is said, as with run", async () => {
    const file = configuration(SMALLEST);
    const seen: DataFolderOptions[] = [];
    const run = (wrapped: typeof withDataFolder, places: readonly string[], ...argv: readonly string[]) =>
      wrapped(new Command("x").exitOverride(), places)
        .action((options: DataFolderOptions) => void seen.push(options))
        .parseAsync([...argv], { from: "user" });
    await run(withDataFolder, ["/nowhere/posbridge.yaml", file]);
    await run(withConfiguration, [file]);
    await run(withDataFolder, [file], "--data", "./data");
    await run(withDataFolder, [file], "--config", "./other.yaml");
    expect(seen).toEqual([{ config: file }, { config: file }, { data: "./data" }, { config: "./other.yaml" }]);
    await expect(run(withConfiguration, ["/nowhere/a", "./b"])).rejects.toThrow(
      /^no configuration is at \/nowhere\/a or \.\/b: name one by --config FILE$/,
    );
  });

  it("is asked for by no command", () => {
    const commands = shopCommands(driverModels).map((command) => command(recordedOutput()));
    const all = commands.flatMap((command) => [command, ...command.commands]);
    const demanding = all.filter(({ options }) =>
      options.some(({ long, mandatory }) => long === "--config" && mandatory),
    );
    expect(demanding.map((command) => command.name())).toEqual([]);
  });

  it("is where payments list reads", async () => {
    const file = configuration(SMALLEST);
    const journal = await openJournal({
      dataDir: path.join(path.dirname(file), "data"),
      environment: "test",
      clock: systemClock,
      random: systemRandom,
    });
    onTestFinished(() => journal.close());
    const output = recordedOutput();
    const line = { name: "posbridge", description: "", commands: [() => paymentsCommand(output)] };
    expect(await runProgram(line, ["payments", "list", "--json", "--config", file], output, false)).toBe(0);
    expect(JSON.parse(output.stdout.join("\n"))).toEqual({ payments: [] });
  });
});
