import assert from "node:assert/strict";
import { chownSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { connectRegister } from "../../src/client/client.ts";
import { killProgram, type Program } from "../scenarios/program.ts";
import { type Machine, MachineUnfit, prepareMachine } from "./machine.ts";
import { hearManager, judgeUnit, WATCHDOG_USEC } from "./systemd.ts";

/*
 * npm run test:service: the packaged programs as the service that `posbridge service print` shows, by a fresh system
 * user without a home, in an empty folder, on a machine that is
 * read-only but for the state folder: check-config, a token, the start, /readyz, a chip sale with PIN over a serial
 * line, a reload, the stop; and what systemd is told meanwhile. Exit code 0 only where all of it went well.
 */

const say = (line: string): void => void process.stdout.write(`service: ${line}\n`);

/** Runs a command to its end; it must end with 0 and say nothing on stderr. */
async function done(program: Program): Promise<readonly string[]> {
  const { code } = await program.ended;
  assert.deepEqual({ code, err: program.err }, { code: 0, err: [] });
  return program.out;
}

/** The gateway and the terminal, as programs of the same user. */
async function openWorld(
  machine: Machine,
  opened: Program[],
): Promise<{ readonly gateway: string; readonly line: string }> {
  const line = join(machine.lines, "till-1");
  const sandbox = machine.asUser("posbridge-demo", "sandbox", "--port", "0");
  const terminal = machine.asUser("posbridge-demo", "simulate", "miura-m020", "--pty", line);
  opened.push(sandbox, terminal);
  const [announced] = await Promise.all([sandbox.line(/^sandbox gateway at /), terminal.line(/ on /)]);
  return { gateway: /http:\S+/.exec(announced)?.[0] ?? "", line };
}

function configure(
  { etc, state, user }: Machine,
  { gateway, line }: { readonly gateway: string; readonly line: string },
): string {
  const token = join(etc, "gateway-token");
  writeFileSync(token, "sandbox-token", { mode: 0o600 });
  chownSync(token, user.uid, user.gid);
  const file = join(etc, "posbridge.yaml");
  const lines = [
    "environment: test",
    "listen: { port: 0 }",
    `dataDir: ${state}`,
    "merchant: { name: Corner Shop, country: DE }",
    `gateway: { baseUrl: "${gateway}", entityId: 8a8294174b7ecb28014b9699220015ca, accessTokenFile: ./gateway-token, testMode: INTERNAL }`,
    "terminals:",
    `  - { id: till-1, model: miura-m020, connection: { serial: ${line} }, terminalId: "12345678", deviceType: MIURA_M020 }`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o644 });
  return file;
}

async function sell(port: number, token: string): Promise<void> {
  const till = await connectRegister({ url: `ws://127.0.0.1:${port}/v1`, token, after: undefined });
  try {
    await till.startPayment({ reference: "first", type: "SALE", terminal: "till-1", currency: "EUR", amount: "12.34" });
    const { outcome, card } = await till.waitPayment({ reference: "first" });
    assert.deepEqual({ outcome, entryMode: card?.entryMode }, { outcome: "APPROVED", entryMode: "ICC" });
  } finally {
    till.close();
  }
}

/** Every file and command of the service, as the program shows them. */
const printed = z.object({ files: z.array(z.object({ path: z.string(), text: z.string() })) });

async function unitOf(machine: Machine, config: string): Promise<string> {
  const asked = [
    "service",
    "print",
    "--json",
    "--config",
    config,
    "--user",
    machine.userName,
    "--program",
    machine.program,
  ];
  const lines = await done(machine.asService("posbridge", ...asked));
  return (
    printed.parse(JSON.parse(lines.join("\n"))).files.find(({ path }) => path.endsWith("/posbridge.service"))?.text ??
    ""
  );
}

/** Starts the bridge as the unit does, sells, reads the configuration anew and stops; systemd hears of each. */
async function serve(
  machine: Machine,
  { start, config, token }: { readonly start: string; readonly config: string; readonly token: string },
  opened: Program[],
): Promise<void> {
  const manager = await hearManager(machine, opened);
  const bridge = machine.asService(
    "env",
    `NOTIFY_SOCKET=${manager.socket}`,
    `WATCHDOG_USEC=${WATCHDOG_USEC}`,
    ...start.split(" "),
  );
  opened.push(bridge);
  const port = Number(/"port":(\d+)/.exec(await bridge.line(/posbridge is ready/))?.[1]);
  await manager.program.line(/^READY=1 STATUS=/);
  await bridge.line(/terminal is ready/);
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  assert.deepEqual(
    { status: ready.status, body: await ready.json() },
    { status: 200, body: { ready: true, reasons: [] } },
  );
  say("/readyz says that it is ready, and systemd was told");
  await sell(port, token);
  say("a chip sale with PIN is approved");
  const fed = manager.program.out.length;
  await manager.program.line(/^WATCHDOG=1 STATUS=ready$/, fed);
  say("the watchdog is fed");
  writeFileSync(config, readFileSync(config, "utf8").replace("Corner Shop", "The Shop"));
  bridge.signal("SIGHUP");
  const told = JSON.parse(await bridge.line(/"the configuration was read anew"/));
  assert.deepEqual(told.applied, ["merchant.name"]);
  await manager.program.line(/^RELOADING=1$/);
  await manager.program.line(/^READY=1$/);
  const status = await done(machine.asService("posbridge", "reload", "--data", machine.state));
  assert.deepEqual(status, [`${config} says nothing new`]);
  say("the configuration was read anew by SIGHUP, and by posbridge reload");
  bridge.signal("SIGTERM");
  assert.deepEqual({ ...(await bridge.ended), err: bridge.err }, { code: 0, signal: null, err: [] });
  await manager.program.line(/^STOPPING=1 /);
}

async function live(machine: Machine, opened: Program[]): Promise<void> {
  const config = configure(machine, await openWorld(machine, opened));
  assert.deepEqual(await done(machine.asService("posbridge", "check-config", config)), ["ok"]);
  say("check-config says ok");
  const unit = await unitOf(machine, config);
  const { start, exposure } = judgeUnit(unit, machine);
  say(`systemd-analyze finds nothing wrong with the unit, and an exposure of ${exposure}`);
  await done(machine.asService("posbridge", "terminals", "scan"));
  const [token = ""] = await done(
    machine.asService("posbridge", "tokens", "create", "--register", "till", "--config", config),
  );
  await serve(machine, { start, config, token }, opened);
  assert.deepEqual(readdirSync(machine.empty), [], "the folder in which it ran is not empty any more");
  const known = /^(journal\.(db|witness)|(tokens|deletions|lock)\.db|terminals\.json)/;
  assert.deepEqual(
    readdirSync(machine.state).filter((name) => !known.test(name)),
    [],
    "something else than data lies in the data folder",
  );
  say("it stopped in an orderly way, and left nothing behind but its data");
}

try {
  const machine = prepareMachine(resolve("dist"));
  const opened: Program[] = [];
  try {
    await live(machine, opened);
  } finally {
    for (const program of opened) await killProgram(program);
    machine.remove();
  }
} catch (error) {
  say(
    error instanceof MachineUnfit ? error.message : `FAILED: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 1;
}
