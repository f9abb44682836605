import { describe, expect, it } from "vitest";
import { LinkError } from "../../../src/terminal/link.ts";
import { lookAtDevices } from "../../../src/transport/devices.ts";
import { openFollowing, windowsPorts } from "../../../src/transport/following.ts";
import { serialError } from "../../../src/transport/serial.ts";
import type { ListedPort } from "../../../src/transport/serial-devices.ts";
import type { KnownPort, Place } from "../../../src/transport/serial-place.ts";
import { usbError } from "../../../src/transport/usb-error.ts";
import { followedPort, mergedPorts, registeredPorts, windowsDevice } from "../../../src/transport/windows-ports.ts";
import { usbBench } from "./usb-bench.ts";

/** As serialport lists them on Windows. */
const MIURA: ListedPort = {
  path: "COM5",
  manufacturer: "Microsoft",
  vendorId: "2DDA",
  productId: "0515",
  serialNumber: "10000001",
};
const CABLE: ListedPort = {
  path: "COM3",
  manufacturer: "FTDI",
  vendorId: "0403",
  productId: "6001",
  serialNumber: "6&1A2B3C4D&0&2",
};
const BUILT_IN: ListedPort = { path: "COM1", manufacturer: "(Standard port types)" };
const NAME = "USB\\VID_2DDA&PID_0515\\10000001";

describe("ports of Windows", () => {
  it("have a name that stays the same where the device has a serial number of its own", async () => {
    const { devices } = await lookAtDevices({
      platform: "windows",
      ports: async () => [MIURA, CABLE, BUILT_IN],
      bus: usbBench().bus,
    });
    expect(devices).toEqual([
      {
        ...{ kind: "serial", path: "COM5", stablePaths: [NAME], permitted: true },
        usb: { vendorId: 0x2dda, productId: 0x0515, manufacturer: "Microsoft", serialNumber: "10000001" },
      },
      {
        kind: "serial",
        path: "COM3",
        stablePaths: [],
        permitted: true,
        usb: { vendorId: 0x0403, productId: 0x6001, manufacturer: "FTDI" },
      },
      { kind: "serial", path: "COM1", stablePaths: [], permitted: true },
    ]);
  });

  it("that Plug and Play does not know are found where drivers register them", () => {
    const printed = [
      "",
      "HKEY_LOCAL_MACHINE\\HARDWARE\\DEVICEMAP\\SERIALCOMM",
      "    \\Device\\Serial0    REG_SZ    COM1",
      "    \\Device\\com0com10    REG_SZ    CNCA0",
      "    \\Device\\USBSER000    REG_SZ    COM5",
      "",
    ].join("\r\n");
    expect(registeredPorts(printed)).toEqual(["COM1", "CNCA0", "COM5"]);
    expect(registeredPorts("ERROR: The system was unable to find the specified registry key or value.")).toEqual([]);
    expect(mergedPorts([MIURA], registeredPorts(printed)).map(({ path }) => path)).toEqual(["COM5", "COM1", "CNCA0"]);
  });

  it("that cannot be listed are a note that fits Windows", async () => {
    const ports = () => Promise.reject(new Error("odd"));
    const { notes } = await lookAtDevices({ platform: "windows", ports, bus: usbBench().bus });
    expect(notes).toEqual(["the list of serial ports failed (odd): name the port in the configuration by hand"]);
  });

  it.each([
    ["COM5", "COM5"],
    ["com5", "COM5"],
    [NAME, "COM5"],
    [NAME.toLowerCase(), "COM5"],
    ["USB\\VID_2DDA&PID_0515\\10000002", undefined],
    ["COM7", undefined],
  ])("%s leads to %s", (name, port) => {
    expect(followedPort(name, [MIURA, BUILT_IN].map(windowsDevice))).toBe(port);
  });
});

describe("a terminal on Windows", () => {
  async function opened(path: string, listed: readonly ListedPort[], known: KnownPort = {}) {
    const asked: string[] = [];
    const places: Place[] = [];
    const ports = windowsPorts(
      async () => listed,
      async (port) => {
        asked.push(port);
        if (!listed.some((one) => one.path === port))
          throw serialError(port, new Error(`Opening ${port}: File not found`), "windows");
        return {
          incoming: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) },
          write: async () => undefined,
          close: async () => undefined,
        };
      },
    );
    const settings = { baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 } as const;
    const problem = await openFollowing(
      { path, settings, known, others: [], opened: (place) => void places.push(place) },
      ports,
    ).catch((error: unknown) => error);
    return { asked, places, problem: problem instanceof LinkError ? `${problem.code}: ${problem.message}` : undefined };
  }

  const usb = { vendorId: 0x2dda, productId: 0x0515, serialNumber: "10000001" };

  it("is opened by the name of its USB device, whatever number its port has", async () => {
    expect(await opened(NAME, [BUILT_IN, { ...MIURA, path: "COM11" }])).toMatchObject({
      asked: ["COM11"],
      places: [{ is: "here", path: NAME, usb }],
    });
  });

  it("is followed to another port by its serial number", async () => {
    expect(await opened("COM5", [{ ...MIURA, path: "COM7" }], { usb })).toMatchObject({
      asked: ["COM7"],
      places: [{ is: "moved", path: "COM7" }],
    });
  });

  it("is not taken for another one that has its port", async () => {
    const { asked, problem } = await opened("COM5", [{ ...MIURA, serialNumber: "20000002" }], { usb });
    expect({ asked, problem }).toEqual({
      asked: [],
      problem: expect.stringMatching(/^not-found: another device is at COM5: USB 2dda:0515 20000002/),
    });
  });

  it("that is not plugged in is named as it was configured", async () => {
    const { problem } = await opened(NAME, [BUILT_IN]);
    expect(problem).toBe(
      `not-found: no device at ${NAME}; is it plugged in and switched on? posbridge terminals scan shows every port`,
    );
  });
});

describe("what Windows says of a serial port, in words of Windows", () => {
  it.each([
    ["Opening COM5: Access denied", "busy", "another program has it open"],
    ["Opening COM5: File not found", "not-found", "terminals scan"],
    ["Opening COM5: Unknown error code 31", "not-found", "is it plugged in"],
    ["Open (SetCommState): The parameter is incorrect", "failed", "options.baudRate"],
    ["Reading from COM port (ReadIOCompletion): Access denied", "lost", "unplugged"],
    ["Reading from COM port (ReadIOCompletion): Operation aborted", "lost", "unplugged"],
    ["Writing to COM port (GetOverlappedResult): Unknown error code 22", "lost", "unplugged"],
    ["Setting COM timeout (SetCommTimeouts): Invalid handle", "lost", "unplugged"],
    ["Port is not open", "lost", "unplugged"],
    ["something new", "failed", "something new"],
  ])("%s", (said, code, hint) => {
    const error = serialError("COM5", new Error(said), "windows");
    expect(error.code).toBe(code);
    expect(error.message).toContain(hint);
    expect(error.message).toContain("COM5");
    expect(error.message).not.toMatch(/dialout|\/dev/);
  });
});

describe("what Windows says of a USB device", () => {
  it.each([
    ["incompatible driver is installed for this interface", "no-permission", "give it the driver WinUSB"],
    [
      "Could not find DeviceInterfaceGUIDs in registry. WinUSB driver may not be correctly installed for this interface.",
      "no-permission",
      "WinUSB",
    ],
    ["failed to open device", "busy", "used by another program"],
    ["device disconnected", "lost", "unplugged"],
  ])("%s", (said, code, hint) => {
    const error = usbError("USB device 0acd:3530", new Error(said), "/dev/bus/usb/001/002", "windows");
    expect(error.code).toBe(code);
    expect(error.message).toContain(hint);
    expect(error.message).not.toMatch(/dialout|\/dev|udev/);
  });
});
