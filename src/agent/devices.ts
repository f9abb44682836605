import type { Connection, TerminalSettings } from "../config/configuration.ts";
import type { DeviceView, WrittenConnection } from "../register/ports.ts";
import type { DriverModel } from "../terminal/driver.ts";
import { type Matching, matchDevice } from "../terminal/match.ts";
import { deviceName, type PluggedDevice } from "../transport/devices.ts";
import { UDEV_RULES } from "../transport/usb-error.ts";
import type { LinePlace } from "./lines.ts";

/** The probable model of a plugged-in device. */
export function matchingOf(device: PluggedDevice, models: readonly DriverModel[]): Matching {
  const shown =
    device.kind === "usb"
      ? { over: "usb" as const, ...device, paths: [device.path] }
      : { over: "serial" as const, ...device.usb, paths: [device.path, ...device.stablePaths] };
  return matchDevice(shown, models);
}

/** Why this user cannot open the device, with the fix. */
export function permissionProblem({ path, permitted }: PluggedDevice): string | undefined {
  if (permitted) return undefined;
  return `no permission for ${path}: install config/udev/${UDEV_RULES}, add this user to the group dialout, log in again and plug the device in anew`;
}

/** A terminal and the last place of its line. */
export interface TerminalInPlace {
  readonly terminal: TerminalSettings;
  readonly place: LinePlace;
}

export interface LookedAt {
  readonly models: readonly DriverModel[];
  readonly terminals: readonly TerminalInPlace[];
  /** The path with links followed. */
  readonly followed: (path: string) => string;
}

/** A device as shown to a technician. */
export function deviceView(device: PluggedDevice, on: LookedAt): DeviceView {
  const { model, candidates } = matchingOf(device, on.models);
  const usedBy = on.terminals.find((one) => isDeviceOf(device, one, on.followed))?.terminal.id;
  const usb = device.kind === "usb" ? device : device.usb;
  const problem = permissionProblem(device);
  return {
    connection: connectionOf(device),
    name: deviceName(device),
    ...(usb?.serialNumber !== undefined && { serialNumber: usb.serialNumber }),
    ...(model !== undefined && { model }),
    likely: candidates.map((one) => ({ model: one.model, title: one.title, why: one.because.join(", ") })),
    ...(usedBy !== undefined && { usedBy }),
    ...(problem !== undefined && { problem }),
  };
}

function connectionOf(device: PluggedDevice): WrittenConnection {
  if (device.kind === "serial") return { serial: device.stablePaths[0] ?? device.path };
  const { vendorId, productId, serialNumber } = device;
  return { usb: { vendorId, productId, ...(serialNumber !== undefined && { serialNumber }) } };
}

/** Tells whether the device belongs to that terminal: at the configured place, or where it was last found. */
export function isDeviceOf(
  device: PluggedDevice,
  { terminal: { connection }, place }: TerminalInPlace,
  followed: (path: string) => string,
): boolean {
  if (device.kind === "usb") return connection.kind === "usb" && isSameUsb(device, connection);
  if (connection.kind !== "serial") return false;
  const at = followed(place.path ?? connection.path);
  return [device.path, ...device.stablePaths].some((path) => followed(path) === at);
}

function isSameUsb(
  device: Extract<PluggedDevice, { kind: "usb" }>,
  { vendorId, productId, serialNumber }: Extract<Connection, { kind: "usb" }>,
): boolean {
  return (
    device.vendorId === vendorId &&
    device.productId === productId &&
    (serialNumber === undefined || device.serialNumber === serialNumber)
  );
}
