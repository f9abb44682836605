import fs from "node:fs";
import path from "node:path";
import type { Cancel, Clock } from "../kit/clock.ts";
import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { listedPorts } from "./serial.ts";
import { entries } from "./sysfs.ts";
import { systemUsb } from "./usb-bus.ts";
import { pollPlugging } from "./windows-ports.ts";

/** /dev gets a file for each serial port, and below bus/usb a folder for each USB bus. */
const DEV = "/dev";
const USB_NODES = "bus/usb";
/** Other devices in /dev would wake the bridge for nothing. */
const PORT = /^tty(?:ACM|USB|S)[0-9]+$/;

/** Ports of the watch; this machine's by default. */
export interface PluggingOn {
  readonly clock: Clock;
  readonly platform?: Platform;
  readonly dev?: string;
  /** Windows only: the names of all plugged-in devices of that kind. */
  readonly names?: () => Promise<readonly string[]>;
  readonly kind: "serial" | "usb";
}

/**
 * Reports each new device that could be a terminal, while one is missing. Unix reports new files; Windows gives no
 * notice to a program without a window, so its lists are compared every two seconds.
 */
export function watchPlugging(
  told: () => void,
  { clock, kind, platform = systemPlatform, dev = DEV, names = NAMES[kind] }: PluggingOn,
): Cancel {
  return platform === "windows" ? pollPlugging(told, { clock, names }) : watchFolders(told, dev);
}

/** The USB package is loaded only if a terminal needs it. */
const NAMES: Readonly<Record<PluggingOn["kind"], () => Promise<readonly string[]>>> = {
  serial: async () => (await listedPorts()).map(({ path: port }) => port),
  usb: async () => (await systemUsb.devices()).map(({ bus, address }) => `${bus}-${address}`),
};

function watchFolders(told: () => void, dev: string): Cancel {
  const buses = path.join(dev, USB_NODES);
  const watched = [
    { folder: dev, fits: (name: string) => PORT.test(name) },
    ...entries(buses).map((bus) => ({ folder: path.join(buses, bus), fits: () => true })),
  ];
  const watchers = watched.flatMap(({ folder, fits }) => watcher(folder, (name) => (fits(name) ? told() : undefined)));
  return () => {
    for (const each of watchers) each.close();
  };
}

function watcher(folder: string, appeared: (name: string) => void): readonly fs.FSWatcher[] {
  try {
    const watching = fs.watch(folder, { persistent: false }, (event, name) => {
      // Every write to a device is a "change"; only "rename" reports a new or removed file.
      if (event === "rename" && name !== null && fs.existsSync(path.join(folder, name))) appeared(name);
    });
    watching.on("error", () => watching.close());
    return [watching];
  } catch {
    // The folder is missing, or this machine has too many watches. The next try looks again.
    return [];
  }
}
