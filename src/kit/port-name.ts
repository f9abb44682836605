/*
 * Serial ports of Windows have names, not paths: COM5, or the "device instance path" of a USB device in Device Manager.
 * That path stays when Windows numbers its ports anew.
 */

const COM = /^(?:\\\\\.\\)?(COM[1-9][0-9]{0,3})$/i;
const USB = /^USB\\VID_([0-9A-F]{4})&PID_([0-9A-F]{4})\\([^\\&]+)$/i;

/** A USB device with a serial number of its own. */
export interface UsbPortName {
  readonly vendorId: number;
  readonly productId: number;
  readonly serialNumber: string;
}

/** The canonical form of a port's name; undefined for anything else, such as a path. */
export function portName(text: string): string | undefined {
  const usb = usbPort(text);
  return usb === undefined ? COM.exec(text)?.[1]?.toUpperCase() : usbPortName(usb);
}

/** The USB device of a name; undefined for a COM port and for anything else. */
export function usbPort(text: string): UsbPortName | undefined {
  const [, vendor, product, serialNumber] = USB.exec(text) ?? [];
  if (vendor === undefined || product === undefined || serialNumber === undefined) return undefined;
  return { vendorId: Number.parseInt(vendor, 16), productId: Number.parseInt(product, 16), serialNumber };
}

export function usbPortName({ vendorId, productId, serialNumber }: UsbPortName): string {
  return `USB\\VID_${hex(vendorId)}&PID_${hex(productId)}\\${serialNumber}`;
}

/**
 * Windows makes up a serial number for a device without one. It names the socket and has an ampersand, which real
 * serial numbers may not have.
 */
export function isMadeUp(serialNumber: string): boolean {
  return serialNumber.includes("&");
}

function hex(id: number): string {
  return id.toString(16).toUpperCase().padStart(4, "0");
}
