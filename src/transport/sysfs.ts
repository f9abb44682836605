import fs from "node:fs";
import path from "node:path";

/** Names in a folder, sorted; none if it is missing or may not be read. */
export function entries(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch {
    // Not on this system, or just unplugged.
    return [];
  }
}

/** A small text file without its end of line; undefined if missing. */
export function textIn(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8").trim();
  } catch {
    // The device has no such text, or was just unplugged.
    return undefined;
  }
}

/** A number in hexadecimal, the form of ids and classes. */
export function hexIn(file: string): number | undefined {
  const text = textIn(file);
  return text !== undefined && /^[0-9a-f]+$/i.test(text) ? Number.parseInt(text, 16) : undefined;
}

/** The last part of a symbolic link's target. */
export function linkName(link: string): string | undefined {
  const target = linkTarget(link);
  return target === undefined ? undefined : path.basename(target);
}

/** A symbolic link's target as written. */
export function linkTarget(link: string): string | undefined {
  try {
    return fs.readlinkSync(link);
  } catch {
    // No such link.
    return undefined;
  }
}

/** The target of a path with every link followed; undefined if there is none. */
export function followed(link: string): string | undefined {
  try {
    return fs.realpathSync(link);
  } catch {
    // A link without a device behind it.
    return undefined;
  }
}

/** String descriptors of a device, as far as the system knows them without opening it. */
export interface DeviceTexts {
  readonly manufacturer?: string;
  readonly product?: string;
  readonly serialNumber?: string;
}

/** String descriptors in a USB device's folder of sysfs: the kernel read them when the device was plugged in. */
export function textsIn(folder: string): DeviceTexts {
  const [manufacturer, product, serialNumber] = ["manufacturer", "product", "serial"].map((name) =>
    textIn(path.join(folder, name)),
  );
  return { ...(manufacturer && { manufacturer }), ...(product && { product }), ...(serialNumber && { serialNumber }) };
}

/** Whether this user may read and write the file. */
export function mayOpen(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK);
    return true;
  } catch {
    // Missing, or forbidden to this user.
    return false;
  }
}
