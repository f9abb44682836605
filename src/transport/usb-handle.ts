import type { DeviceTexts } from "./sysfs.ts";

/** One endpoint of an interface, from its descriptor. */
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

/** The setup of a control transfer; only class requests to an interface are made. */
export interface ClassRequest {
  readonly requestType: "class";
  readonly recipient: "interface";
  readonly request: number;
  readonly value: number;
  readonly index: number;
}

/**
 * The used part of the `usb` package's UsbDevice (WebUSB and Linux additions). Only ids need no permission.
 * Milliseconds; a late transfer rejects as "Cancelled". During a transfer the package throws on reading the
 * configuration, claim, release and close.
 */
export interface UsbHandle {
  readonly vendorId: number;
  readonly productId: number;
  /** Reading them may open the device, except on Linux. Use `UsbBus.texts` instead. */
  readonly manufacturerName?: string | null | undefined;
  readonly productName?: string | null | undefined;
  readonly serialNumber?: string | null | undefined;
  /** Number of the bus and of the device, which changes each time it is plugged in. */
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
  transferIn(
    endpoint: number,
    length: number,
    timeoutMs: number,
  ): Promise<{ readonly status?: string | undefined; readonly data?: DataView | undefined }>;
  transferOut(
    endpoint: number,
    data: Uint8Array<ArrayBuffer>,
    timeoutMs: number,
  ): Promise<{ readonly status?: string | undefined }>;
  controlTransferOut(
    setup: ClassRequest,
    data: Uint8Array<ArrayBuffer>,
    timeoutMs: number,
  ): Promise<{ readonly status?: string | undefined }>;
  controlTransferIn(
    setup: ClassRequest,
    length: number,
    timeoutMs: number,
  ): Promise<{ readonly status?: string | undefined; readonly data?: DataView | undefined }>;
  clearHalt(direction: "in" | "out", endpoint: number): Promise<void>;
}

/** The system's view of USB. */
export interface UsbBus {
  /** All plugged-in devices; rejects with a LinkError on a machine without USB. */
  devices(): Promise<readonly UsbHandle[]>;
  texts(device: UsbHandle): DeviceTexts;
  /**
   * Milliseconds that one read may wait. On Linux the package's maximum, because `detachKernelDriver` ends pending
   * reads; elsewhere nothing does, so short ones are repeated.
   */
  readonly readMs: number;
  /** The kernel driver that holds the interface; undefined if there is none, or the system does not tell. */
  kernelDriver(device: UsbHandle, interfaceNumber: number): string | undefined;
}
