import { rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { type LookOn, lookAtDevices, type Plugged } from "../../../src/transport/devices.ts";
import { CABLE, fakeSystem, HUB, KEYBOARD, PED, READER } from "./fake-system.ts";
import { usbBench } from "./usb-bench.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

function machine(on: Parameters<typeof fakeSystem>[0]): string {
  const root = fakeSystem(on);
  roots.push(root);
  return root;
}

/** What is seen on a fake Linux, its paths as on a real one. */
async function look(root: string, more: LookOn = {}): Promise<Plugged> {
  return withoutRoot(root, await lookAtDevices({ platform: "linux", root, ports: async () => [], ...more }));
}

/** The paths without the folder that plays the root. */
function withoutRoot(root: string, { devices, notes }: Plugged): Plugged {
  const cut = (path: string): string => path.replace(root, "");
  return {
    devices: devices.map((device) =>
      device.kind === "usb"
        ? { ...device, path: cut(device.path) }
        : { ...device, path: cut(device.path), stablePaths: device.stablePaths.map(cut) },
    ),
    notes,
  };
}

describe("on a Linux", () => {
  it("serial devices are told with ids, texts and every path, from sysfs alone", async () => {
    const { devices } = await look(machine({ usb: [PED, CABLE], builtIn: { ttyS0: "4", ttyS1: "0" } }));
    expect(devices).toEqual([
      {
        ...{
          kind: "serial",
          path: "/dev/ttyACM0",
          stablePaths: ["/dev/serial/by-id/usb-10000001-if00"],
          permitted: true,
          bus: "1-1",
        },
        usb: {
          vendorId: 0x2dda,
          productId: 0x0515,
          manufacturer: "Miura Systems",
          product: "M020",
          serialNumber: "10000001",
        },
      },
      { kind: "serial", path: "/dev/ttyS0", stablePaths: [], permitted: true },
      {
        ...{ kind: "serial", path: "/dev/ttyUSB0", stablePaths: [], permitted: true, bus: "1-5.2" },
        usb: { vendorId: 0x0403, productId: 0x6001, product: "FT232R" },
      },
    ]);
  });

  it("USB devices are told with ids, texts and whether they speak HID; hubs are not, serial ones not twice", async () => {
    const { devices } = await look(machine({ usb: [PED, READER, KEYBOARD, HUB] }));
    expect(devices.filter(({ kind }) => kind === "usb")).toEqual([
      {
        ...{ kind: "usb", port: "1-2", hid: true, path: "/dev/bus/usb/001/003", permitted: true },
        ...{
          vendorId: 0x0acd,
          productId: 0x3530,
          manufacturer: "ID TECH",
          product: "VP3300",
          serialNumber: "630Z000001",
        },
      },
      {
        kind: "usb",
        port: "1-3",
        hid: false,
        path: "/dev/bus/usb/001/004",
        permitted: true,
        vendorId: 0x046d,
        productId: 0xc31c,
        product: "Keyboard",
      },
    ]);
  });

  it("what serialport lists is only added", async () => {
    const root = machine({ usb: [PED] });
    const ports = async () => [
      { path: `${root}/dev/ttyACM0` },
      { path: "/dev/ttyS3" },
      { path: "/dev/rfcomm0", vendorId: "2DDA", productId: "0515", serialNumber: "7" },
    ];
    const { devices } = await look(root, { ports });
    expect(devices.map(({ path }) => path)).toEqual(["/dev/ttyACM0", "/dev/rfcomm0"]);
    expect(devices[1]).toMatchObject({ usb: { vendorId: 0x2dda, productId: 0x0515, serialNumber: "7" } });
  });

  it.each<[string, Parameters<typeof fakeSystem>[0], LookOn, RegExp]>([
    [
      "no udevadm",
      { usb: [PED] },
      { ports: () => Promise.reject(Object.assign(new Error("spawn"), { code: "ENOENT" })) },
      /^udevadm is not installed.*install udev/,
    ],
    [
      "a list that fails",
      { usb: [PED] },
      { ports: () => Promise.reject(new Error("odd")) },
      /^the list of serial ports failed \(odd\)/,
    ],
    ["no USB bus", { noBus: true }, {}, /^this machine has no USB .*must be given the USB bus$/],
    [
      "no files to open USB devices by",
      { usb: [READER], noNodes: true },
      {},
      /no \/dev\/bus\/usb; a container must be given it/,
    ],
  ])("%s is a note with the mend", async (_, on, more, note) => {
    const { notes } = await look(machine(on), more);
    expect(notes).toEqual([expect.stringMatching(note)]);
  });

  it("a device whose file is not there for this user is not permitted", async () => {
    const root = machine({ usb: [PED, READER] });
    rmSync(`${root}/dev/ttyACM0`);
    rmSync(`${root}/dev/bus/usb/001/003`);
    const { devices } = await look(root);
    expect(devices.map(({ permitted }) => permitted)).toEqual([false, false]);
  });
});

describe("on another system", () => {
  it("serialport and the usb package are asked", async () => {
    const bench = usbBench();
    bench.plug({ serialNumber: "630Z000001" });
    const ports = async () => [
      { path: "COM3", manufacturer: "Miura", vendorId: "2dda", productId: "0515" },
      { path: "COM1" },
    ];
    const { devices, notes } = await lookAtDevices({ platform: "windows", ports, bus: bench.bus });
    expect(devices).toEqual([
      {
        kind: "serial",
        path: "COM3",
        stablePaths: [],
        permitted: true,
        usb: { vendorId: 0x2dda, productId: 0x0515, manufacturer: "Miura" },
      },
      { kind: "serial", path: "COM1", stablePaths: [], permitted: true },
      expect.objectContaining({
        kind: "usb",
        vendorId: 0x0acd,
        productId: 0x3530,
        product: "Bench",
        serialNumber: "630Z000001",
      }),
    ]);
    expect(notes).toEqual([]);
  });

  it("a USB that cannot be asked is a note", async () => {
    const bench = usbBench();
    const bus = { ...bench.bus, devices: () => Promise.reject(new Error("no driver")) };
    const { notes } = await lookAtDevices({ platform: "bsd", ports: async () => [], bus });
    expect(notes).toEqual(["USB devices cannot be listed: Error: no driver"]);
  });
});
