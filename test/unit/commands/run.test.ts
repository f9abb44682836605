import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { driverModels } from "../../../drivers/index.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { runCommand } from "../../../src/commands/run.ts";
import { logsWritten } from "../../../src/commands/system-lines.ts";
import { SMALLEST } from "../config/surroundings.ts";
import { freshFolder } from "../journal/folder.ts";
import { recordedOutput } from "./recorded-output.ts";

it("a start that fails says why in the configured log's file too", async () => {
  const folder = freshFolder();
  const file = path.join(folder, "posbridge.yaml");
  const log = path.join(folder, "log", "posbridge.log");
  fs.writeFileSync(path.join(folder, "gateway-token"), "the-token", { mode: 0o600 });
  fs.writeFileSync(
    file,
    `${SMALLEST.replace("/dev/ttyACM0", "./no-such-device")}log: { file: ./log/posbridge.log }\n`,
    { mode: 0o600 },
  );
  const output = recordedOutput();
  const line = { name: "posbridge", description: "", commands: [() => runCommand(output, driverModels)] };
  expect(await runProgram(line, ["run", "--config", file], output, false)).toBe(2);
  const [said = ""] = output.stderr;
  expect(said).toMatch(/^posbridge: terminal till-1: no device at .*no-such-device/);
  await logsWritten(10_000);
  expect(JSON.parse(fs.readFileSync(log, "utf8"))).toMatchObject({
    level: "error",
    problem: said.replace(/^posbridge: /, ""),
    msg: "the bridge does not start",
  });
});
