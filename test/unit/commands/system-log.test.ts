import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { logsWritten } from "../../../src/commands/system-lines.ts";
import { systemLog } from "../../../src/commands/system-log.ts";
import { UsageProblem } from "../../../src/commands/terminal-output.ts";

const limits = { maxBytes: 65_536, keep: 2, level: "info" } as const;

function folder(): string {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-system-log-"));
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  return made;
}

async function messages(file: string): Promise<readonly string[]> {
  await logsWritten(10_000);
  const lines = fs.readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line): string => JSON.parse(line).msg);
}

it("writes to the configured file in a folder of its own, at the level that counts now", async () => {
  const file = path.join(folder(), "log", "posbridge.log");
  const { log, setLevel } = await systemLog({ ...limits, file }, undefined);
  log.debug({}, "left out");
  log.info({}, "first");
  setLevel?.("debug");
  log.debug({}, "second");
  expect(await messages(file)).toEqual(["first", "second"]);
  expect([fs.statSync(file).mode & 0o777, fs.statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
});

it("keeps the level that the command line says, whatever the configuration says later", async () => {
  const file = path.join(folder(), "posbridge.log");
  const { log, setLevel } = await systemLog({ ...limits, file }, "warn");
  setLevel?.("debug");
  log.info({}, "left out");
  log.warn({}, "told");
  expect(await messages(file)).toEqual(["told"]);
});

it("names a file that cannot be opened, and a level that is none, with the mend", async () => {
  const taken = folder();
  await expect(systemLog({ ...limits, file: taken }, undefined)).rejects.toThrow(
    /^log\.file: .* cannot be opened \(EISDIR.*; name a file in a folder/,
  );
  await expect(systemLog(limits, "loud")).rejects.toThrow(UsageProblem);
});
