import { execFile } from "node:child_process";
import path from "node:path";
import type { Cancel, Clock } from "../kit/clock.ts";
import { isMadeUp, portName, usbPort, usbPortName } from "../kit/port-name.ts";
import type { ListedPort, SerialDevice } from "./serial-devices.ts";

/** A port as Windows lists it. A serial number that Windows made up is none. */
export function windowsDevice({ path: port, manufacturer, serialNumber: told, vendorId, productId }: ListedPort): SerialDevice {
  const [vendor, product] = [vendorId, productId].map((id) => (/^[0-9a-f]{1,4}$/i.test(id ?? "") ? Number.parseInt(id ?? "", 16) : undefined));
  const serialNumber = told === undefined || told === "" || isMadeUp(told) ? undefined : told;
  const named = { kind: "serial", path: portName(port) ?? port, permitted: true } as const;
  if (vendor === undefined || product === undefined) return { ...named, stablePaths: [] };
  const stablePaths = serialNumber === undefined ? [] : [usbPortName({ vendorId: vendor, productId: product, serialNumber })];
  return { ...named, stablePaths, usb: { vendorId: vendor, productId: product, ...(manufacturer && { manufacturer }), ...(serialNumber && { serialNumber }) } };
}

/** The COM port that a name of the configuration leads to; undefined where it is not plugged in. */
export function followedPort(name: string, devices: readonly SerialDevice[]): string | undefined {
  const wanted = portName(name) ?? name;
  const usb = usbPort(wanted);
  if (usb === undefined) return devices.find((device) => device.path.toLowerCase() === wanted.toLowerCase())?.path;
  const serialNumber = usb.serialNumber.toLowerCase();
  return devices.find(
    (device) => device.usb?.vendorId === usb.vendorId && device.usb.productId === usb.productId && device.usb.serialNumber?.toLowerCase() === serialNumber,
  )?.path;
}

/** Ports in what `reg query` prints of SERIALCOMM: "\Device\Serial0    REG_SZ    COM1". */
export function registeredPorts(printed: string): readonly string[] {
  return [...printed.matchAll(/\sREG_SZ\s+(\S+)\s*$/gm)].flatMap(([, port]) => port ?? []);
}

/** Every port that a driver has registered, also one that is no Plug and Play device. Empty where there is none: the key is missing then. */
export function systemRegisteredPorts(): Promise<readonly string[]> {
  // Windows looks in the working folder first: in that of this program nobody can put another reg.exe who could not replace the program.
  const cwd = path.dirname(process.execPath);
  return new Promise((resolve) => {
    execFile("reg.exe", ["query", "HKLM\\HARDWARE\\DEVICEMAP\\SERIALCOMM"], { cwd, windowsHide: true }, (error, stdout) =>
      resolve(error === null ? registeredPorts(stdout) : []),
    );
  });
}

/** Both lists as one: what Plug and Play knows of a port, and each port that it does not know. */
export function mergedPorts(listed: readonly ListedPort[], registered: readonly string[]): readonly ListedPort[] {
  const known = new Set(listed.map((port) => port.path.toUpperCase()));
  return [...listed, ...registered.filter((port) => !known.has(port.toUpperCase())).map((port) => ({ path: port }))];
}

/** How often the list of ports is looked at while a terminal is away. */
const LOOK_MS = 2_000;

/** Tells when something appears that was not there at the last look: Windows has no folder of devices that could be watched. A look that fails is made again. */
export function pollPlugging(told: () => void, { clock, names }: { readonly clock: Clock; readonly names: () => Promise<readonly string[]> }): Cancel {
  let known: ReadonlySet<string> | undefined;
  let isOver = false;
  let cancel: Cancel = () => undefined;
  const look = async (): Promise<void> => {
    const now = await names().then(
      (all) => new Set(all),
      () => known,
    );
    if (isOver) return;
    const isNew = known !== undefined && [...(now ?? [])].some((name) => known?.has(name) === false);
    known = now;
    cancel = clock.after(LOOK_MS, () => void look());
    if (isNew) told();
  };
  void look();
  return () => {
    isOver = true;
    cancel();
  };
}
