import type { Platform } from "../kit/platform.ts";
import { systemPlatform } from "../kit/system-platform.ts";
import { type Link, LinkError } from "../terminal/link.ts";
import { listedPorts, openSerial, type SerialSettings } from "./serial.ts";
import { linuxSerialDevices, type SerialDevice, type UsbIdentity } from "./serial-devices.ts";
import { type KnownPort, type Place, placeOf } from "./serial-place.ts";
import { followed } from "./sysfs.ts";
import { followedPort, windowsDevice } from "./windows-ports.ts";

/** A place that may be opened. */
type OpenPlace = Exclude<Place, { is: "another" }>;

/** A serial terminal that is identified by its serial number, not by its port. */
export interface Followed {
  /** As configured. */
  readonly path: string;
  readonly settings: SerialSettings;
  readonly known: KnownPort;
  /** The configured paths of the other terminals. */
  readonly others: readonly string[];
  /** Gets the place that was opened. */
  readonly opened: (place: OpenPlace) => void;
}

/** The serial ports of this machine. */
export interface SerialPorts {
  /** All current ports. */
  devices(): readonly SerialDevice[] | Promise<readonly SerialDevice[]>;
  /** The target of a path with its links followed; undefined if nothing is there. */
  followed(path: string, devices: readonly SerialDevice[]): string | undefined;
  open(path: string, settings: SerialSettings): Promise<Link>;
}

/** Ports of Windows. A name without a port is opened unchanged, so that the error names it. */
export function windowsPorts(listed: typeof listedPorts, open: typeof openSerial): SerialPorts {
  const devices = async () => (await listed()).map(windowsDevice);
  return {
    devices,
    followed: followedPort,
    open: async (path, settings) => open(followedPort(path, await devices()) ?? path, settings),
  };
}

function portsOf(platform: Platform): SerialPorts {
  if (platform === "windows") return windowsPorts(listedPorts, openSerial);
  return { devices: () => (platform === "linux" ? linuxSerialDevices("/") : []), followed, open: openSerial };
}

const systemPorts: SerialPorts = portsOf(systemPlatform);

/**
 * Opens the terminal at its current place (serial-place.ts). Rejects with a LinkError, also if a known other device is
 * at its path.
 */
export async function openFollowing(on: Followed, ports: SerialPorts = systemPorts): Promise<Link> {
  const { path, settings, known, others, opened } = on;
  const look = async (): Promise<Place> => {
    const devices = await ports.devices();
    return placeOf({
      ...{ path, known, leadsTo: ports.followed(path, devices), ports: devices },
      others: new Set(others.flatMap((other) => ports.followed(other, devices) ?? [])),
    });
  };
  const place = await look();
  if (place.is === "another") throw anotherDevice(path, place.usb, known);
  const link = await ports.open(place.path, settings);
  // A device may have been exchanged between the check and the opening, so the check is repeated on the open port.
  const now = await look();
  if (now.is !== "another" && now.path === place.path) {
    opened(now);
    return link;
  }
  await link.close();
  throw now.is === "another"
    ? anotherDevice(path, now.usb, known)
    : new LinkError("not-found", `${path}: the terminal is being plugged in elsewhere`);
}

function anotherDevice(path: string, usb: UsbIdentity, known: KnownPort): LinkError {
  const right = known.usb === undefined ? "the right one" : described(known.usb);
  return new LinkError(
    "not-found",
    `another device is at ${path}: ${described(usb)} instead of ${right}; plug in the right one, or take this one in its place: posbridge terminals replace`,
  );
}

function described({ vendorId, productId, serialNumber }: NonNullable<KnownPort["usb"]>): string {
  const ids = [vendorId, productId].map((id) => id.toString(16).padStart(4, "0")).join(":");
  return `USB ${ids}${serialNumber === undefined ? "" : ` ${serialNumber}`}`;
}
