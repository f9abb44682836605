import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { SimulatorProblem } from "./simulator-problem.ts";

/** Where the kernel keeps its gadgets (Documentation/usb/gadget_configfs.rst). */
const GADGETS = "/sys/kernel/config/usb_gadget";

/** The cable between a gadget and its host. */
export interface GadgetPlug {
  unplug(): void;
  /** Into the port it was in before, unless somebody has put it into another one meanwhile. */
  plug(): void;
}

/** Finds the gadget behind a device file: for HID by the file's device number, for a serial line by its port number. Throws a SimulatorProblem where there is none. */
export function gadgetPlug(file: string): GadgetPlug {
  const folder = gadgetOf(file);
  if (folder === undefined) throw new SimulatorProblem(`${file} belongs to no USB gadget of this machine (${GADGETS}): set one up and bind it to a controller`);
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
    .find((gadget) => entries(join(gadget, "functions")).some((name) => isBehind(join(gadget, "functions", name), file)));
}

function isBehind(functionFolder: string, file: string): boolean {
  const device = textIn(join(functionFolder, "dev"));
  if (device !== undefined) return device === deviceNumber(file);
  const port = textIn(join(functionFolder, "port_num"));
  return port !== undefined && basename(file) === `ttyGS${port}`;
}

/** Major and minor as the kernel writes them; glibc's makedev keeps the low eight bits of the minor below the major. */
function deviceNumber(file: string): string | undefined {
  const device = statSync(file, { throwIfNoEntry: false })?.rdev;
  return device === undefined ? undefined : `${(device >> 8) & 0xfff}:${(device & 0xff) | ((device >> 12) & 0xfff00)}`;
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No configfs here, or a gadget without functions: nothing to be found.
    return [];
  }
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    // A function of another kind has no such file.
    return undefined;
  }
}
