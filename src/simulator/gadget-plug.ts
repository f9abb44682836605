import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { SimulatorProblem } from "./simulator-problem.ts";

/** The kernel's gadgets (Documentation/usb/gadget_configfs.rst). */
const GADGETS = "/sys/kernel/config/usb_gadget";

export interface GadgetPlug {
  unplug(): void;
  /** Binds to the previous port, unless the gadget was bound elsewhere meanwhile. */
  plug(): void;
}

/**
 * Finds the gadget of a device file: for HID by device number, for serial lines by port number. Throws a
 * SimulatorProblem if there is none.
 */
export function gadgetPlug(file: string): GadgetPlug {
  const folder = gadgetOf(file);
  if (folder === undefined)
    throw new SimulatorProblem(
      `${file} belongs to no USB gadget of this machine (${GADGETS}): set one up and bind it to a controller`,
    );
  const controller = join(folder, "UDC");
  const bound = (): string => readFileSync(controller, "utf8").trim();
  let port = bound();
  return {
    unplug: () => {
      if (bound() === "") return;
      port = bound();
      writeFileSync(controller, "\n");
    },
    plug: () => {
      if (bound() === "" && port !== "") writeFileSync(controller, port);
    },
  };
}

function gadgetOf(file: string): string | undefined {
  return entries(GADGETS)
    .map((name) => join(GADGETS, name))
    .find((gadget) =>
      entries(join(gadget, "functions")).some((name) => isBehind(join(gadget, "functions", name), file)),
    );
}

function isBehind(functionFolder: string, file: string): boolean {
  const device = textIn(join(functionFolder, "dev"));
  if (device !== undefined) return device === deviceNumber(file);
  const port = textIn(join(functionFolder, "port_num"));
  return port !== undefined && basename(file) === `ttyGS${port}`;
}

/** Major and minor in the kernel's format; glibc's makedev puts the low eight bits of the minor below the major. */
function deviceNumber(file: string): string | undefined {
  const device = statSync(file, { throwIfNoEntry: false })?.rdev;
  return device === undefined ? undefined : `${(device >> 8) & 0xfff}:${(device & 0xff) | ((device >> 12) & 0xfff00)}`;
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No configfs, or a gadget without functions.
    return [];
  }
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    // Functions of other kinds have no such file.
    return undefined;
  }
}
