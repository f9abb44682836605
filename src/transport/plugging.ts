import fs from "node:fs";
import path from "node:path";
import type { Cancel } from "../kit/clock.ts";
import { entries } from "./sysfs.ts";

/** Where a file appears for every device that is plugged in: serial ports, and further below a folder for each USB bus. */
const DEV = "/dev";
const USB_NODES = "bus/usb";
/** What comes and goes in /dev and is no terminal would only wake the bridge for nothing. */
const PORT = /^tty(?:ACM|USB|S)[0-9]+$/;

/**
 * Tells when something was plugged in that could be a terminal, without asking for it again and again: the system's own notices of new files are all it uses. Where it has
 * none, nothing is ever told. Meant for the time in which a terminal is away.
 */
export function watchPlugging(told: () => void, dev: string = DEV): Cancel {
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
