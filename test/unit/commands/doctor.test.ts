import fs from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { miuraM020 } from "../../../drivers/miura-m020/driver.ts";
import manifest from "../../../package.json" with { type: "json" };
import { awaitConfiguration } from "../../../src/commands/await-configuration.ts";
import { doctorCommand } from "../../../src/commands/doctor.ts";
import { runProgram } from "../../../src/commands/program.ts";
import { checksHandlers } from "../../../src/control/checks.ts";
import { serveControl } from "../../../src/control/server.ts";
import { openJournal } from "../../../src/journal/sqlite-journal.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { systemRandom } from "../../../src/kit/system-random.ts";
import { refusingHandlers } from "../../support/refusing-handlers.ts";
import { SMALLEST } from "../config/surroundings.ts";
import { freshFolder } from "../journal/folder.ts";
import { recordedOutput } from "./recorded-output.ts";

/** Nothing listens at port 1, and a terminal that is a folder's file is no device. */
const QUIET = SMALLEST.replace("http://127.0.0.1:7718/", "http://127.0.0.1:1/").replace(
  "{ serial: /dev/ttyACM0 }",
  "{ tcp: 127.0.0.1:1 }",
);

function shop(text = QUIET) {
  const folder = freshFolder();
  const file = path.join(folder, "posbridge.yaml");
  fs.writeFileSync(file, `${text}listen: { port: 0 }\n`, { mode: 0o600 });
  fs.writeFileSync(path.join(folder, "gateway-token"), "sandbox-token", { mode: 0o600 });
  return { folder, file, dataDir: path.join(folder, "data") };
}

async function doctor(argv: readonly string[], places: readonly string[] = []) {
  const output = recordedOutput();
  const line = {
    name: "posbridge",
    description: "",
    commands: [() => doctorCommand(output, [miuraM020], { places, env: {} })],
  };
  const code = await runProgram(line, ["doctor", ...argv], output, false);
  return { code, stdout: output.stdout, stderr: output.stderr };
}

const lineOf = (stdout: readonly string[], name: string) =>
  stdout.find((line) => line.slice(6).startsWith(name))?.replace(/ +/g, " ");

async function openBook(dataDir: string): Promise<void> {
  const journal = await openJournal({ dataDir, environment: "test", clock: systemClock, random: systemRandom });
  await journal.close();
}

it("looks at the machine alone where there is no configuration, and nothing fails", async () => {
  const { stdout } = await doctor([], [path.join(freshFolder(), "posbridge.yaml")]);
  expect(lineOf(stdout, "configuration")).toMatch(
    /^warn configuration There is no configuration \(.*posbridge\.yaml\)\. Fix: Write one: posbridge setup$/,
  );
  expect(lineOf(stdout, "runtime")).toBe(`ok runtime Node ${process.versions.node}.`);
  expect(stdout.filter((line) => /^(?:ok {2}|warn|fail) {2}\S/.test(line)).length).toBeGreaterThanOrEqual(4);
});

it("takes the configuration at a usual place", async () => {
  const { file } = shop();
  const { stdout } = await doctor([], ["/nowhere/posbridge.yaml", file]);
  expect(lineOf(stdout, "configuration")).toBe(`ok configuration ${file} is sound.`);
});

it("says of a bridge that does not run what would keep it from selling, ends with 1, and writes nothing", async () => {
  const { folder, file, dataDir } = shop();
  await openBook(dataDir);
  const before = fs.readdirSync(folder, { recursive: true });
  const { code, stdout, stderr } = await doctor(["--config", file]);
  expect(code).toBe(1);
  expect(stderr).toEqual([expect.stringMatching(/^posbridge: 2 fail, \d warn, \d+ ok: do what stands behind "Fix:"/)]);
  expect(lineOf(stdout, "gateway")).toMatch(
    /^fail gateway http:\/\/127\.0\.0\.1:1 does not answer: .*ECONNREFUSED.* Fix: Look at this machine's network/,
  );
  expect(lineOf(stdout, "device till-1")).toMatch(
    /^fail device till-1 127\.0\.0\.1:1 takes no connection \(ECONNREFUSED\)\. Fix: /,
  );
  expect(lineOf(stdout, "journal")).toMatch(/^ok journal The journal is whole and its witness agrees: 0 facts/);
  expect(lineOf(stdout, "bridge")).toMatch(/^ok bridge No bridge runs/);
  expect(lineOf(stdout, "port")).toMatch(/^ok port 127\.0\.0\.1:0 is free\.$/);
  expect(fs.readdirSync(folder, { recursive: true })).toEqual(before);
});

it("shows a journal that the next start would refuse", async () => {
  const { file, dataDir } = shop();
  await openBook(dataDir);
  fs.rmSync(path.join(dataDir, "journal.witness"));
  const { stdout } = await doctor(["--config", file]);
  expect(lineOf(stdout, "journal")).toMatch(
    /^fail journal The journal would not be opened: .*journal\.witness.* Fix: See the section/,
  );
});

it("shows each problem of a configuration with its line and the fix", async () => {
  const { file } = shop(QUIET.replace("country: DE", "country: de"));
  const { code, stdout } = await doctor(["--config", file, "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout.join("\n"))).toMatchObject({
    ok: false,
    checks: expect.arrayContaining([
      {
        name: "configuration",
        state: "fail",
        text: `${file}:4: merchant.country must be two capital letters (ISO 3166), for example DE.`,
        fix: "Change it",
      },
    ]),
  });
});

it("asks the bridge that runs, and adds what it sees from outside", async () => {
  const { file, dataDir } = shop();
  fs.mkdirSync(dataDir, { mode: 0o700 });
  const own = {
    name: "disk",
    state: "warn",
    text: "41 MB of 16 GB are free.",
    fix: "Make room on the data folder's disk.",
  } as const;
  const ping = async () => ({ ok: true, value: { bridge: "brg_1", version: manifest.version, pid: 4711 } }) as const;
  const handlers = { ...refusingHandlers, ping, ...checksHandlers({ checks: async () => [own] }) };
  const server = await serveControl({
    dataDir,
    clock: systemClock,
    handlers,
    problem: (error) => expect(error).toBeUndefined(),
  });
  onTestFinished(() => server.close());
  const { code, stdout } = await doctor(["--config", file]);
  expect(code).toBe(0);
  expect(stdout.map((line) => line.replace(/ +/g, " "))).toEqual([
    `ok configuration ${file} is sound.`,
    `ok bridge posbridge ${manifest.version} runs (pid 4711); it answered the checks below.`,
    "warn disk 41 MB of 16 GB are free. Fix: Make room on the data folder's disk.",
    "0 fail, 1 warn, 2 ok",
  ]);
});

it("knows a posbridge that has the port: the page of a first start", async () => {
  const stop = Promise.withResolvers<void>();
  const served = Promise.withResolvers<string>();
  const log = { info: () => undefined, warn: () => undefined };
  const on = {
    models: [],
    env: {},
    clock: systemClock,
    log,
    place: "/nowhere/posbridge.yaml",
    find: () => undefined,
    port: 0,
  };
  const page = awaitConfiguration({ ...on, stopped: stop.promise, served: served.resolve });
  const { port } = new URL(await served.promise);
  const { file } = shop();
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("port: 0", `port: ${port}`), { mode: 0o600 });
  const { stdout } = await doctor(["--config", file]);
  expect(lineOf(stdout, "port")).toContain(
    `warn port 127.0.0.1:${port} is served by a posbridge already: it is not ready (there is no configuration yet; type: posbridge setup`,
  );
  stop.resolve();
  await page;
});

it("says that a bridge runs and does not answer", async () => {
  const { file, dataDir } = shop();
  fs.mkdirSync(dataDir, { mode: 0o700 });
  const server = await serveControl({
    dataDir,
    clock: systemClock,
    handlers: refusingHandlers,
    problem: () => undefined,
  });
  onTestFinished(() => server.close());
  const { code, stdout } = await doctor(["--config", file]);
  expect(code).toBe(1);
  expect(lineOf(stdout, "bridge")).toMatch(/^fail bridge A bridge runs and does not answer: not here\. Fix: /);
});

/** Somebody whom the modes of files bind: root is nobody for as long as it takes. */
async function bound<T>(folder: string, run: () => Promise<T>): Promise<T> {
  const nobody = 65_534;
  if (process.geteuid?.() !== 0) return run();
  for (const each of ["", "posbridge.yaml", "gateway-token"]) fs.chownSync(path.join(folder, each), nobody, nobody);
  process.seteuid?.(nobody);
  return run().finally(() => process.seteuid?.(0));
}

it("sends a user who may not look below a closed folder to the bridge's user", async () => {
  const { folder, file } = shop(`${QUIET}dataDir: ./closed/data\n`);
  const closed = path.join(folder, "closed");
  fs.mkdirSync(path.join(closed, "data"), { recursive: true });
  fs.chmodSync(closed, 0);
  onTestFinished(() => fs.chmodSync(closed, 0o700));
  const { code, stdout, stderr } = await bound(folder, () => doctor(["--config", file]));
  expect([code, stderr]).toEqual([0, []]);
  expect(lineOf(stdout, "bridge")).toMatch(
    /^warn bridge This user may not look into .*closed\/data: nobody can tell from here whether a bridge runs\. Fix: /,
  );
});
