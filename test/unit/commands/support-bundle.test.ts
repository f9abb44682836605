import fs from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { driverModels } from "../../../drivers/index.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { supportBundleCommand } from "../../../src/commands/support-bundle.ts";
import { serveControl } from "../../../src/control/server.ts";
import { bundleHandlers } from "../../../src/control/support-bundle.ts";
import { rowOf } from "../../../src/engine/shell/payment-row.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { isoTime } from "../../../src/kit/clock.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { fold } from "../../../src/payment/state/payment.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";
import { sale } from "../../support/sale.ts";
import { SMALLEST } from "../config/surroundings.ts";
import { freshFolder } from "../journal/folder.ts";
import { recordedOutput } from "./recorded-output.ts";

type Made = Awaited<ReturnType<Parameters<typeof bundleHandlers>[0]["supportBundle"]>>;

/** A data folder with a daemon whose bundle that is, and the users who had one. */
async function withDaemon(made: Made): Promise<{ readonly dataDir: string; readonly users: string[] }> {
  const dataDir = freshFolder();
  const journal = await openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom });
  const users: string[] = [];
  const handlers = {
    ...refusingHandlers,
    ...bundleHandlers({ supportBundle: async () => made }, (by) => void users.push(by)),
  };
  const server = await serveControl({
    dataDir,
    clock: systemClock,
    handlers,
    problem: (error) => expect(error).toBeUndefined(),
  });
  onTestFinished(async () => {
    await server.close();
    await journal.close();
  });
  return { dataDir, users };
}

async function supportBundle(...argv: readonly string[]) {
  const output = recordedOutput();
  const line = { name: "posbridge", description: "", commands: [() => supportBundleCommand(output, driverModels)] };
  const code = await runProgram(line, ["support-bundle", ...argv], output, false);
  return { code, stdout: output.stdout, stderr: output.stderr };
}

/** Longer than many lines of the control socket, of the signs that take most room in JSON and in UTF-8. */
const LONG = `{"log":"${'\\"€\\n'.repeat(40_000)}"}`;

it.each(["{}\n", "", LONG])("writes the daemon's bundle into a new file that nobody else may read", async (bundle) => {
  const { dataDir, users } = await withDaemon({ ok: true, value: { name: "x", bundle } });
  const file = path.join(dataDir, "bundle.json");
  expect(await supportBundle(file, "--data", dataDir)).toEqual({
    code: 0,
    stdout: [`${file} is written; look through it before you send it`],
    stderr: [],
  });
  expect([fs.readFileSync(file, "utf8") === bundle, fs.statSync(file).mode & 0o777, users]).toEqual([
    true,
    0o600,
    [userInfo().username],
  ]);
  const again = await supportBundle(file, "--data", dataDir);
  expect([again.code, again.stderr[0]]).toEqual([1, expect.stringMatching(/bundle\.json cannot be written: .*EEXIST/)]);
});

it("says why no bundle is made, and writes no file", async () => {
  const message = "log[3].text holds what looks like a card number: no bundle is made";
  const { dataDir, users } = await withDaemon({ ok: false, refusal: { message } });
  const file = path.join(dataDir, "bundle.json");
  expect(await supportBundle(file, "--data", dataDir)).toEqual({
    code: 1,
    stdout: [],
    stderr: [`posbridge: ${message}`],
  });
  expect([fs.existsSync(file), users]).toEqual([false, []]);
});

/** A shop whose bridge was killed in the middle of a sale, with a log of its own. */
async function shopAtRest(log: readonly object[]) {
  const folder = freshFolder();
  const dataDir = path.join(folder, "data");
  const journal = await openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom });
  const accepted = { ...sale, at: systemClock.now() };
  const payment = fold([accepted]);
  if (payment === undefined) throw new Error("no payment");
  await journal.append([accepted], isoTime(accepted.at), rowOf(payment));
  await journal.close();
  fs.writeFileSync(path.join(folder, "gateway-token"), "s3cret-token", { mode: 0o600 });
  const file = path.join(folder, "posbridge.yaml");
  fs.writeFileSync(file, `${SMALLEST.replace("7718", "1")}dataDir: ./data\nlog: { file: ./posbridge.log }\n`, {
    mode: 0o600,
  });
  fs.writeFileSync(
    path.join(folder, "posbridge.log"),
    `torn\n${log.map((line) => `${JSON.stringify(line)}\n`).join("")}`,
  );
  return { folder, file, dataDir, bundle: path.join(folder, "bundle.json") };
}

it("tells of what lies on the disk where no bridge runs, without a secret", async () => {
  const last = {
    level: "error",
    time: "2026-11-23T10:00:00.000Z",
    problem: "no disk",
    msg: "the bridge does not start",
  };
  const { file, bundle, dataDir } = await shopAtRest([last]);
  const { code, stderr } = await supportBundle(bundle, "--config", file);
  expect([code, stderr]).toEqual([0, [`no bridge runs on ${dataDir}: the bundle tells of what lies on the disk`]]);
  const text = fs.readFileSync(bundle, "utf8");
  expect(text).not.toContain("s3cret-token");
  expect(JSON.parse(text)).toMatchObject({
    running: false,
    configuration: { merchant: { name: "Corner Shop" }, gateway: { accessToken: "[secret]" } },
    terminals: [{ id: "till-1", model: "miura-m020" }],
    checks: expect.arrayContaining([
      expect.objectContaining({ name: "journal", state: "warn", text: expect.stringContaining("A payment is open.") }),
    ]),
    openPayments: [
      { reference: sale.reference, steps: expect.arrayContaining([expect.objectContaining({ track: "register" })]) },
    ],
    log: [{ at: last.time, level: "error", text: last.msg, fields: { problem: "no disk" } }],
  });
});

it("makes none of a log that holds what reads like a card number", async () => {
  const { file, bundle } = await shopAtRest([{ level: "info", time: "t", msg: "4111 1111 1111 1111" }]);
  const { code, stderr } = await supportBundle(bundle, "--config", file);
  expect([code, stderr.at(-1)]).toEqual([
    1,
    expect.stringContaining("log[0].text holds what looks like a card number: no bundle is made"),
  ]);
  expect(fs.existsSync(bundle)).toBe(false);
});

it("tells of the data folder alone where no configuration is named", async () => {
  const { dataDir, bundle } = await shopAtRest([]);
  expect((await supportBundle(bundle, "--data", dataDir)).code).toBe(0);
  expect(JSON.parse(fs.readFileSync(bundle, "utf8"))).toMatchObject({
    configuration: { problems: ["none was named: --config FILE"] },
    openPayments: [{ reference: sale.reference }],
    log: [],
  });
});
