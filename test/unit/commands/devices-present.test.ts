import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { requireDevices } from "../../../src/commands/devices-present.ts";
import type { Configuration } from "../../../src/config/configuration.ts";
import { parseConfiguration } from "../../../src/config/parse.ts";
import type { Plugged } from "../../../src/transport/devices.ts";
import { windowsDevice } from "../../../src/transport/windows-ports.ts";
import { SMALLEST, surroundings } from "../config/surroundings.ts";

const PORT = windowsDevice({ path: "COM5", vendorId: "2DDA", productId: "0515", serialNumber: "10000001" });
const NONE: Plugged = { devices: [], notes: [] };

function configured(serial: string): Configuration {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-present-"));
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true }));
  const reading = parseConfiguration(
    SMALLEST.replace("/dev/ttyACM0", serial),
    "/etc/posbridge/posbridge.yaml",
    surroundings(),
  );
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return { ...reading.configuration, dataDir };
}

it.each([
  ["a COM port that is plugged in", "COM5", { devices: [PORT], notes: [] }],
  ["the same in small letters", "com5", { devices: [PORT], notes: [] }],
  ["the USB device behind it", "USB\\VID_2DDA&PID_0515\\10000001", { devices: [PORT], notes: [] }],
  [
    "any port, where the ports cannot be listed",
    "COM5",
    { devices: [], notes: ["the list of serial ports failed (odd)"] },
  ],
])("a first start on Windows takes %s", async (_, serial, plugged) => {
  await expect(
    requireDevices(configured(serial), { platform: "windows", look: async () => plugged }),
  ).resolves.toBeUndefined();
});

it.each([
  [
    "COM6",
    { devices: [PORT], notes: [] },
    /^terminal till-1: no device at COM6 \(plugged in: USB\\VID_2DDA&PID_0515\\10000001 2dda:0515 serial number 10000001\)/,
  ],
  ["USB\\VID_2DDA&PID_0515\\10000002", { devices: [PORT], notes: [] }, /no device at USB\\VID_2DDA&PID_0515\\10000002/],
  ["COM5", NONE, /no device at COM5 \(none is plugged in\)/],
])("and refuses %s, which is not there", async (serial, plugged, words) => {
  await expect(requireDevices(configured(serial), { platform: "windows", look: async () => plugged })).rejects.toThrow(
    words,
  );
});

it("a first start on Linux looks for the file", async () => {
  const look = async () => NONE;
  await expect(
    requireDevices(configured("/dev/ttyACM0"), { platform: "linux", look, exists: () => true }),
  ).resolves.toBeUndefined();
  await expect(
    requireDevices(configured("/dev/ttyACM0"), { platform: "linux", look, exists: () => false }),
  ).rejects.toThrow("no device at /dev/ttyACM0");
});
