import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/commands/program.ts";
import { stopCommand } from "../../../src/commands/stop.ts";
import { isWrittenAsFile, stopSignals } from "../../../src/commands/system-output.ts";
import { serveControl } from "../../../src/control/server.ts";
import { startedBySystemd, stopHandlers } from "../../../src/control/stop.ts";
import { prepareDataFolder } from "../../../src/journal/data-folder.ts";
import { lockDataFolder } from "../../../src/journal/lock.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";
import { recordedOutput } from "./recorded-output.ts";

function folder(): string {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-stop-"));
  onTestFinished(() => fs.rmSync(made, { recursive: true }));
  fs.chmodSync(made, 0o700);
  return made;
}

async function stop(dataDir: string) {
  const output = recordedOutput();
  const code = await runProgram(
    { name: "posbridge", description: "", commands: [stopCommand] },
    ["stop", "--data", dataDir],
    output,
    false,
  );
  return { code, stdout: output.stdout, stderr: output.stderr };
}

it("stop asks the bridge by its control channel, says who asked, and returns once the folder is free", async () => {
  const dataDir = folder();
  const lock = lockDataFolder(prepareDataFolder(dataDir));
  const lines: object[] = [];
  const log = { info: (fields: object, message: string) => void lines.push({ ...fields, message }) };
  let isFreed = false;
  const end = (): void => {
    setImmediate(() => {
      lock.release();
      isFreed = true;
    });
  };
  const server = await serveControl({
    dataDir,
    clock: systemClock,
    handlers: { ...refusingHandlers, ...stopHandlers(end, 4711, log) },
    problem: (error) => expect(error).toBeUndefined(),
  });
  onTestFinished(() => server.close());
  expect(await stop(dataDir)).toEqual({
    code: 0,
    stdout: [`stopped: the bridge of ${dataDir} (pid 4711) has ended`],
    stderr: [],
  });
  expect(isFreed).toBe(true);
  expect(lines).toEqual([{ audit: true, by: os.userInfo().username, message: "the bridge was asked to stop" }]);
});

it.each([
  [
    "systemd",
    /^posbridge: this bridge is a service of systemd, which would start it again; stop the service: sudo systemctl stop posbridge$/,
  ],
  [
    "windows",
    /^posbridge: this bridge is a service of Windows; stop the service, as an administrator: sc\.exe stop posbridge$/,
  ],
] as const)("stop leaves a service of %s to its manager, and names the command", async (manager, words) => {
  const dataDir = folder();
  let isAsked = false;
  const end = (): void => {
    isAsked = true;
  };
  const handlers = { ...refusingHandlers, ...stopHandlers(end, 4711, { info: () => undefined }, manager) };
  const server = await serveControl({
    dataDir,
    clock: systemClock,
    handlers,
    problem: (error) => expect(error).toBeUndefined(),
  });
  onTestFinished(() => server.close());
  expect(await stop(dataDir)).toEqual({ code: 1, stdout: [], stderr: [expect.stringMatching(words)] });
  expect(isAsked).toBe(false);
});

it.each([
  ["a unit that waits for its words", { NOTIFY_SOCKET: "/run/systemd/notify", INVOCATION_ID: "1" }, true],
  ["any other unit", { INVOCATION_ID: "1", SYSTEMD_EXEC_PID: "7" }, true],
  ["a shell that a unit has opened", { INVOCATION_ID: "1", SYSTEMD_EXEC_PID: "3" }, false],
  ["a shell", {}, false],
])("the process of %s: %j", (_, env, expected) => expect(startedBySystemd(env, 7)).toBe(expected));

it("stop without a bridge says so", async () => {
  const dataDir = folder();
  lockDataFolder(prepareDataFolder(dataDir)).release();
  expect(await stop(dataDir)).toEqual({
    code: 1,
    stdout: [],
    stderr: [`posbridge: no bridge runs on ${dataDir}; nothing to stop`],
  });
});

it.each([
  ["linux", ["SIGTERM", "SIGINT"]],
  ["bsd", ["SIGTERM", "SIGINT"]],
  ["windows", ["SIGINT", "SIGBREAK", "SIGHUP"]],
] as const)("on %s an orderly end is asked for by %j", (platform, signals) => {
  expect(stopSignals(platform)).toEqual(signals);
});

it.each([
  ["a file", { isFile: () => true, isCharacterDevice: () => false }, false, true],
  ["/dev/null or NUL", { isFile: () => false, isCharacterDevice: () => true }, false, true],
  ["a console", { isFile: () => false, isCharacterDevice: () => true }, true, false],
  ["a pipe", { isFile: () => false, isCharacterDevice: () => false }, false, false],
  ["a handle that tells nothing, or none at all", undefined, false, false],
])("to %s every byte is written or an error told: %#", (_, kind, tty, expected) => {
  expect(isWrittenAsFile(kind, tty)).toBe(expected);
});
