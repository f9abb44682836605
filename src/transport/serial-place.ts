import type { SerialDevice, UsbIdentity } from "./serial-devices.ts";

/** What is known of a terminal that has answered before. */
export interface KnownPort {
  /** Ids and serial number of the USB device that it was behind. */
  readonly usb?: { readonly vendorId: number; readonly productId: number; readonly serialNumber?: string | undefined };
  /** As the terminal itself told it, which many makers also write into the USB device. */
  readonly serialNumber?: string;
}

export interface PlaceQuestion {
  /** The path of the configuration, and where it leads now: undefined where nothing is there. */
  readonly path: string;
  readonly leadsTo: string | undefined;
  readonly known: KnownPort;
  /** Every serial port there is now. */
  readonly ports: readonly SerialDevice[];
  /** Where the other terminals' configured paths lead: never followed to. */
  readonly others: ReadonlySet<string>;
}

export type Place =
  | { readonly is: "here"; readonly path: string; readonly usb?: UsbIdentity }
  /** The port got another name when it was plugged in again. */
  | { readonly is: "moved"; readonly path: string; readonly usb: UsbIdentity }
  /** The configured path has a device that is known to be another one, and the right one is nowhere. */
  | { readonly is: "another"; readonly usb: UsbIdentity };

/**
 * Where a terminal is now. A terminal is known by its serial number and not by its port: it is followed to wherever its USB device is, as long as that can be only one; a
 * device that is known to be a different one is not even opened. Where nothing is known the configured path counts, and who answers there is for the session to judge.
 */
export function placeOf({ path, leadsTo, known, ports, others }: PlaceQuestion): Place {
  const here = ports.find((port) => port.path === leadsTo || port.path === path);
  const asConfigured: Place = { is: "here", path, ...(here?.usb && { usb: here.usb }) };
  const isOwn = ownership(known);
  if (isOwn === undefined || (here?.usb !== undefined && isOwn(here.usb))) return asConfigured;
  const other = here?.usb !== undefined && isAnother(here.usb, known) ? here.usb : undefined;
  if (here !== undefined && other === undefined) return asConfigured;
  const elsewhere = ports.flatMap((port) =>
    port !== here && port.usb !== undefined && isOwn(port.usb) && !others.has(port.path) ? [{ ...port, usb: port.usb }] : [],
  );
  const [moved, second] = elsewhere;
  // Of two that look alike each may be somebody else's.
  if (moved !== undefined && second === undefined) return { is: "moved", path: moved.path, usb: moved.usb };
  return other === undefined ? asConfigured : { is: "another", usb: other };
}

/** Only what has ids of another make, or another serial number, is known to be another device; a port without USB, or an unknown one, may be the right one. */
function isAnother(device: UsbIdentity, { usb }: KnownPort): boolean {
  if (usb === undefined) return false;
  const isAlike = device.vendorId === usb.vendorId && device.productId === usb.productId;
  return !isAlike || (usb.serialNumber !== undefined && device.serialNumber !== usb.serialNumber);
}

/** Whether a USB device is the terminal's; undefined where nothing is known by which to tell. */
function ownership({ usb, serialNumber }: KnownPort): ((device: UsbIdentity) => boolean) | undefined {
  if (usb !== undefined) {
    return (device) => device.vendorId === usb.vendorId && device.productId === usb.productId && device.serialNumber === usb.serialNumber;
  }
  return serialNumber === undefined ? undefined : (device) => device.serialNumber === serialNumber;
}
