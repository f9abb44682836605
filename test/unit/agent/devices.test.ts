import { expect, it } from "vitest";
import { driverModels } from "../../../drivers/index.ts";
import { deviceView, type TerminalInPlace } from "../../../src/agent/devices.ts";
import type { Connection } from "../../../src/config/configuration.ts";
import type { PluggedDevice } from "../../../src/transport/devices.ts";

const LINKS: Readonly<Record<string, string>> = { "/dev/serial/by-id/usb-10000001-if00": "/dev/ttyACM0" };
const followed = (path: string): string => LINKS[path] ?? path;

const ped: PluggedDevice = {
  ...{ kind: "serial", path: "/dev/ttyACM0", stablePaths: ["/dev/serial/by-id/usb-10000001-if00"], permitted: true },
  usb: {
    vendorId: 0x2dda,
    productId: 0x0515,
    manufacturer: "Miura Systems",
    product: "M020",
    serialNumber: "10000001",
  },
};
const reader: PluggedDevice = {
  ...{
    kind: "usb",
    vendorId: 0x0acd,
    productId: 0x3530,
    serialNumber: "630Z000001",
    port: "1-2",
    path: "/dev/bus/usb/001/004",
    hid: true,
    permitted: true,
  },
};

const terminal = (connection: Connection, place: TerminalInPlace["place"] = {}): TerminalInPlace => ({
  terminal: {
    id: "till-1",
    model: "miura-m020",
    connection,
    options: {},
    terminalId: "1",
    entityId: "e",
    settlement: "dual",
    settlementByBrand: {},
  },
  place,
});
const usedBy = (device: PluggedDevice, one: TerminalInPlace) =>
  deviceView(device, { models: driverModels, terminals: [one], followed }).usedBy;

it("a device is told with the connection that pairs it, and the model that it probably is", () => {
  expect(deviceView(ped, { models: driverModels, terminals: [], followed })).toEqual({
    connection: { serial: "/dev/serial/by-id/usb-10000001-if00" },
    name: expect.stringContaining("Miura Systems M020"),
    serialNumber: "10000001",
    model: "miura-m020",
    likely: [{ model: "miura-m020", title: "Miura M020", why: expect.stringContaining("vendor id 2dda") }],
  });
  expect(deviceView({ ...reader, permitted: false }, { models: driverModels, terminals: [], followed })).toMatchObject({
    connection: { usb: { vendorId: 0x0acd, productId: 0x3530, serialNumber: "630Z000001" } },
    model: "idtech-vp3300",
    problem: expect.stringContaining("no permission for /dev/bus/usb/001/004"),
  });
});

it.each([
  ["its path", ped, terminal({ kind: "serial", path: "/dev/ttyACM0" }), "till-1"],
  [
    "another name of its path",
    ped,
    terminal({ kind: "serial", path: "/dev/serial/by-id/usb-10000001-if00" }),
    "till-1",
  ],
  [
    "where it was found when it had moved",
    ped,
    terminal({ kind: "serial", path: "/dev/ttyACM7" }, { path: "/dev/ttyACM0" }),
    "till-1",
  ],
  [
    "a path that it has left",
    ped,
    terminal({ kind: "serial", path: "/dev/ttyACM0" }, { path: "/dev/ttyACM7" }),
    undefined,
  ],
  ["another path", ped, terminal({ kind: "serial", path: "/dev/ttyACM1" }), undefined],
  ["the network", ped, terminal({ kind: "tcp", host: "10.0.0.1", port: 1 }), undefined],
  ["its ids", reader, terminal({ kind: "usb", vendorId: 0x0acd, productId: 0x3530 }), "till-1"],
  [
    "its ids and serial number",
    reader,
    terminal({ kind: "usb", vendorId: 0x0acd, productId: 0x3530, serialNumber: "630Z000001" }),
    "till-1",
  ],
  [
    "the serial number of another",
    reader,
    terminal({ kind: "usb", vendorId: 0x0acd, productId: 0x3530, serialNumber: "630Z000002" }),
    undefined,
  ],
])("a device is a terminal's, or nobody's, by %s", (_, device, one, id) => {
  expect(usedBy(device, one)).toBe(id);
});
