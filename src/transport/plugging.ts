import fs from "node:fs";
import path from "node:path";
import type { Cancel, Clock } from "../kit/clock.ts";
import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { listedPorts } from "./serial.ts";
import { entries } from "./sysfs.ts";
import { systemUsb } from "./usb-bus.ts";
import { pollPlugging } from "./windows-ports.ts";

/** Where a file appears for every device that is plugged in: serial ports, and further below a folder for each USB bus. */
const DEV = "/dev";
const USB_NODES = "bus/usb";
/** What comes and goes in /dev and is no terminal would only wake the bridge for nothing. */
const PORT = /^tty(?:ACM|USB|S)[0-9]+$/;

/** What a watch stands on: this machine, where it is not said. */
export interface PluggingOn {
  readonly clock: Clock;
  readonly platform?: Platform;
  readonly dev?: string;
  /** On Windows: a name for each device of that kind that is plugged in. */
  readonly names?: () => Promise<readonly string[]>;
  readonly kind: "serial" | "usb";
}

/**
 * Tells when something was plugged in that could be a terminal. Unix gives notice of new files; Windows gives none to a program without a window, so its lists are looked at
 * every two seconds. Meant for the time in which a terminal is away.
 */
export function watchPlugging(told: () => void, { clock, kind, platform = systemPlatform, dev = DEV, names = NAMES[kind] }: PluggingOn): Cancel {
  return platform === "windows" ? pollPlugging(told, { clock, names }) : watchFolders(told, dev);
}

/** The USB package is loaded only where a terminal needs it. */
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
      // Every byte written to any device is a "change"; only "rename" is a file that comes or goes.
      if (event === "rename" && name !== null && fs.existsSync(path.join(folder, name))) appeared(name);
    });
    watching.on("error", () => watching.close());
    return [watching];
  } catch {
    // No such folder, or too many are watched on this machine: the next look comes with the next try.
    return [];
  }
}
