import fs from "node:fs";
import path from "node:path";
import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { LinkError } from "../terminal/link.ts";
import { listedPorts } from "./serial.ts";
import { type ListedPort, linuxSerialDevices, listedDevice, type SerialDevice } from "./serial-devices.ts";
import { NO_USB, systemUsb } from "./usb-bus.ts";
import { linuxUsbDevices, type UsbPlugged } from "./usb-devices.ts";
import type { UsbBus } from "./usb-handle.ts";
import { windowsDevice } from "./windows-ports.ts";

export type PluggedDevice = SerialDevice | UsbPlugged;

/** Plugged-in devices, and a note with the fix for each place that could not be searched. */
export interface Plugged {
  readonly devices: readonly PluggedDevice[];
  readonly notes: readonly string[];
}

/** Ports of the search; the system's own by default. */
export interface LookOn {
  readonly platform?: Platform;
  /** Root of the file system. */
  readonly root?: string;
  readonly ports?: () => Promise<readonly ListedPort[]>;
  readonly bus?: UsbBus;
}

/** Finds every plugged-in device that could be a terminal. Opens nothing, needs no permission, never rejects. */
export async function lookAtDevices(on: LookOn = {}): Promise<Plugged> {
  const { platform = systemPlatform, root = "/", ports = listedPorts, bus = systemUsb } = on;
  const listed = await portsOf(ports, platform);
  if (platform !== "linux") {
    const usb = await askedUsb(bus);
    return {
      devices: [...listed.ports.map(platform === "windows" ? windowsDevice : listedDevice), ...usb.devices],
      notes: [...(listed.note === undefined ? [] : [listed.note]), ...usb.notes],
    };
  }
  const serial = linuxSerialDevices(root);
  const usb = linuxUsbDevices(root, new Set(serial.flatMap((device) => device.bus ?? [])));
  const known = new Set(serial.map((device) => device.path));
  // Without udev's database serialport lists no ports; with it, sometimes one that sysfs does not list as a terminal.
  const others = listed.ports
    .filter((port) => !known.has(port.path) && !/^\/dev\/ttyS[0-9]+$/.test(port.path))
    .map(listedDevice);
  return {
    devices: [...serial, ...others, ...usb],
    notes: [...(listed.note === undefined ? [] : [listed.note]), ...usbNotes(root, usb)],
  };
}

async function portsOf(
  ports: () => Promise<readonly ListedPort[]>,
  platform: Platform,
): Promise<{ readonly ports: readonly ListedPort[]; readonly note?: string }> {
  try {
    return { ports: await ports() };
  } catch (error) {
    const failed = `the list of serial ports failed (${error instanceof Error ? error.message : String(error)})`;
    if (platform !== "linux") return { ports: [], note: `${failed}: name the port in the configuration by hand` };
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const why = isMissing ? "udevadm is not installed" : failed;
    return {
      ports: [],
      note: `${why}: devices are read from /sys alone, and no /dev/serial/by-id paths are made; install udev (Debian: apt-get install udev)`,
    };
  }
}

function usbNotes(root: string, usb: readonly UsbPlugged[]): readonly string[] {
  if (!fs.existsSync(path.join(root, "sys/bus/usb/devices"))) return [NO_USB];
  const closed = usb.length > 0 && !fs.existsSync(path.join(root, "dev/bus/usb"));
  return closed
    ? [
        "USB devices are seen but cannot be opened, because there is no /dev/bus/usb; a container must be given it (--device /dev/bus/usb)",
      ]
    : [];
}

async function askedUsb(
  bus: UsbBus,
): Promise<{ readonly devices: readonly UsbPlugged[]; readonly notes: readonly string[] }> {
  try {
    const devices = await bus.devices();
    return {
      devices: devices.map((device) => {
        const { vendorId, productId, bus: number, address } = device;
        return {
          kind: "usb",
          vendorId,
          productId,
          ...bus.texts(device),
          port: `${number}-${address}`,
          path: `${number}/${address}`,
          permitted: true,
        } as const;
      }),
      notes: [],
    };
  } catch (error) {
    return {
      devices: [],
      notes: [error instanceof LinkError ? error.message : `USB devices cannot be listed: ${String(error)}`],
    };
  }
}

/** The path, and for USB the ids and texts of the device. */
export function deviceName(device: PluggedDevice): string {
  const where = device.kind === "serial" ? (device.stablePaths[0] ?? device.path) : "USB";
  const usb = device.kind === "serial" ? device.usb : device;
  if (usb === undefined) return where;
  const ids = [usb.vendorId, usb.productId].map((id) => id.toString(16).padStart(4, "0")).join(":");
  const words = [usb.manufacturer, usb.product].filter((text) => text !== undefined).join(" ");
  return [where, ids, words, ...(usb.serialNumber === undefined ? [] : [`serial number ${usb.serialNumber}`])]
    .filter((text) => text !== "")
    .join(" ");
}
