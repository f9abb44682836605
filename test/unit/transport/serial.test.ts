import { closeSync } from "node:fs";
import { createRequire } from "node:module";
import { ReadStream } from "node:tty";
import { afterEach, describe, expect, test } from "vitest";
import { concat } from "../../../src/kit/bytes.ts";
import type { Link } from "../../../src/terminal/link.ts";
import { openSerial, type SerialSettings, serialError } from "../../../src/transport/serial.ts";

const SETTINGS: SerialSettings = { baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 };

interface PtyBinding {
  open(columns: number, rows: number): { readonly master: number; readonly slave: number; readonly pty: string };
}
const pty: PtyBinding = createRequire(import.meta.url)(`@lydell/node-pty-${process.platform}-${process.arch}/pty.node`);

const ends: ReadStream[] = [];
const links: Link[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) end.destroy();
  for (const link of links.splice(0)) await link.close();
});

/** The device's end of a real pseudo-terminal, and the path of the port. */
function device(): {
  readonly end: ReadStream;
  readonly path: string;
  heard(count: number): Promise<Uint8Array>;
  freeSlave(): void;
} {
  const { master, slave, pty: path } = pty.open(80, 25);
  const end = new ReadStream(master);
  ends.push(end);
  end.on("error", () => undefined);
  const heard = async (count: number): Promise<Uint8Array> => {
    const read: Uint8Array[] = [];
    for await (const chunk of end.iterator({ destroyOnReturn: false })) {
      read.push(new Uint8Array(chunk));
      if (concat(...read).length >= count) break;
    }
    return concat(...read);
  };
  return { end, path, heard, freeSlave: () => closeSync(slave) };
}

async function opened(path: string): Promise<Link> {
  const link = await openSerial(path, SETTINGS);
  links.push(link);
  return link;
}

async function readUntil(link: Link, count: number): Promise<Uint8Array> {
  let read = new Uint8Array();
  const reader = link.incoming[Symbol.asyncIterator]();
  while (read.length < count) {
    const next = await reader.next();
    if (next.done) break;
    read = new Uint8Array(concat(read, next.value));
  }
  return read;
}

const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);

describe("a serial link over a real pseudo-terminal", () => {
  test("carries every byte value both ways, unchanged and without echo", async () => {
    const { end, path, heard } = device();
    const link = await opened(path);
    end.write(EVERY_BYTE);
    expect(await readUntil(link, 256)).toEqual(EVERY_BYTE);
    await link.write(EVERY_BYTE);
    expect(await heard(256)).toEqual(EVERY_BYTE);
  });

  test("what the device sent before the port was opened is thrown away", async () => {
    const { end, path } = device();
    end.write("stale from an earlier session\n");
    await new Promise((resolve) => setImmediate(resolve));
    const link = await opened(path);
    end.write("fresh");
    expect(new TextDecoder().decode(await readUntil(link, 5))).toBe("fresh");
  });

  test("a device that is unplugged throws to the reader and ends writes, every time", async () => {
    for (let round = 0; round < 20; round += 1) {
      const { end, path, freeSlave } = device();
      const link = await openSerial(path, SETTINGS);
      freeSlave();
      const reading = readUntil(link, Number.POSITIVE_INFINITY);
      // Bytes on the way when the plug is pulled: a read is then under way in another thread.
      if (round % 2 === 1) end.write(new Uint8Array(50));
      if (round % 4 > 1) await new Promise((resolve) => setImmediate(resolve));
      end.destroy();
      await expect(reading).rejects.toMatchObject({ code: "lost", message: `${path} was unplugged or switched off` });
      await expect(link.write(Uint8Array.of(1))).rejects.toMatchObject({ code: "lost" });
      await link.close();
    }
  });

  test("a write to a device that does not read ends when the link is closed", async () => {
    const { path } = device();
    const link = await opened(path);
    const stuck = link.write(new Uint8Array(100_000)).catch((error: Error) => error);
    await link.close();
    expect(await stuck).toMatchObject({ code: "lost" });
    await expect(link.write(Uint8Array.of(1))).rejects.toMatchObject({ code: "lost" });
  });

  test("closing ends the reader, and the port can be opened again", async () => {
    const { end, path } = device();
    const link = await opened(path);
    const reading = readUntil(link, 1);
    await link.close();
    await link.close();
    expect(await reading).toHaveLength(0);
    const again = await opened(path);
    end.write("x");
    expect(await readUntil(again, 1)).toHaveLength(1);
  });

  test("a port that is held already is busy", async () => {
    const { path } = device();
    await opened(path);
    await expect(openSerial(path, SETTINGS)).rejects.toMatchObject({
      code: "busy",
      message: `${path} is used by another program; stop it, or give this terminal another port`,
    });
  });
});

describe("a port that does not open", () => {
  test("where no device is", async () => {
    await expect(openSerial("/dev/posbridge-none", SETTINGS)).rejects.toMatchObject({
      name: "LinkError",
      code: "not-found",
      message: "no device at /dev/posbridge-none; is it plugged in and switched on?",
    });
  });

  test("where the path is not a serial port", async () => {
    await expect(openSerial("/dev/null", SETTINGS)).rejects.toMatchObject({ name: "LinkError" });
  });

  test.each([
    ["Error: Permission denied, cannot open /dev/ttyACM0", "no-permission", "dialout"],
    ["Error: No such file or directory, cannot open /dev/ttyACM0", "not-found", "plugged in"],
    ["Error: No such device or address, cannot open /dev/ttyACM0", "not-found", "plugged in"],
    ["Error Resource temporarily unavailable Cannot lock port", "busy", "another program"],
    ["Error: Device or resource busy, cannot open /dev/ttyACM0", "busy", "another program"],
    ["Error: Inappropriate ioctl for device setting custom baud rate of 13", "failed", "not a serial port"],
    ["EIO: i/o error, write", "lost", "unplugged"],
    ["something new", "failed", "something new"],
  ])("%s", (said, code, hint) => {
    const error = serialError("/dev/ttyACM0", new Error(said));
    expect(error.code).toBe(code);
    expect(error.message).toContain(hint);
    expect(error.message).toContain("/dev/ttyACM0");
  });
});
