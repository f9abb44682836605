import fs from "node:fs";
import path from "node:path";

/** Names in a folder, in order; none where it is not there or may not be read. */
export function entries(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch {
    // Not on this system, or just unplugged: nothing to see.
    return [];
  }
}

/** A small text file without its end of line; undefined where there is none. */
export function textIn(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8").trim();
  } catch {
    // A device without that text, or one that was just unplugged.
    return undefined;
  }
}

/** A number written in hexadecimal, as ids and classes are. */
export function hexIn(file: string): number | undefined {
  const text = textIn(file);
  return text !== undefined && /^[0-9a-f]+$/i.test(text) ? Number.parseInt(text, 16) : undefined;
}

/** The last part of what a symbolic link points to. */
export function linkName(link: string): string | undefined {
  const target = linkTarget(link);
  return target === undefined ? undefined : path.basename(target);
}

/** What a symbolic link points to, as it is written there. */
export function linkTarget(link: string): string | undefined {
  try {
    return fs.readlinkSync(link);
  } catch {
    // No such link.
    return undefined;
  }
}

/** Where a path leads with every link followed; undefined where it leads nowhere. */
export function followed(link: string): string | undefined {
  try {
    return fs.realpathSync(link);
  } catch {
    // A link without a device behind it.
    return undefined;
  }
}

/** What a device says of itself in its string descriptors, as far as the system knows it without opening the device. */
export interface DeviceTexts {
  readonly manufacturer?: string;
  readonly product?: string;
  readonly serialNumber?: string;
}

/** The string descriptors in a USB device's folder of sysfs: the kernel read them when it was plugged in. */
export function textsIn(folder: string): DeviceTexts {
  const [manufacturer, product, serialNumber] = ["manufacturer", "product", "serial"].map((name) => textIn(path.join(folder, name)));
  return { ...(manufacturer && { manufacturer }), ...(product && { product }), ...(serialNumber && { serialNumber }) };
}

/** Whether this user may open the file for reading and writing. */
export function mayOpen(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK);
    return true;
  } catch {
    // Not there, or not for this user.
    return false;
  }
}
