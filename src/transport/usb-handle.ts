import type { DeviceTexts } from "./sysfs.ts";

/** One endpoint of an interface, as its descriptor says it. */
export interface UsbEndpoint {
  readonly endpointNumber: number;
  readonly direction: "in" | "out";
  readonly type: "bulk" | "interrupt" | "isochronous";
  readonly packetSize: number;
}

export interface UsbAlternate {
  readonly alternateSetting: number;
  readonly interfaceClass: number;
  readonly interfaceSubclass: number;
  readonly interfaceProtocol: number;
  readonly endpoints: readonly UsbEndpoint[];
}

export interface UsbInterface {
  readonly interfaceNumber: number;
  readonly alternates: readonly UsbAlternate[];
}

export interface UsbConfiguration {
  readonly configurationValue: number;
  readonly interfaces: readonly UsbInterface[];
}

/** What a control transfer asks for; only requests of a class to one of its interfaces are made here. */
export interface ClassRequest {
  readonly requestType: "class";
  readonly recipient: "interface";
  readonly request: number;
  readonly value: number;
  readonly index: number;
}

/**
 * A device on the bus: the part of the `usb` package's UsbDevice (WebUSB, and its additions for Linux) that is used here. Ids can be read without permission; the
 * configurations and everything that returns a promise need it. Times are milliseconds; a transfer that takes longer is rejected as "Cancelled". While a transfer is
 * under way the package refuses (by throwing) to read the configuration, to claim, to release and to close.
 */
export interface UsbHandle {
  readonly vendorId: number;
  readonly productId: number;
  /** Where the system does not keep them (Linux does) they are asked for, which opens the device: `UsbBus.texts` is the way to read them. */
  readonly manufacturerName?: string | null | undefined;
  readonly productName?: string | null | undefined;
  readonly serialNumber?: string | null | undefined;
  /** Number of the bus and of the device on it; the number is a new one each time it is plugged in. */
  readonly bus: string;
  readonly address: number;
  readonly configuration?: UsbConfiguration | null | undefined;
  readonly configurations: readonly UsbConfiguration[];
  open(): Promise<void>;
  close(): Promise<void>;
  selectConfiguration(value: number): Promise<void>;
  selectAlternateInterface(interfaceNumber: number, alternate: number): Promise<void>;
  claimInterface(interfaceNumber: number): Promise<void>;
  releaseInterface(interfaceNumber: number): Promise<void>;
  detachKernelDriver(interfaceNumber: number): Promise<void>;
  attachKernelDriver(interfaceNumber: number): Promise<void>;
  transferIn(endpoint: number, length: number, timeoutMs: number): Promise<{ readonly status?: string | undefined; readonly data?: DataView | undefined }>;
  transferOut(endpoint: number, data: Uint8Array<ArrayBuffer>, timeoutMs: number): Promise<{ readonly status?: string | undefined }>;
  controlTransferOut(setup: ClassRequest, data: Uint8Array<ArrayBuffer>, timeoutMs: number): Promise<{ readonly status?: string | undefined }>;
  controlTransferIn(
    setup: ClassRequest,
    length: number,
    timeoutMs: number,
  ): Promise<{ readonly status?: string | undefined; readonly data?: DataView | undefined }>;
  clearHalt(direction: "in" | "out", endpoint: number): Promise<void>;
}

/** What the system says of its USB, beside the devices themselves. */
export interface UsbBus {
  /** Every device that is plugged in now; rejects with a LinkError where this machine has no USB. */
  devices(): Promise<readonly UsbHandle[]>;
  texts(device: UsbHandle): DeviceTexts;
  /**
   * How long one read may wait, in milliseconds. On Linux as long as the package can count, because `detachKernelDriver` also ends what this program itself has under way;
   * elsewhere nothing ends a read, so that a short one is made again and again.
   */
  readonly readMs: number;
  /** Name of the kernel driver that holds the interface; undefined where none does, or the system does not tell. */
  kernelDriver(device: UsbHandle, interfaceNumber: number): string | undefined;
}
