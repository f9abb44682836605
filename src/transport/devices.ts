import fs from "node:fs";
import path from "node:path";

/** Names by which udev knows serial devices across ports; the kernel's own names where there is no udev. */
const BY_ID = "/dev/serial/by-id";
const KERNEL_NAME = /^tty(ACM|USB)[0-9]+$/;
/** Where the kernel lists USB devices; without it there is no USB, and the native library must not be asked. */
const USB_DEVICES = "/sys/bus/usb/devices";
/** A line for a person, not an inventory. */
const MOST = 8;

/** What is plugged in and could be a terminal, one short text each, for a person who looks for the right path. Empty where nothing is, or nothing can be seen. */
export async function seenDevices(): Promise<readonly string[]> {
  return [...serialDevices(), ...(await usbDevices())].slice(0, MOST);
}

function serialDevices(): readonly string[] {
  const byId = entries(BY_ID).map((name) => path.join(BY_ID, name));
  return byId.length > 0 ? byId : entries("/dev").flatMap((name) => (KERNEL_NAME.test(name) ? [path.join("/dev", name)] : []));
}

function entries(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch {
    // Not on this system: nothing to see.
    return [];
  }
}

async function usbDevices(): Promise<readonly string[]> {
  if (!fs.existsSync(USB_DEVICES)) return [];
  try {
    const { WebUSB } = await import("usb");
    const devices = await new WebUSB({ allowAllDevices: true }).getDevices();
    return devices.map(({ vendorId, productId, productName }) => `USB ${hex(vendorId)}:${hex(productId)}${productName ? ` ${productName}` : ""}`);
  } catch {
    // No permission, or no USB after all: whoever asked wanted a hint, not an error.
    return [];
  }
}

function hex(id: number): string {
  return id.toString(16).padStart(4, "0");
}
