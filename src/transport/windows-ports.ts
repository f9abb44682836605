import { execFile } from "node:child_process";
import path from "node:path";
import type { Cancel, Clock } from "../kit/clock.ts";
import { isMadeUp, portName, usbPort, usbPortName } from "../kit/port-name.ts";
import type { ListedPort, SerialDevice } from "./serial-devices.ts";

/** A port of Windows' list, without serial numbers that Windows made up. */
export function windowsDevice({
  path: port,
  manufacturer,
  serialNumber: told,
  vendorId,
  productId,
}: ListedPort): SerialDevice {
  const [vendor, product] = [vendorId, productId].map((id) =>
    /^[0-9a-f]{1,4}$/i.test(id ?? "") ? Number.parseInt(id ?? "", 16) : undefined,
  );
  const serialNumber = told === undefined || told === "" || isMadeUp(told) ? undefined : told;
  const named = { kind: "serial", path: portName(port) ?? port, permitted: true } as const;
  if (vendor === undefined || product === undefined) return { ...named, stablePaths: [] };
  const stablePaths =
    serialNumber === undefined ? [] : [usbPortName({ vendorId: vendor, productId: product, serialNumber })];
  return {
    ...named,
    stablePaths,
    usb: {
      vendorId: vendor,
      productId: product,
      ...(manufacturer && { manufacturer }),
      ...(serialNumber && { serialNumber }),
    },
  };
}

/** The COM port of a configured name; undefined if it is not plugged in. */
export function followedPort(name: string, devices: readonly SerialDevice[]): string | undefined {
  const wanted = portName(name) ?? name;
  const usb = usbPort(wanted);
  if (usb === undefined) return devices.find((device) => device.path.toLowerCase() === wanted.toLowerCase())?.path;
  const serialNumber = usb.serialNumber.toLowerCase();
  return devices.find(
    (device) =>
      device.usb?.vendorId === usb.vendorId &&
      device.usb.productId === usb.productId &&
      device.usb.serialNumber?.toLowerCase() === serialNumber,
  )?.path;
}

/** Ports in the output of `reg query` for SERIALCOMM: "\Device\Serial0    REG_SZ    COM1". */
export function registeredPorts(printed: string): readonly string[] {
  return [...printed.matchAll(/\sREG_SZ\s+(\S+)\s*$/gm)].flatMap(([, port]) => port ?? []);
}

/** Every port that a driver has registered, even without Plug and Play. Without ports the key is missing. */
export function systemRegisteredPorts(): Promise<readonly string[]> {
  // Windows first looks in the working folder. In this program's own folder nobody else can put another reg.exe.
  const cwd = path.dirname(process.execPath);
  return new Promise((resolve) => {
    execFile(
      "reg.exe",
      ["query", "HKLM\\HARDWARE\\DEVICEMAP\\SERIALCOMM"],
      { cwd, windowsHide: true },
      (error, stdout) => resolve(error === null ? registeredPorts(stdout) : []),
    );
  });
}

/** Merges the ports of Plug and Play with those it does not know. */
export function mergedPorts(listed: readonly ListedPort[], registered: readonly string[]): readonly ListedPort[] {
  const known = new Set(listed.map((port) => port.path.toUpperCase()));
  return [...listed, ...registered.filter((port) => !known.has(port.toUpperCase())).map((port) => ({ path: port }))];
}

/** Interval of the comparisons while a terminal is missing. */
const LOOK_MS = 2_000;

/** Reports new names. Windows has no folder of devices to watch. A failed look is repeated. */
export function pollPlugging(
  told: () => void,
  { clock, names }: { readonly clock: Clock; readonly names: () => Promise<readonly string[]> },
): Cancel {
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
