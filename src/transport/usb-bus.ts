/// <reference types="w3c-web-usb" />
import fs from "node:fs";
import path from "node:path";
import { systemPlatform } from "../kit/system-platform.ts";
import { LinkError } from "../terminal/link.ts";
import { type DeviceTexts, entries, linkName, textIn, textsIn } from "./sysfs.ts";
import type { UsbBus, UsbHandle } from "./usb-handle.ts";

/**
 * The kernel's list of USB devices. Without this folder the native library would end the process instead of throwing.
 */
const USB_DEVICES = "/sys/bus/usb/devices";

function hasUsb(): boolean {
  return systemPlatform !== "linux" || fs.existsSync(USB_DEVICES);
}

export const NO_USB =
  "this machine has no USB (no /sys/bus/usb/devices); a virtual machine or container must be given the USB bus";

const isLinux = systemPlatform === "linux";

/** The system's own USB. The native package is loaded on first use, so that a shop without USB never loads it. */
export const systemUsb: UsbBus = {
  devices: async () => {
    if (!hasUsb()) throw new LinkError("not-found", NO_USB);
    const { WebUSB } = await import("usb");
    return new WebUSB({ allowAllDevices: true }).getDevices();
  },
  texts: (device) => (isLinux ? linuxTexts(device) : askedTexts(device)),
  readMs: isLinux ? 2 ** 31 - 1 : 250,
  kernelDriver: (device, interfaceNumber) => {
    const folder = folderOf(device);
    const configuration = device.configuration?.configurationValue ?? 1;
    return folder === undefined
      ? undefined
      : linkName(path.join(USB_DEVICES, `${folder}:${configuration}.${interfaceNumber}`, "driver"));
  },
};

/** The kernel read them when the device was plugged in. The package would open the device to read a missing one. */
function linuxTexts(device: UsbHandle): DeviceTexts {
  const folder = folderOf(device);
  return folder === undefined ? {} : textsIn(path.join(USB_DEVICES, folder));
}

function askedTexts({ manufacturerName, productName, serialNumber }: UsbHandle): DeviceTexts {
  return {
    ...(manufacturerName && { manufacturer: manufacturerName }),
    ...(productName && { product: productName }),
    ...(serialNumber && { serialNumber }),
  };
}

function folderOf({ bus, address }: UsbHandle): string | undefined {
  return entries(USB_DEVICES).find((name) => {
    const numbers = ["busnum", "devnum"].map((file) =>
      Number.parseInt(textIn(path.join(USB_DEVICES, name, file)) ?? "", 10),
    );
    return numbers[0] === Number.parseInt(bus, 10) && numbers[1] === address;
  });
}
