import assert from "node:assert/strict";
import { chownSync, copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import manifest from "../../package.json" with { type: "json" };
import { connectRegister } from "../../src/client/client.ts";
import { killProgram, type Program } from "../scenarios/program.ts";
import * as machine from "./machine.ts";

/* Runs in the copy of this machine that main.ts makes: PACKAGE.deb and the demo program. */

const [deb = "", demo = ""] = process.argv.slice(2);
const { PROGRAM, UNIT, RULES, ETC, CONFIG, STATE, run, rights, asked, isGone } = machine;
const OLDER = "0.0.9";
const listSchema = z.object({ payments: z.array(z.object({ reference: z.string() })) });
const opened: Program[] = [];
/** Of the register that sells. */
let token = "";
const say = (line: string): void => void process.stdout.write(`debian: ${line}\n`);

try {
  await live();
} catch (error) {
  say(`FAILED: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
} finally {
  for (const program of opened) await killProgram(program);
}

async function live(): Promise<void> {
  machine.standInForSystemd();
  const older = machine.olderPackage(deb, OLDER);
  fromProgramToPackage(older);
  install(older);
  await sellAndLeaveOneOpen();
  await upgrade();
  await downgrade(older);
  remove();
  purge();
}

/**
 * The program alone, set up by root before its user is there; then the package, whose unit is hidden by the program's
 * own.
 */
function fromProgramToPackage(older: string): void {
  const local = "/usr/local/bin/posbridge";
  const token = `${ETC}/gateway-token`;
  mkdirSync(ETC);
  writeFileSync(token, "sandbox-token", { mode: 0o600 });
  const answers = [
    "--entity-id",
    "8a8294174b7ecb28014b9699220015ca",
    "--access-token-file",
    token,
    "--shop-name",
    "Corner Shop",
    "--country",
    "DE",
  ];
  run(demo, "setup", "--yes", "--no-terminal", ...answers);
  run(demo, "service", "install");
  assert.deepEqual([CONFIG, token, STATE].map(rights), [
    "root:posbridge 640",
    "posbridge:posbridge 600",
    "posbridge:posbridge 700",
  ]);
  assert.match(machine.runAsUser(local, "check-config", CONFIG), /^ok/);
  const own = ["/etc/systemd/system/posbridge.service", "/etc/udev/rules.d/60-posbridge.rules"];
  const said = run("sh", "-c", 'exec dpkg --install "$1" 2>&1', "sh", older);
  for (const path of own) assert.ok(said.includes(`${path} counts instead of the package's file`), said);
  run(PROGRAM, "service", "remove");
  for (const path of own) assert.equal(isGone(path), true, path);
  run("dpkg", "--purge", "posbridge");
  assert.equal(isGone(STATE), true, "an empty data folder stayed");
  run("rm", "-r", ETC, local);
  asked();
  say("the program alone is set up and made a service; the package comes beside it, and the program's own unit goes");
}

function install(older: string): void {
  const said = run("dpkg", "--install", older);
  assert.match(
    said,
    /next, posbridge setup writes \/etc\/posbridge\/posbridge\.yaml; then systemctl enable --now posbridge/,
  );
  assert.equal(machine.installedVersion(), `install ok installed ${OLDER}`);
  assert.match(run("getent", "passwd", "posbridge"), /^posbridge:.*:\/nonexistent:\/usr\/sbin\/nologin$/m);
  assert.match(run("id", "-nG", "posbridge"), /\bdialout\b/);
  assert.deepEqual(
    [PROGRAM, UNIT, RULES, ETC, STATE].map((path) => rights(path)),
    ["root:root 755", "root:root 644", "root:root 644", "root:root 755", "posbridge:posbridge 700"],
  );
  assert.equal(existsSync(CONFIG), false);
  assert.deepEqual(asked(), ["daemon-reload"]);
  assert.equal(run("dpkg", "--verify", "posbridge"), "");
  assert.match(run("zcat", "/usr/share/doc/posbridge/changelog.gz"), /^# Changelog$/m);
  assert.match(readFileSync("/usr/share/doc/posbridge/docs/operating.md", "utf8"), /^# Operating posbridge$/m);
  say("installed: program, user, unit and rules are there, and nothing was started");
}

/** The gateway, a terminal with a customer and one without, and the configuration of both. */
async function configure(): Promise<void> {
  copyFileSync(demo, "/usr/local/bin/posbridge-demo");
  const sandbox = machine.asUser("posbridge-demo", "sandbox", "--port", "0");
  const terminals = ["till-1", "till-2"].map((name) =>
    machine.asUser(
      "posbridge-demo",
      "simulate",
      "miura-m020",
      "--pty",
      `/var/tmp/${name}`,
      "--serial",
      name === "till-1" ? "10000001" : "10000002",
      ...(name === "till-2" ? ["--manual"] : []),
    ),
  );
  opened.push(sandbox, ...terminals);
  const gateway = /http:\S+/.exec(await sandbox.line(/^sandbox gateway at /))?.[0] ?? "";
  for (const terminal of terminals) await terminal.line(/ on /);
  writeFileSync(`${ETC}/gateway-token`, "sandbox-token", { mode: 0o600 });
  const { uid, gid } = statSync(STATE);
  chownSync(`${ETC}/gateway-token`, uid, gid);
  const lines = [
    "environment: test",
    "listen: { port: 0 }",
    `dataDir: ${STATE}`,
    "merchant: { name: Corner Shop, country: DE }",
    `gateway: { baseUrl: "${gateway}", entityId: 8a8294174b7ecb28014b9699220015ca, accessTokenFile: ./gateway-token, testMode: INTERNAL }`,
    "terminals:",
    ...["till-1", "till-2"].map(
      (id, at) =>
        `  - { id: ${id}, model: miura-m020, connection: { serial: /var/tmp/${id} }, terminalId: "1234567${at}", deviceType: MIURA_M020 }`,
    ),
  ];
  writeFileSync(CONFIG, `${lines.join("\n")}\n`, { mode: 0o644 });
  machine.runAsUser(PROGRAM, "check-config", CONFIG);
}

async function ready(): Promise<{ readonly bridge: Program; readonly port: number }> {
  const bridge = machine.startUnit();
  opened.push(bridge);
  const port = Number(/"port":(\d+)/.exec(await bridge.line(/posbridge is ready/))?.[1]);
  for (const terminal of ["till-1", "till-2"])
    await bridge.line(new RegExp(`"terminal":"${terminal}".*terminal is ready`));
  return { bridge, port };
}

async function sell(port: number, reference: string): Promise<void> {
  const till = await connectRegister({ url: `ws://127.0.0.1:${port}/v1`, token, after: undefined });
  try {
    await till.startPayment({ reference, type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" });
    assert.equal((await till.waitPayment({ reference })).outcome, "APPROVED");
  } finally {
    till.close();
  }
}

function open(): readonly string[] {
  return listSchema
    .parse(JSON.parse(machine.runAsUser(PROGRAM, "payments", "list", "--open", "--json", "--data", STATE)))
    .payments.map(({ reference }) => reference);
}

async function sellAndLeaveOneOpen(): Promise<void> {
  await configure();
  [token = ""] = machine.runAsUser(PROGRAM, "tokens", "create", "--register", "till", "--config", CONFIG).split("\n");
  const { bridge, port } = await ready();
  await sell(port, "first");
  const till = await connectRegister({ url: `ws://127.0.0.1:${port}/v1`, token, after: undefined });
  await till.startPayment({ reference: "open", type: "SALE", terminal: "till-2", currency: "EUR", amount: "5.00" });
  await killProgram(bridge);
  till.close();
  assert.ok(open().includes("open"));
  say("a sale is approved, and a power cut leaves a payment open");
}

async function upgrade(): Promise<void> {
  run("dpkg", "--install", deb);
  assert.equal(machine.installedVersion(), `install ok installed ${manifest.version}`);
  assert.deepEqual(asked(), ["daemon-reload", "daemon-reload", "try-restart posbridge.service"]);
  assert.deepEqual(
    [rights(STATE), rights(`${STATE}/journal.db`), rights(`${ETC}/gateway-token`)],
    ["posbridge:posbridge 700", "posbridge:posbridge 600", "posbridge:posbridge 600"],
  );
  assert.ok(open().includes("open"));
  const { bridge, port } = await ready();
  const till = await connectRegister({ url: `ws://127.0.0.1:${port}/v1`, token, after: undefined });
  assert.notEqual((await till.waitPayment({ reference: "open" })).outcome, "APPROVED");
  till.close();
  await sell(port, "second");
  bridge.signal("SIGTERM");
  assert.equal((await bridge.ended).code, 0);
  assert.ok(!open().includes("open"));
  say("upgraded: systemd is asked to restart it, the open payment is settled, and it sells");
}

async function downgrade(older: string): Promise<void> {
  run("dpkg", "--install", older);
  asked();
  const { bridge, port } = await ready();
  await sell(port, "third");
  bridge.signal("SIGTERM");
  assert.equal((await bridge.ended).code, 0);
  say("downgraded to a version with the same journal: it sells");
  run("cp", "--archive", STATE, "/var/tmp/kept");
  const journal = new DatabaseSync(`${STATE}/journal.db`);
  journal.exec("PRAGMA user_version = 99");
  journal.close();
  const refused = machine.startUnit();
  opened.push(refused);
  assert.equal((await refused.ended).code, 2);
  assert.match(
    [...refused.out, ...refused.err].join("\n"),
    /is of version 99, this program knows \d+; install a newer posbridge/,
  );
  run("rm", "-r", STATE);
  run("mv", "/var/tmp/kept", STATE);
  say("a journal of a newer version is refused with one line, and left alone");
}

function remove(): void {
  run("dpkg", "--remove", "posbridge");
  assert.deepEqual(asked(), ["disable --now posbridge.service", "daemon-reload"]);
  for (const path of [PROGRAM, UNIT, RULES, "/usr/share/doc/posbridge"]) assert.equal(isGone(path), true, path);
  kept();
  say("removed: program, unit and rules are gone; journal, configuration and user are kept");
}

function purge(): void {
  const said = run("dpkg", "--purge", "posbridge");
  assert.match(
    said,
    /kept \/var\/lib\/posbridge and the user posbridge, who owns it: payments in its journal may be open/,
  );
  assert.match(said, /kept \/etc\/posbridge: its configuration/);
  kept();
  const listed = listSchema
    .parse(
      JSON.parse(machine.runAsUser("/usr/local/bin/posbridge-demo", "payments", "list", "--json", "--data", STATE)),
    )
    .payments.map(({ reference }) => reference);
  assert.deepEqual([...listed].sort(), ["first", "open", "second", "third"]);
  say("purged: it says what it keeps and why, and the journal still tells every payment");
}

function kept(): void {
  assert.equal(rights(STATE), "posbridge:posbridge 700");
  assert.equal(rights(`${STATE}/journal.db`), "posbridge:posbridge 600");
  assert.match(readFileSync(CONFIG, "utf8"), /^environment: test$/m);
  assert.match(run("getent", "passwd", "posbridge"), /^posbridge:/);
}
