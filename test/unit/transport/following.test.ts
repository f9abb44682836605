import { describe, expect, it } from "vitest";
import { type Link, LinkError } from "../../../src/terminal/link.ts";
import { openFollowing, type SerialPorts } from "../../../src/transport/following.ts";
import type { SerialDevice } from "../../../src/transport/serial-devices.ts";
import type { KnownPort, Place } from "../../../src/transport/serial-place.ts";

const SETTINGS = { baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 } as const;
const KNOWN: KnownPort = { usb: { vendorId: 0x2dda, productId: 0x0515, serialNumber: "A" } };
const at = (number: number, serialNumber: string): SerialDevice => ({
  ...{ kind: "serial", path: `/dev/ttyACM${number}`, stablePaths: [], permitted: true },
  usb: { vendorId: 0x2dda, productId: 0x0515, serialNumber },
});

/** Ports that are `before` until one is opened, and `after` from then on. */
function bench(before: readonly SerialDevice[], after: readonly SerialDevice[] = before) {
  const asked: string[] = [];
  let plugged = before;
  const ports: SerialPorts = {
    devices: () => plugged,
    followed: (path) => plugged.find((device) => device.path === path)?.path,
    open: async (path) => {
      asked.push(`open ${path}`);
      plugged = after;
      const link: Link = {
        incoming: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) },
        write: async () => undefined,
        close: async () => void asked.push("close"),
      };
      return link;
    },
  };
  const opened: Place[] = [];
  const open = (known: KnownPort = KNOWN): Promise<unknown> =>
    openFollowing(
      { path: "/dev/ttyACM0", settings: SETTINGS, known, others: [], opened: (place) => void opened.push(place) },
      ports,
    ).catch((error: unknown) => (error instanceof LinkError ? `${error.code}: ${error.message}` : error));
  return { asked, opened, open };
}

describe("a serial terminal that is followed", () => {
  it("is opened where it is, and the USB device there is told", async () => {
    const { asked, opened, open } = bench([at(1, "A")]);
    await open();
    expect(asked).toEqual(["open /dev/ttyACM1"]);
    expect(opened).toMatchObject([{ is: "moved", path: "/dev/ttyACM1", usb: { serialNumber: "A" } }]);
  });

  it("is not opened where another one stands in its place", async () => {
    const { asked, opened, open } = bench([at(0, "B")]);
    expect(await open()).toBe(
      "not-found: another device is at /dev/ttyACM0: USB 2dda:0515 B instead of USB 2dda:0515 A; " +
        "plug in the right one, or take this one in its place: posbridge terminals replace",
    );
    expect([asked, opened]).toEqual([[], []]);
  });

  it("that is plugged in between the look and the opening is known by what is there then", async () => {
    const { opened, open } = bench([], [at(0, "A")]);
    await open({});
    expect(opened).toMatchObject([{ is: "here", path: "/dev/ttyACM0", usb: { serialNumber: "A" } }]);
  });

  it("is let go where another one came between the look and the opening", async () => {
    const { asked, opened, open } = bench([], [at(0, "B")]);
    expect(await open()).toMatch(/^not-found: another device is at \/dev\/ttyACM0: USB 2dda:0515 B/);
    expect([asked, opened]).toEqual([["open /dev/ttyACM0", "close"], []]);
  });

  it("is let go where it went elsewhere at that moment", async () => {
    const { asked, open } = bench([at(1, "A")], [at(2, "A")]);
    expect(await open()).toBe("not-found: /dev/ttyACM0: the terminal is being plugged in elsewhere");
    expect(asked).toEqual(["open /dev/ttyACM1", "close"]);
  });
});
