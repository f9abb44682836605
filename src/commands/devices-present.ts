import fs from "node:fs";
import type { Configuration, Connection } from "../config/configuration.ts";
import { openKnownTerminals } from "../journal/known-terminals.ts";
import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { deviceName, lookAtDevices, type PluggedDevice } from "../transport/devices.ts";
import { usbName } from "../transport/usb.ts";
import { followedPort } from "../transport/windows-ports.ts";
import { UsageProblem } from "./terminal-output.ts";

/** A line for a person, not an inventory. */
const MOST_NAMED = 8;

/** Ports of the check; this machine by default. */
export interface PresenceOn {
  readonly platform?: Platform;
  readonly look?: typeof lookAtDevices;
  readonly exists?: (path: string) => boolean;
}

/**
 * Before any terminal of this data folder has answered, a missing device most likely means a wrong path or number, so
 * the start fails. Later the shop must open even if a terminal is off: the bridge starts and waits.
 */
export async function requireDevices({ terminals, dataDir }: Configuration, on: PresenceOn = {}): Promise<void> {
  const { platform = systemPlatform, look = lookAtDevices, exists = fs.existsSync } = on;
  const known = openKnownTerminals(dataDir);
  if (terminals.some(({ id }) => known.serialNumber(id) !== undefined)) return;
  const isFar = ({ kind }: Connection): boolean => kind === "tcp" || kind === "websocket";
  const isFile = (path: string): boolean => platform !== "windows" && exists(path);
  if (
    terminals.every(({ connection }) => isFar(connection) || (connection.kind === "serial" && isFile(connection.path)))
  )
    return;
  const { devices, notes } = await look();
  const ports = devices.filter((device) => device.kind === "serial");
  // A failed list proves nothing about a port.
  const isPort = (path: string): boolean =>
    platform === "windows" && (followedPort(path, ports) !== undefined || (ports.length === 0 && notes.length > 0));
  for (const { id, connection } of terminals) {
    const missing = missingDevice(connection, devices, (path) => isFile(path) || isPort(path));
    if (missing === undefined) continue;
    const here =
      devices.length === 0
        ? ["none is plugged in", ...notes].join("; ")
        : `plugged in: ${devices.slice(0, MOST_NAMED).map(deviceName).join(", ")}`;
    throw new UsageProblem(
      `terminal ${id}: no device ${missing} (${here}); plug it in and switch it on, or correct connection.${connection.kind}`,
    );
  }
}

function missingDevice(
  connection: Connection,
  devices: readonly PluggedDevice[],
  isHere: (path: string) => boolean,
): string | undefined {
  switch (connection.kind) {
    case "tcp":
    case "websocket":
      return undefined;
    case "serial":
      return isHere(connection.path) ? undefined : `at ${connection.path}`;
    case "usb": {
      const { vendorId, productId, serialNumber } = connection;
      const isPlugged = devices.some(
        (device) =>
          device.kind === "usb" &&
          device.vendorId === vendorId &&
          device.productId === productId &&
          (serialNumber === undefined || device.serialNumber === serialNumber),
      );
      return isPlugged ? undefined : usbName(connection);
    }
  }
}
