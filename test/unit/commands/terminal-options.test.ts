import { expect, it } from "vitest";
import { type DeviceOptions, deviceOf } from "../../../src/commands/terminal-options.ts";

it.each<readonly [string, DeviceOptions, object]>([
  ["nothing", {}, {}],
  ["a path, which is made absolute", { serial: "ttyACM1" }, { connection: { serial: `${process.cwd()}/ttyACM1` } }],
  ["a port of Windows", { serial: "COM3" }, { connection: { serial: "COM3" } }],
  ["an address", { tcp: "10.0.0.9:4000" }, { connection: { tcp: "10.0.0.9:4000" } }],
  ["USB ids", { usb: "0acd:3530" }, { connection: { usb: { vendorId: 0x0acd, productId: 0x3530 } } }],
  [
    "USB ids with a serial number",
    { usb: "0x0acd:0x3530:630:1" },
    { connection: { usb: { vendorId: 0x0acd, productId: 0x3530, serialNumber: "630:1" } } },
  ],
  [
    "what the acquirer is told, and options",
    { model: "m", terminalId: "1", deviceType: "T", deviceId: "2", option: ["baudRate=9600", "a=b=c"] },
    { model: "m", terminalId: "1", deviceType: "T", deviceId: "2", options: { baudRate: "9600", a: "b=c" } },
  ],
])("a device is said by %s", (_, options, device) => {
  expect(deviceOf(options)).toEqual(device);
});

it.each<readonly [DeviceOptions, RegExp]>([
  [{ serial: "/dev/a", tcp: "b:1" }, /--serial and --tcp: a terminal has one connection/],
  [{ usb: "acd" }, /--usb acd: write VENDOR:PRODUCT in hexadecimal digits/],
  [{ usb: "zzzz:0001" }, /--usb zzzz:0001/],
  [{ option: ["baudRate"] }, /--option baudRate: write NAME=VALUE/],
])("%j is refused with what to write", (options, problem) => {
  expect(() => deviceOf(options)).toThrow(problem);
});
