import type { SerialDevice, UsbIdentity } from "./serial-devices.ts";

/** Identity of a terminal that has answered before. */
export interface KnownPort {
  /** Ids and serial number of its USB device. */
  readonly usb?: { readonly vendorId: number; readonly productId: number; readonly serialNumber?: string | undefined };
  /** The terminal's own serial number, which many makers also write into the USB device. */
  readonly serialNumber?: string;
}

export interface PlaceQuestion {
  /** The configured path and its current target; undefined if nothing is there. */
  readonly path: string;
  readonly leadsTo: string | undefined;
  readonly known: KnownPort;
  /** All current serial ports. */
  readonly ports: readonly SerialDevice[];
  /** Targets of the other terminals' configured paths, which are never used. */
  readonly others: ReadonlySet<string>;
}

export type Place =
  | { readonly is: "here"; readonly path: string; readonly usb?: UsbIdentity }
  /** The port was plugged in again under another name. */
  | { readonly is: "moved"; readonly path: string; readonly usb: UsbIdentity }
  /** A known other device is at the configured path, and the right one is missing. */
  | { readonly is: "another"; readonly usb: UsbIdentity };

/**
 * Finds a terminal by its serial number, not by its port, if exactly one USB device matches. A known other device is
 * not opened. Without an identity the configured path counts, and the session checks who answers.
 */
export function placeOf({ path, leadsTo, known, ports, others }: PlaceQuestion): Place {
  const here = ports.find((port) => port.path === leadsTo || port.path === path);
  const asConfigured: Place = { is: "here", path, ...(here?.usb && { usb: here.usb }) };
  const isOwn = ownership(known);
  if (isOwn === undefined || (here?.usb !== undefined && isOwn(here.usb))) return asConfigured;
  const other = here?.usb !== undefined && isAnother(here.usb, known) ? here.usb : undefined;
  if (here !== undefined && other === undefined) return asConfigured;
  const elsewhere = ports.flatMap((port) =>
    port !== here && port.usb !== undefined && isOwn(port.usb) && !others.has(port.path)
      ? [{ ...port, usb: port.usb }]
      : [],
  );
  const [moved, second] = elsewhere;
  // One of two equal devices may belong to somebody else.
  if (moved !== undefined && second === undefined) return { is: "moved", path: moved.path, usb: moved.usb };
  return other === undefined ? asConfigured : { is: "another", usb: other };
}

/**
 * Only other ids or another serial number prove another device. A port without USB, or an unknown one, may be the right
 * one.
 */
function isAnother(device: UsbIdentity, { usb }: KnownPort): boolean {
  if (usb === undefined) return false;
  const isAlike = device.vendorId === usb.vendorId && device.productId === usb.productId;
  return !isAlike || (usb.serialNumber !== undefined && device.serialNumber !== usb.serialNumber);
}

/** A test for the terminal's USB device; undefined if nothing identifies it. */
function ownership({ usb, serialNumber }: KnownPort): ((device: UsbIdentity) => boolean) | undefined {
  if (usb !== undefined) {
    return (device) =>
      device.vendorId === usb.vendorId &&
      device.productId === usb.productId &&
      device.serialNumber === usb.serialNumber;
  }
  return serialNumber === undefined ? undefined : (device) => device.serialNumber === serialNumber;
}
