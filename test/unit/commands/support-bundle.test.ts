import fs from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../src/commands/program.ts";
import { supportBundleCommand } from "../../../src/commands/support-bundle.ts";
import { serveControl } from "../../../src/control/server.ts";
import { bundleHandlers } from "../../../src/control/support-bundle.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";
import { freshFolder } from "../journal/folder.ts";
import { recordedOutput } from "./recorded-output.ts";

type Made = Awaited<ReturnType<Parameters<typeof bundleHandlers>[0]["supportBundle"]>>;

/** A data folder with a daemon whose bundle that is, and the users who had one. */
async function withDaemon(made: Made): Promise<{ readonly dataDir: string; readonly users: string[] }> {
  const dataDir = freshFolder();
  const journal = await openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom });
  const users: string[] = [];
  const handlers = { ...refusingHandlers, ...bundleHandlers({ supportBundle: async () => made }, (by) => void users.push(by)) };
  const server = await serveControl({ dataDir, clock: systemClock, handlers, problem: (error) => expect(error).toBeUndefined() });
  onTestFinished(async () => {
    await server.close();
    await journal.close();
  });
  return { dataDir, users };
}

async function supportBundle(...argv: readonly string[]) {
  const output = recordedOutput();
  const line = { name: "posbridge", description: "", commands: [() => supportBundleCommand(output)] };
  const code = await runProgram(line, ["support-bundle", ...argv], output, false);
  return { code, stdout: output.stdout, stderr: output.stderr };
}

/** Longer than many lines of the control socket, of the signs that take most room in JSON and in UTF-8. */
const LONG = `{"log":"${'\\"€\\n'.repeat(40_000)}"}`;

it.each(["{}\n", "", LONG])("writes the daemon's bundle into a new file that nobody else may read", async (bundle) => {
  const { dataDir, users } = await withDaemon({ ok: true, value: { name: "x", bundle } });
  const file = path.join(dataDir, "bundle.json");
  expect(await supportBundle(file, "--data", dataDir)).toEqual({ code: 0, stdout: [`${file} is written; look through it before you send it`], stderr: [] });
  expect([fs.readFileSync(file, "utf8") === bundle, fs.statSync(file).mode & 0o777, users]).toEqual([true, 0o600, [userInfo().username]]);
  const again = await supportBundle(file, "--data", dataDir);
  expect([again.code, again.stderr[0]]).toEqual([1, expect.stringMatching(/bundle\.json cannot be written: .*EEXIST/)]);
});

it("says why no bundle is made, and writes no file", async () => {
  const message = "log[3].text holds what looks like a card number: no bundle is made";
  const { dataDir, users } = await withDaemon({ ok: false, refusal: { message } });
  const file = path.join(dataDir, "bundle.json");
  expect(await supportBundle(file, "--data", dataDir)).toEqual({ code: 1, stdout: [], stderr: [`posbridge: ${message}`] });
  expect([fs.existsSync(file), users]).toEqual([false, []]);
});

it("needs a bridge that runs", async () => {
  const dataDir = freshFolder();
  await (await openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom })).close();
  const { code, stderr } = await supportBundle(path.join(dataDir, "b.json"), "--data", dataDir);
  expect([code, stderr[0]]).toEqual([1, expect.stringContaining("no daemon runs on")]);
});
