import path from "node:path";
import { type DeviceTexts, entries, followed, hexIn, mayOpen, textIn, textsIn } from "./sysfs.ts";

/** What a USB device is known by before a word was said to it. */
export interface UsbIdentity extends DeviceTexts {
  readonly vendorId: number;
  readonly productId: number;
}

/** A serial port with something behind it. */
export interface SerialDevice {
  readonly kind: "serial";
  /** /dev/ttyACM0, COM3. On Linux the number may be another one after the next plugging in. */
  readonly path: string;
  /** Names that stay the same: those of udev below /dev/serial/by-id, on Windows the USB device (kit/port-name). */
  readonly stablePaths: readonly string[];
  /** Absent for a port of the machine itself. */
  readonly usb?: UsbIdentity;
  /** This user may open it. */
  readonly permitted: boolean;
  /** The USB device's name on its bus ("1-1.2"), so that it is not shown a second time as a USB device. */
  readonly bus?: string;
}

/** As serialport lists ports on systems that have no sysfs. */
export interface ListedPort {
  readonly path: string;
  readonly manufacturer?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly vendorId?: string | undefined;
  readonly productId?: string | undefined;
}

/** Serial ports as Linux knows them; `root` is the file system's. Pseudo-terminals and places for ports that the machine lacks are left out. */
export function linuxSerialDevices(root: string): readonly SerialDevice[] {
  const tty = path.join(root, "sys/class/tty");
  const stable = stablePaths(root);
  return entries(tty).flatMap((name): readonly SerialDevice[] => {
    const hardware = followed(path.join(tty, name, "device"));
    // A built-in port that is not there has type 0 (PORT_UNKNOWN); USB ports have no type.
    if (hardware === undefined || textIn(path.join(tty, name, "type")) === "0") return [];
    const folder = usbFolderAbove(hardware, root);
    // Consoles of virtual machines and the like have a device too; terminals are on USB or on a built-in port.
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

/** The folder of the USB device that this piece of hardware is part of. */
function usbFolderAbove(hardware: string, root: string): string | undefined {
  for (let folder = hardware; folder.length > root.length && folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if (hexIn(path.join(folder, "idVendor")) !== undefined) return folder;
  }
  return undefined;
}

/** Ids and texts of the USB device whose folder this is. */
export function identityIn(folder: string): UsbIdentity | undefined {
  const [vendorId, productId] = ["idVendor", "idProduct"].map((name) => hexIn(path.join(folder, name)));
  return vendorId === undefined || productId === undefined ? undefined : { vendorId, productId, ...textsIn(folder) };
}

/** The same from serialport's list, where it is all there is. */
export function listedDevice({ path: device, manufacturer, serialNumber, vendorId, productId }: ListedPort): SerialDevice {
  const [vendor, product] = [vendorId, productId].map((id) => Number.parseInt(id ?? "", 16));
  const known = vendor !== undefined && product !== undefined && !Number.isNaN(vendor) && !Number.isNaN(product);
  const usb = known && { vendorId: vendor, productId: product, ...(manufacturer && { manufacturer }), ...(serialNumber && { serialNumber }) };
  return { kind: "serial", path: device, stablePaths: [], permitted: true, ...(usb && { usb }) };
}
