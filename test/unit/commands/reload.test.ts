import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/commands/program.ts";
import { reloadCommand } from "../../../src/commands/reload.ts";
import { serveControl } from "../../../src/control/server.ts";
import { prepareDataFolder } from "../../../src/journal/data-folder.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";
import { recordedOutput } from "./recorded-output.ts";

/** The command against a bridge that answers so; without an answer, none runs. */
async function reload(
  answer: { readonly ok: boolean; readonly lines: readonly string[] } | undefined,
  ...options: readonly string[]
) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-reload-"));
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true }));
  fs.chmodSync(dataDir, 0o700);
  prepareDataFolder(dataDir);
  const asked: object[] = [];
  if (answer !== undefined) {
    const handle = async (params: object) => {
      asked.push(params);
      return { ok: true, value: answer } as const;
    };
    const handlers = { ...refusingHandlers, "bridge.reload": handle };
    const server = await serveControl({
      dataDir,
      clock: systemClock,
      handlers,
      problem: (error) => expect(error).toBeUndefined(),
    });
    onTestFinished(() => server.close());
  }
  const output = recordedOutput();
  const code = await runProgram(
    { name: "posbridge", description: "", commands: [reloadCommand] },
    ["reload", "--data", dataDir, ...options],
    output,
    false,
  );
  return { code, dataDir, asked, stdout: output.stdout, stderr: output.stderr };
}

it("reload says what is applied and what needs a restart, and who asks", async () => {
  const lines = ["origins: applied", "listen.port: restart to apply"];
  const by = os.userInfo().username;
  expect(await reload({ ok: true, lines })).toMatchObject({
    code: 0,
    stdout: lines,
    stderr: [],
    asked: [{ by, dryRun: false }],
  });
  expect(await reload({ ok: true, lines }, "--dry-run")).toMatchObject({ code: 0, asked: [{ by, dryRun: true }] });
});

it("reload fails, with every problem on a line of its own, where the file is not valid or a terminal is needed", async () => {
  const problems = [
    "posbridge.yaml:4: merchant.country: must be two capital letters",
    "posbridge.yaml:9: origins[0]: must be an exact origin",
  ];
  const last = "posbridge.yaml is not valid: nothing was changed";
  expect(await reload({ ok: false, lines: [...problems, last] })).toMatchObject({
    code: 1,
    stdout: [],
    stderr: [...problems, `posbridge: ${last}`],
  });
});

it("reload without a bridge says so", async () => {
  const { code, stderr, dataDir } = await reload(undefined);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: [`posbridge: no bridge runs on ${dataDir}: the next start reads the configuration anyway`],
  });
});
