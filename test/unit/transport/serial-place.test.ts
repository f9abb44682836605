import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SerialDevice, UsbIdentity } from "../../../src/transport/serial-devices.ts";
import { type KnownPort, type Place, placeOf } from "../../../src/transport/serial-place.ts";

const CONFIGURED = "/dev/ttyACM0";
const ids = { vendorId: 0x2dda, productId: 0x0515 };
const usb = (serialNumber?: string, productId = ids.productId): UsbIdentity => ({
  ...ids,
  productId,
  ...(serialNumber !== undefined && { serialNumber }),
});
const port = (number: number, device?: UsbIdentity): SerialDevice => ({
  ...{ kind: "serial", path: `/dev/ttyACM${number}`, stablePaths: [], permitted: true },
  ...(device && { usb: device }),
});

function place(known: KnownPort, ports: readonly SerialDevice[], others: readonly string[] = []): Place {
  const leadsTo = ports.find(({ path }) => path === CONFIGURED)?.path;
  return placeOf({ path: CONFIGURED, leadsTo, known, ports, others: new Set(others) });
}

const own = { usb: { ...ids, serialNumber: "A" }, serialNumber: "A" };
const here = (device?: UsbIdentity) => ({ is: "here", path: CONFIGURED, ...(device && { usb: device }) });

describe("where a serial terminal is", () => {
  it.each<[string, KnownPort, readonly SerialDevice[], object, (readonly string[])?]>([
    [
      "nothing known: the configured path, whoever is there",
      {},
      [port(0, usb("X")), port(1, usb("A"))],
      here(usb("X")),
    ],
    ["nothing known, nothing there: the configured path", {}, [port(1, usb("A"))], here()],
    ["it is where it was", own, [port(0, usb("A"))], here(usb("A"))],
    ["it has another number", own, [port(1, usb("A"))], { is: "moved", path: "/dev/ttyACM1", usb: usb("A") }],
    [
      "it has another number, and another one has its old one",
      own,
      [port(0, usb("B")), port(1, usb("A"))],
      { is: "moved", path: "/dev/ttyACM1", usb: usb("A") },
    ],
    ["only another one is there, at its port", own, [port(0, usb("B"))], { is: "another", usb: usb("B") }],
    [
      "one of another make is at its port",
      { usb: { ...ids }, serialNumber: "A" },
      [port(0, usb("B", 9))],
      { is: "another", usb: usb("B", 9) },
    ],
    ["it is nowhere, and nothing is at its port", own, [port(1, usb("B"))], here()],
    [
      "without a serial number on USB, alone of its make: it may be followed",
      { usb: { ...ids } },
      [port(1, usb())],
      { is: "moved", path: "/dev/ttyACM1", usb: usb() },
    ],
    [
      "without a serial number on USB, and two of its make: it may not",
      { usb: { ...ids } },
      [port(1, usb()), port(2, usb())],
      here(),
    ],
    [
      "without a serial number on USB, one of its make at its port: opened, and asked who it is",
      { usb: { ...ids } },
      [port(0, usb()), port(1, usb())],
      here(usb()),
    ],
    ["another terminal's port is never taken", own, [port(1, usb("A"))], here(), ["/dev/ttyACM1"]],
    [
      "only its own word is known, and one USB device says the same",
      { serialNumber: "A" },
      [port(1, usb("A"))],
      { is: "moved", path: "/dev/ttyACM1", usb: usb("A") },
    ],
    [
      "only its own word is known: whoever is at the configured path is asked",
      { serialNumber: "A" },
      [port(0, usb("B")), port(1, usb("A"))],
      here(usb("B")),
    ],
    ["a port that is no USB device may be the right one", own, [port(0), port(1, usb("B"))], here()],
  ])("%s", (_, known, ports, expected, others) => {
    expect(place(known, ports, others)).toEqual(expected);
  });

  it("follows a link of udev's to where it leads", () => {
    const link = "/dev/serial/by-id/usb-Miura-if00";
    const ports = [port(3, usb("A"))];
    expect(placeOf({ path: link, leadsTo: "/dev/ttyACM3", known: own, ports, others: new Set() })).toEqual({
      is: "here",
      path: link,
      usb: usb("A"),
    });
  });

  it("never opens a device that is known to be another one, and never another terminal's", () => {
    const serial = fc.option(fc.constantFrom("A", "B", "C"), { nil: undefined });
    const ports = fc.uniqueArray(fc.record({ number: fc.integer({ min: 0, max: 3 }), serial }), {
      selector: ({ number }) => number,
    });
    fc.assert(
      fc.property(ports, fc.boolean(), (plugged, otherIsThere) => {
        const devices = plugged.map(({ number, serial: serialNumber }) => port(number, usb(serialNumber)));
        const others = otherIsThere ? ["/dev/ttyACM2"] : [];
        const found = place(own, devices, others);
        if (found.is === "another") return;
        expect(others).not.toContain(found.path);
        const opened = devices.find(({ path }) => path === found.path);
        expect(opened === undefined || opened.usb?.serialNumber === "A").toBe(true);
      }),
    );
  });
});
