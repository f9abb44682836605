import path from "node:path";
import { type DeviceTexts, entries, followed, hexIn, mayOpen, textIn, textsIn } from "./sysfs.ts";

/** Identity of a USB device, known without opening it. */
export interface UsbIdentity extends DeviceTexts {
  readonly vendorId: number;
  readonly productId: number;
}

/** A serial port with a device behind it. */
export interface SerialDevice {
  readonly kind: "serial";
  /** /dev/ttyACM0, COM3. On Linux the number may change when the device is plugged in again. */
  readonly path: string;
  /** Names that stay the same: udev's below /dev/serial/by-id; on Windows the USB device (kit/port-name). */
  readonly stablePaths: readonly string[];
  /** Absent for a port of the machine itself. */
  readonly usb?: UsbIdentity;
  /** This user may open it. */
  readonly permitted: boolean;
  /** The USB device's name on its bus ("1-1.2"). It prevents a second entry as a USB device. */
  readonly bus?: string;
}

/** A port of serialport's list, for systems without sysfs. */
export interface ListedPort {
  readonly path: string;
  readonly manufacturer?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly vendorId?: string | undefined;
  readonly productId?: string | undefined;
}

/**
 * Serial ports of Linux; `root` is that of the file system. Pseudo-terminals and ports without hardware are left out.
 */
export function linuxSerialDevices(root: string): readonly SerialDevice[] {
  const tty = path.join(root, "sys/class/tty");
  const stable = stablePaths(root);
  return entries(tty).flatMap((name): readonly SerialDevice[] => {
    const hardware = followed(path.join(tty, name, "device"));
    // A missing built-in port has type 0 (PORT_UNKNOWN); USB ports have no type.
    if (hardware === undefined || textIn(path.join(tty, name, "type")) === "0") return [];
    const folder = usbFolderAbove(hardware, root);
    // Consoles of virtual machines have a device too; terminals are on USB or on a built-in port.
    if (folder === undefined && !/^ttyS[0-9]+$/.test(name)) return [];
    const usb = folder === undefined ? undefined : identityIn(folder);
    const device = path.join(root, "dev", name);
    return [
      {
        kind: "serial",
        path: device,
        stablePaths: stable.filter(({ leadsTo }) => leadsTo === device).map(({ path: link }) => link),
        permitted: mayOpen(device),
        ...(usb && { usb }),
        ...(folder !== undefined && { bus: path.basename(folder) }),
      },
    ];
  });
}

function stablePaths(root: string): readonly { readonly path: string; readonly leadsTo: string | undefined }[] {
  const folder = path.join(root, "dev/serial/by-id");
  return entries(folder).map((name) => ({ path: path.join(folder, name), leadsTo: followed(path.join(folder, name)) }));
}

/** The folder of the USB device that contains this hardware. */
function usbFolderAbove(hardware: string, root: string): string | undefined {
  for (
    let folder = hardware;
    folder.length > root.length && folder !== path.dirname(folder);
    folder = path.dirname(folder)
  ) {
    if (hexIn(path.join(folder, "idVendor")) !== undefined) return folder;
  }
  return undefined;
}

/** Ids and texts of the USB device in this folder. */
export function identityIn(folder: string): UsbIdentity | undefined {
  const [vendorId, productId] = ["idVendor", "idProduct"].map((name) => hexIn(path.join(folder, name)));
  return vendorId === undefined || productId === undefined ? undefined : { vendorId, productId, ...textsIn(folder) };
}

/** The device of serialport's list, on systems without other sources. */
export function listedDevice({
  path: device,
  manufacturer,
  serialNumber,
  vendorId,
  productId,
}: ListedPort): SerialDevice {
  const [vendor, product] = [vendorId, productId].map((id) => Number.parseInt(id ?? "", 16));
  const known = vendor !== undefined && product !== undefined && !Number.isNaN(vendor) && !Number.isNaN(product);
  const usb = known && {
    vendorId: vendor,
    productId: product,
    ...(manufacturer && { manufacturer }),
    ...(serialNumber && { serialNumber }),
  };
  return { kind: "serial", path: device, stablePaths: [], permitted: true, ...(usb && { usb }) };
}
