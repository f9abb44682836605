import path from "node:path";
import { identityIn, type UsbIdentity } from "./serial-devices.ts";
import { entries, hexIn, mayOpen, textIn } from "./sysfs.ts";

/** A USB device that is no serial port. */
export interface UsbPlugged extends UsbIdentity {
  readonly kind: "usb";
  /** Its place: bus and ports ("1-1.2"). */
  readonly port: string;
  /** Has a HID interface that is no keyboard or mouse; absent if the system does not tell. */
  readonly hid?: boolean;
  /** The node to open. */
  readonly path: string;
  readonly permitted: boolean;
}

const HUB = 0x09;
const HID = 0x03;
const BOOT_SUBCLASS = 0x01;

/** USB devices of Linux, without hubs and serial ports (`serial`: their names on the bus). */
export function linuxUsbDevices(root: string, serial: ReadonlySet<string>): readonly UsbPlugged[] {
  const folder = path.join(root, "sys/bus/usb/devices");
  const names = entries(folder);
  return names.flatMap((name): readonly UsbPlugged[] => {
    const device = path.join(folder, name);
    const identity = identityIn(device);
    if (identity === undefined || serial.has(name) || hexIn(path.join(device, "bDeviceClass")) === HUB) return [];
    const [bus = "", number = ""] = ["busnum", "devnum"].map((file) =>
      (textIn(path.join(device, file)) ?? "").padStart(3, "0"),
    );
    const node = path.join(root, "dev/bus/usb", bus, number);
    const interfaces = names.filter((other) => other.startsWith(`${name}:`)).map((other) => path.join(folder, other));
    return [
      { kind: "usb", port: name, ...identity, hid: interfaces.some(isHid), path: node, permitted: mayOpen(node) },
    ];
  });
}

function isHid(folder: string): boolean {
  return (
    hexIn(path.join(folder, "bInterfaceClass")) === HID &&
    hexIn(path.join(folder, "bInterfaceSubClass")) !== BOOT_SUBCLASS
  );
}
