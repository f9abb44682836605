import fs from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { driverModels } from "../../../drivers/index.ts";
import { deviceFindings } from "../../../src/agent/device-findings.ts";
import type { TerminalSettings } from "../../../src/config/configuration.ts";
import { followed } from "../../../src/config/load.ts";
import { linuxDeviceWitness } from "../../../src/transport/device-access.ts";
import { lookAtDevices } from "../../../src/transport/devices.ts";
import { CABLE, fakeSystem, KEYBOARD, PED, READER } from "../transport/fake-system.ts";

const terminal = (id: string, connection: TerminalSettings["connection"]) => ({
  terminal: {
    id,
    connection,
    model: "miura-m020",
    options: {},
    terminalId: "1",
    entityId: "e",
    settlement: "dual",
    settlementByBrand: {},
  } satisfies TerminalSettings,
  place: {},
});

function lookOn(
  usb: Parameters<typeof fakeSystem>[0]["usb"],
  terminals: (root: string) => readonly ReturnType<typeof terminal>[] = () => [],
) {
  const root = fakeSystem({ usb: usb ?? [] });
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const witness = linuxDeviceWitness(root, { pid: 1, uid: 998, groups: [] });
  const plugged = () => lookAtDevices({ platform: "linux", root, ports: async () => [] });
  return { root, look: { models: driverModels, terminals: terminals(root), followed, plugged, witness } };
}

it("finds each terminal's device, and the name that stays where the configured one may change", async () => {
  const { root, look } = lookOn([PED, READER], (at) => [
    terminal("till-1", { kind: "serial", path: path.join(at, "dev/ttyACM0") }),
    terminal("till-2", { kind: "serial", path: path.join(at, "dev/serial/by-id/usb-10000001-if00") }),
    terminal("till-3", { kind: "usb", vendorId: 0x0acd, productId: 0x3530 }),
    terminal("till-4", { kind: "serial", path: path.join(at, "dev/ttyACM7") }),
    terminal("till-5", { kind: "tcp", host: "192.168.1.20", port: 6543 }),
  ]);
  const found = await deviceFindings(look, { others: false });
  expect(
    found.map(({ terminal: id, isHere, node, stableName }) => [
      id,
      isHere,
      node?.path.replace(root, ""),
      stableName?.replace(root, ""),
    ]),
  ).toEqual([
    ["till-1", true, "/dev/ttyACM0", "/dev/serial/by-id/usb-10000001-if00"],
    ["till-2", true, "/dev/ttyACM0", undefined],
    ["till-3", true, "/dev/bus/usb/001/003", undefined],
    ["till-4", false, undefined, undefined],
  ]);
});

it("shows what is plugged in besides and may be a terminal, and no keyboard", async () => {
  const { look } = lookOn([PED, KEYBOARD, CABLE]);
  expect(
    (await deviceFindings(look, { others: true })).map(({ name, terminal: id }) => [
      name.replace(/^.*\/dev/, "/dev"),
      id,
    ]),
  ).toEqual([
    ["/dev/serial/by-id/usb-10000001-if00 2dda:0515 Miura Systems M020 serial number 10000001", undefined],
    ["/dev/ttyUSB0 0403:6001 FT232R", undefined],
  ]);
  expect(await deviceFindings(look, { others: false })).toEqual([]);
});

it("finds a COM port where devices have no nodes", async () => {
  const { look } = lookOn([], () => [terminal("till-1", { kind: "serial", path: "COM5" })]);
  const plugged = async () => ({
    devices: [{ kind: "serial", path: "COM5", stablePaths: [], permitted: true } as const],
    notes: [],
  });
  expect(await deviceFindings({ ...look, plugged, witness: undefined }, { others: false })).toEqual([
    { kind: "serial", terminal: "till-1", name: "COM5", isHere: true, takers: [], hasRules: true },
  ]);
});
