import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { smallDisk } from "../unit/journal/mounted.ts";
import { booksOf, soldFor, takenBack } from "./ledger.ts";
import { spawnProgram } from "./program.ts";
import { saleOf, terminalReady } from "./sale.ts";
import { openShop, type Shop } from "./shop.ts";
import { openTill, type Till } from "./till.ts";

/*
 * The log is on stdout, and what becomes of stdout is no reason to stop selling. The data folder is well all the while.
 */

const PROJECT = path.resolve(import.meta.dirname, "../..");

let shop: Shop;
let port: number;
let configFile: string;

beforeAll(async () => {
  shop = await openShop({ automatic: true });
  await shop.stop();
  // A bridge whose log cannot be read has to be found without it.
  port = await freePort();
  configFile = path.join(shop.folder, "known-port.yaml");
  fs.writeFileSync(configFile, fs.readFileSync(shop.configFile, "utf8").replace("port: 0", `port: ${port}`));
});
afterAll(() => shop.close());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A command with that stdout and stderr, and how it ends. Killed with the test. */
function start([stdout, stderr]: readonly [number | "pipe", number | "pipe"], ...argv: readonly string[]) {
  const child = spawnProgram(argv, ["ignore", stdout, stderr]);
  const ended = once(child, "exit").then(([code]: readonly unknown[]) => code);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, ended };
}

/** And what it says on stderr, once it has ended. */
function startWith(stdout: number | "pipe", ...argv: readonly string[]) {
  const { child, ended } = start([stdout, "pipe"], ...argv);
  const said = child.stderr === null ? Promise.resolve("") : text(child.stderr);
  return { child, ended, err: async () => (await said).split("\n").filter((line) => line !== "") };
}

/** An open file for the stdout of a process, closed here at the end of the test. */
function opened(file: string, flags: string | number): number {
  const number = fs.openSync(file, flags);
  onTestFinished(() => fs.closeSync(number));
  return number;
}

async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const until = performance.now() + 100_000;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    if (performance.now() > until) throw new Error(`${what} did not come about`);
    await new Promise((later) => setTimeout(later, 50));
  }
}

const page = async (name: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}/${name}`)).text();

async function tillOfBridge(): Promise<Till> {
  await eventually("a bridge that is ready", async () =>
    (await fetch(`http://127.0.0.1:${port}/readyz`)).ok ? true : undefined,
  );
  const till = await openTill(`ws://127.0.0.1:${port}/v1`, shop.registerToken);
  onTestFinished(() => till.client.close());
  await terminalReady(till, shop.terminal);
  return till;
}

const lost = async (): Promise<number> =>
  Number(/^posbridge_log_lines_lost_total (\d+)$/m.exec(await page("metrics"))?.[1]);

/** A sale in the middle of which, while the gateway is asked, that happens; approved, and booked once. */
async function sellWhile(till: Till, reference: string, happens: () => void): Promise<void> {
  const before = (await shop.sandbox.ledger()).length;
  await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 1_000 });
  await till.client.startPayment(saleOf(shop.terminal, reference));
  await till.state(reference, "AUTHORIZING");
  happens();
  expect(await till.settled(reference)).toMatchObject({ outcome: "APPROVED", capture: "captured" });
  expect(booksOf((await shop.sandbox.ledger()).slice(before))).toEqual(soldFor("12.34"));
  await terminalReady(till, shop.terminal);
}

describe("a bridge whose log cannot be written", () => {
  it("sells on while its disk is full, counts what is lost, and says so when there is room again", async () => {
    const disk = smallDisk(65_536);
    const file = path.join(disk.folder, "posbridge.log");
    const { child, ended, err } = startWith(opened(file, "a"), "run", "--config", configFile);
    const till = await tillOfBridge();
    await sellWhile(till, "full disk", () => {
      disk.fill();
      // The log's own last page has room left.
      expect(() => {
        for (;;) fs.appendFileSync(file, "\n");
      }).toThrow("ENOSPC");
    });
    expect(await lost()).toBeGreaterThan(0);
    disk.free();
    await sellWhile(till, "room again", () => undefined);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    const lines = fs
      .readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
    // The disk may take the beginning of a line; it stands alone, and whole ones follow.
    const whole = lines.filter((line) => line.endsWith("}"));
    expect(lines.length - whole.length).toBeLessThanOrEqual(1);
    const entries = whole.map((line): unknown => JSON.parse(line));
    expect(entries).toContainEqual(
      expect.objectContaining({ level: "error", lost: expect.any(Number), problem: expect.stringContaining("ENOSPC") }),
    );
    expect(entries.at(-1)).toMatchObject({ msg: "posbridge has stopped" });
    expect(await err()).toEqual([
      expect.stringMatching(/^posbridge: the log cannot be written \(ENOSPC.*1 so far.*the bridge goes on$/),
    ]);
  });

  it("starts where its disk is full, and takes back what is owed", async () => {
    await shop.start();
    const till = await shop.till();
    const before = (await shop.sandbox.ledger()).length;
    await shop.sandbox.fault({ on: { paymentType: "PA" }, do: "delay", delayMs: 20_000 });
    await till.client.startPayment(saleOf(shop.terminal, "owed"));
    await shop.sandbox.faultsUsed();
    await shop.kill();
    const full = opened("/dev/full", "w");
    const { child } = startWith(full, "run", "--config", configFile);
    const books = async () => booksOf((await shop.sandbox.ledger()).slice(before));
    await eventually("the reversal", async () => ((await books()).RV === 1 ? true : undefined));
    expect(await books()).toEqual(takenBack);
    expect(child.exitCode).toBeNull();
  });

  it("sells on where stderr is as full as the log", async () => {
    const full = opened("/dev/full", "w");
    const { child } = start([full, full], "run", "--config", configFile);
    const till = await tillOfBridge();
    await sellWhile(till, "all full", () => undefined);
    expect(await lost()).toBeGreaterThan(0);
    expect(child.exitCode).toBeNull();
  });

  it("sells on when the log's reader goes away in the middle, and still ends when it is asked to", async () => {
    const { child, ended, err } = startWith("pipe", "run", "--config", configFile);
    child.stdout?.resume();
    const till = await tillOfBridge();
    await sellWhile(till, "reader gone", () => child.stdout?.destroy());
    expect(await lost()).toBeGreaterThan(0);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(await err()).toEqual([expect.stringMatching(/^posbridge: the log cannot be written \(EPIPE/)]);
  });

  it("sells on while the log's reader is stopped, and gives it every line once it reads again", async () => {
    const pipe = path.join(shop.folder, "log-pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = opened(pipe, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
    expect(() => {
      for (;;) fs.writeSync(reader, "\n");
    }).toThrow("EAGAIN");
    const { child } = startWith(opened(pipe, "w"), "run", "--config", configFile);
    const till = await tillOfBridge();
    await sellWhile(till, "nobody reads", () => undefined);
    expect(await lost()).toBe(0);
    child.kill("SIGTERM");
    let read = "";
    const chunk = Buffer.alloc(65_536);
    await eventually("the line of its stop", async () => {
      read += chunk.toString("utf8", 0, fs.readSync(reader, chunk));
      return read.includes("posbridge has stopped") ? true : undefined;
    });
    expect(read).toContain("posbridge is ready");
  });
});

describe("a sandbox that cannot say where it is", () => {
  it("serves all the same", async () => {
    const own = await freePort();
    const { child } = startWith(opened("/dev/full", "w"), "sandbox", "--port", String(own));
    const asked = await eventually(
      "the sandbox",
      async () => (await fetch(`http://127.0.0.1:${own}/sandbox/v1/ledger`)).status,
    );
    expect(asked).toBe(200);
    expect(child.exitCode).toBeNull();
  });
});

describe("a command that ends by itself", () => {
  const FAILED = [expect.stringMatching(/^posbridge: what was to be printed cannot be written \(ENOSPC/)];

  it.each(["--help", "simulate --list --json"])(
    "ends with 1 and one line where the disk takes nothing: %s",
    async (words) => {
      const { ended, err } = startWith(opened("/dev/full", "w"), ...words.split(" "));
      expect(await ended).toBe(1);
      expect(await err()).toEqual(FAILED);
    },
  );

  it("ends so where the disk takes a part", async () => {
    const disk = smallDisk(4096);
    const file = fs.openSync(path.join(disk.folder, "list.json"), "w");
    const { ended, err } = startWith(file, "simulate", "--list", "--json");
    fs.closeSync(file);
    expect(await ended).toBe(1);
    expect(await err()).toEqual(FAILED);
  });

  it("goes on where nobody reads what it says on stderr any more", async () => {
    const says = `
      import { systemOutput } from "./src/commands/system-output.ts";
      systemOutput(() => process.exit(3)).err("nobody hears this");
      setTimeout(() => process.exit(0), 500);
    `;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", says], {
      cwd: PROJECT,
      env: {},
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr.destroy();
    expect((await once(child, "exit"))[0]).toBe(0);
  });

  it("ends with 0 and says nothing where its reader has seen enough", async () => {
    const { child, ended, err } = startWith("pipe", "simulate", "--list");
    child.stdout?.destroy();
    expect(await ended).toBe(0);
    expect(await err()).toEqual([]);
  });
});
