import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** A USB device of a fake machine. `tty`: names of the serial ports it makes. */
export interface FakeUsb {
  readonly port: string;
  readonly idVendor: string;
  readonly idProduct: string;
  readonly manufacturer?: string;
  readonly product?: string;
  readonly serial?: string;
  readonly deviceClass?: string;
  /** Class and subclass of each interface. */
  readonly interfaces?: readonly (readonly [string, string])[];
  readonly tty?: string;
  /** A port behind a converter (ttyUSB) hangs one folder lower than a modem's. */
  readonly below?: string;
}

/** A folder that looks like the root of a Linux: /sys and /dev as the kernel and udev make them. Gives the folder. */
export function fakeSystem(on: {
  readonly usb?: readonly FakeUsb[];
  readonly builtIn?: Readonly<Record<string, string>>;
  readonly noBus?: true;
  readonly noNodes?: true;
}): string {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "posbridge-sys-")));
  const write = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  };
  const link = (from: string, to: string): void => {
    fs.mkdirSync(path.dirname(path.join(root, from)), { recursive: true });
    fs.symlinkSync(path.join(root, to), path.join(root, from));
  };
  if (on.noBus === undefined) fs.mkdirSync(path.join(root, "sys/bus/usb/devices"), { recursive: true });
  for (const [at, device] of (on.usb ?? []).entries()) {
    const folder = `sys/devices/pci/usb1/${device.port}`;
    for (const name of ["idVendor", "idProduct", "manufacturer", "product", "serial"] as const)
      if (device[name] !== undefined) write(`${folder}/${name}`, `${device[name]}\n`);
    write(`${folder}/bDeviceClass`, `${device.deviceClass ?? "00"}\n`);
    write(`${folder}/busnum`, "1\n");
    write(`${folder}/devnum`, `${at + 2}\n`);
    link(`sys/bus/usb/devices/${device.port}`, folder);
    for (const [number, [interfaceClass, subclass]] of (device.interfaces ?? []).entries()) {
      write(`${folder}/${device.port}:1.${number}/bInterfaceClass`, `${interfaceClass}\n`);
      write(`${folder}/${device.port}:1.${number}/bInterfaceSubClass`, `${subclass}\n`);
      link(`sys/bus/usb/devices/${device.port}:1.${number}`, `${folder}/${device.port}:1.${number}`);
    }
    if (on.noNodes === undefined) write(`dev/bus/usb/001/${String(at + 2).padStart(3, "0")}`, "");
    if (device.tty === undefined) continue;
    const hardware = [folder, `${device.port}:1.0`, device.below].filter((part) => part !== undefined).join("/");
    fs.mkdirSync(path.join(root, hardware), { recursive: true });
    link(`sys/class/tty/${device.tty}/device`, hardware);
    write(`dev/${device.tty}`, "");
    if (device.serial !== undefined) link(`dev/serial/by-id/usb-${device.serial}-if00`, `dev/${device.tty}`);
  }
  for (const [name, type] of Object.entries(on.builtIn ?? {})) {
    fs.mkdirSync(path.join(root, "sys/devices/platform/serial8250"), { recursive: true });
    link(`sys/class/tty/${name}/device`, "sys/devices/platform/serial8250");
    write(`sys/class/tty/${name}/type`, `${type}\n`);
    write(`dev/${name}`, "");
  }
  // A console and a pseudo-terminal have no hardware behind them.
  for (const name of ["tty0", "ptmx"]) fs.mkdirSync(path.join(root, "sys/class/tty", name), { recursive: true });
  return root;
}

export const PED: FakeUsb = {
  ...{
    port: "1-1",
    idVendor: "2dda",
    idProduct: "0515",
    manufacturer: "Miura Systems",
    product: "M020",
    serial: "10000001",
  },
  ...{
    deviceClass: "02",
    interfaces: [
      ["02", "02"],
      ["0a", "00"],
    ],
    tty: "ttyACM0",
  },
};
export const READER: FakeUsb = {
  ...{
    port: "1-2",
    idVendor: "0acd",
    idProduct: "3530",
    manufacturer: "ID TECH",
    product: "VP3300",
    serial: "630Z000001",
  },
  interfaces: [["03", "00"]],
};
export const KEYBOARD: FakeUsb = {
  port: "1-3",
  idVendor: "046d",
  idProduct: "c31c",
  product: "Keyboard",
  interfaces: [["03", "01"]],
};
export const HUB: FakeUsb = {
  port: "1-4",
  idVendor: "1d6b",
  idProduct: "0002",
  product: "Hub",
  deviceClass: "09",
  interfaces: [["09", "00"]],
};
export const CABLE: FakeUsb = {
  port: "1-5.2",
  idVendor: "0403",
  idProduct: "6001",
  product: "FT232R",
  interfaces: [["ff", "ff"]],
  tty: "ttyUSB0",
  below: "ttyUSB0",
};
