import { existsSync, lstatSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { miuraM020Simulator } from "../../../drivers/miura-m020/simulator.ts";
import { concat } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";
import { systemClock } from "../../../src/kit/system-clock.ts";
import { startInProcess } from "../../../src/simulator/in-process.ts";
import { openPseudoTerminal, type PseudoTerminal } from "../../../src/simulator/pseudo-terminal.ts";
import { serveSerial } from "../../../src/simulator/serial-line.ts";
import type { SimulatedTerminal } from "../../../src/simulator/simulated-terminal.ts";
import { LinkError } from "../../../src/terminal/link.ts";
import { openSerial } from "../../../src/transport/serial.ts";
import { folder } from "./folder.ts";

/** Every byte there is, so that a line discipline that swallows, translates or doubles one is noticed. */
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, at) => at);

interface Host {
  readonly got: () => string;
  /** Resolves once so many bytes came. */
  until(count: number): Promise<void>;
  /** Why the line ended. */
  readonly closed: Promise<unknown>;
  send(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** A bridge's own serial link, over the real serialport package. */
async function openHost(path: string): Promise<Host> {
  const link = await openSerial(path, { baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 });
  onTestFinished(() => link.close());
  let got = new Uint8Array(0);
  const closed = (async () => {
    try {
      for await (const bytes of link.incoming) got = new Uint8Array(concat(got, bytes));
    } catch (error) {
      return error;
    }
    return "end";
  })();
  return {
    got: () => toHex(got),
    until: (count) => soon(() => got.length >= count),
    closed,
    send: link.write,
    close: link.close,
  };
}

/** Looks for a change that the kernel brings about by itself. */
async function soon(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { interval: 2, timeout: 60_000 }).toBe(true);
}

/**
 * A pseudo-terminal that sends back what it gets, complemented, so that an echo of the line cannot pass for the answer.
 */
function complementing(): { readonly pty: PseudoTerminal; readonly hungUp: Promise<void> } {
  const hungUp = Promise.withResolvers<void>();
  const pty: PseudoTerminal = openPseudoTerminal({
    bytes: (bytes) => pty.write(bytes.map((byte) => byte ^ 0xff)),
    hangUp: () => hungUp.resolve(),
  });
  onTestFinished(() => pty.close());
  return { pty, hungUp: hungUp.promise };
}

describe("a pseudo-terminal", () => {
  test("carries every byte both ways and echoes none", async () => {
    const { pty } = complementing();
    const host = await openHost(pty.path);
    await host.send(ALL_BYTES);
    await host.until(256);
    expect(host.got()).toBe(toHex(ALL_BYTES.map((byte) => byte ^ 0xff)));
  });

  test("tells when the host closes its side", async () => {
    const { pty, hungUp } = complementing();
    const host = await openHost(pty.path);
    await host.send(fromHex("01"));
    await host.until(1);
    await host.close();
    await hungUp;
  });

  test("that is closed closes the host's side", async () => {
    const { pty } = complementing();
    const host = await openHost(pty.path);
    pty.close();
    expect(await host.closed).toBeInstanceOf(LinkError);
    pty.write(fromHex("01"));
  });
});

const P2PE_STATUS = fromHex("010004EEE000000B");
const KEYS = "010009E105DFAE01010690000B";

function terminal(): SimulatedTerminal {
  return miuraM020Simulator.create({ clock: systemClock, random: seededRandom(1), automatic: undefined });
}

function serve(path: string): SimulatedTerminal {
  const served = terminal();
  const line = serveSerial(served, path);
  onTestFinished(() => line.close());
  return served;
}

async function ask(path: string): Promise<Host> {
  const host = await openHost(path);
  await host.send(P2PE_STATUS);
  await host.until(KEYS.length / 2);
  expect(host.got()).toBe(KEYS);
  return host;
}

/** Which link it is: a fresh pseudo-terminal may well have the old one's number. */
function linkOf(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ctimeNs;
}

describe("a terminal at a path", () => {
  test("answers one host after the other", async () => {
    const path = join(folder(), "till-1");
    serve(path);
    const before = linkOf(path);
    const first = await ask(path);
    await first.close();
    await soon(() => linkOf(path) !== before);
    await ask(path);
  });

  test("forgets its transaction when the host goes away", async () => {
    const path = join(folder(), "till-1");
    const served = serve(path);
    const before = linkOf(path);
    const host = await ask(path);
    served.present("visa-contact");
    await host.send(
      fromHex("01002DDED1000028E0269C01009F02060000000004569A032601159F2103143000DFA2040101DFA20301005F2A020826F4"),
    );
    await soon(() => served.screen().waitsFor === "pin");
    await host.close();
    await soon(() => linkOf(path) !== before);
    expect(served.screen().lines).toEqual(["Ready"]);
    await ask(path);
  });

  test("is gone while it is unplugged, which the host sees, and back at the same path", async () => {
    const path = join(folder(), "till-1");
    const served = serve(path);
    const host = await ask(path);
    served.fault("unplug");
    expect(await host.closed).toBeInstanceOf(LinkError);
    expect(existsSync(path)).toBe(false);
    served.fault("plug");
    await ask(path);
  });

  test("replaces the link that a killed simulator left behind, and takes its own away at the end", () => {
    const path = join(folder(), "till-1");
    symlinkSync("/dev/pts/999999", path);
    const line = serveSerial(terminal(), path);
    expect(readlinkSync(path)).not.toBe("/dev/pts/999999");
    line.close();
    expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("leaves a link alone at the end that another simulator has put there meanwhile", () => {
    const path = join(folder(), "till-1");
    const first = serveSerial(terminal(), path);
    const second = serveSerial(terminal(), path);
    const link = readlinkSync(path);
    first.close();
    expect(readlinkSync(path)).toBe(link);
    second.close();
  });

  test("refuses to replace a file or somebody else's link", () => {
    const at = folder();
    writeFileSync(join(at, "file"), "mine");
    expect(() => serveSerial(terminal(), join(at, "file"))).toThrow("is there already and is no link of a simulator");
    expect(readFileSync(join(at, "file"), "utf8")).toBe("mine");
    symlinkSync("/dev/null", join(at, "link"));
    expect(() => serveSerial(terminal(), join(at, "link"))).toThrow("is a link to /dev/null");
    expect(readlinkSync(join(at, "link"))).toBe("/dev/null");
  });

  test("says so where the folder does not exist, and takes no line then", () => {
    const served = terminal();
    expect(() => serveSerial(served, join(folder(), "no", "such", "folder"))).toThrow("is no folder: make it first");
    expect(served.plugged()).toBe(true);
  });
});

test("a terminal in this process shows its customer's card when the host asks for it", async () => {
  const path = join(folder(), "till-1");
  const started = startInProcess(miuraM020Simulator, path, {
    clock: systemClock,
    random: seededRandom(3),
    automatic: { card: "mastercard-contact" },
  });
  onTestFinished(() => started.close());
  const host = await ask(started.path);
  await host.send(fromHex("010010D20100010B494E534552542043415244EB"));
  await soon(() => started.terminal.screen().slot.card === "mastercard-contact");
});
