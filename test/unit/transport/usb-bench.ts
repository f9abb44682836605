import type { ClassRequest, UsbBus, UsbEndpoint, UsbHandle } from "../../../src/transport/usb-handle.ts";

/** One device on the bench: what happened to it, and what a test makes it do. */
export interface BenchDevice {
  readonly handle: UsbHandle;
  /** Everything that was asked of it, in order: "open", "detach 0", "claim 0", "out 2:...". */
  readonly asked: string[];
  /** What the device says next. */
  says(bytes: Uint8Array): void;
  /** What the next feature report is that it is asked for. */
  answers(bytes: Uint8Array): void;
  /** The next calls of that name fail with these words. */
  refuses(call: string, words: string): void;
  /** Takes it off the bus. */
  unplug(): void;
}

export interface BenchDeviceOptions {
  readonly address?: number;
  readonly serialNumber?: string;
  readonly endpoints?: readonly UsbEndpoint[];
  readonly interfaceClass?: number;
  readonly interfaceSubclass?: number;
  /** How many further interfaces, without endpoints, stand before it. */
  readonly before?: number;
}

export const HID_ENDPOINTS: readonly UsbEndpoint[] = [
  { endpointNumber: 1, direction: "in", type: "interrupt", packetSize: 64 },
  { endpointNumber: 2, direction: "out", type: "interrupt", packetSize: 64 },
];

interface Waiting {
  readonly length: number;
  resolve(answer: { status: string; data: DataView }): void;
  reject(error: Error): void;
}

export interface UsbBench {
  readonly bus: UsbBus & { readMs: number };
  /** Who holds every interface. */
  driver: string | undefined;
  plug(options?: BenchDeviceOptions): BenchDevice;
}

/**
 * A bus with devices of which every call is written down; it keeps the rule that nothing is released or closed while a
 * transfer is under way, as the package does.
 */
export function usbBench(): UsbBench {
  const devices: { readonly handle: UsbHandle; readonly texts: { serialNumber?: string; product: string } }[] = [];
  const bench: UsbBench = {
    driver: undefined,
    bus: {
      readMs: 2 ** 31 - 1,
      devices: async () => devices.map(({ handle }) => handle),
      texts: (device: UsbHandle) => devices.find(({ handle }) => handle === device)?.texts ?? {},
      kernelDriver: () => bench.driver,
    },
    plug: (options: BenchDeviceOptions = {}) => plug(options),
  };
  const plug = (options: BenchDeviceOptions): BenchDevice => {
    const device = benchDevice(options, () => {
      const at = devices.findIndex(({ handle }) => handle === device.handle);
      if (at >= 0) devices.splice(at, 1);
    });
    devices.push({
      handle: device.handle,
      texts: { product: "Bench", ...(options.serialNumber !== undefined && { serialNumber: options.serialNumber }) },
    });
    return device;
  };
  return bench;
}

function benchDevice(options: BenchDeviceOptions, gone: () => void): BenchDevice {
  const { address = 7, endpoints = HID_ENDPOINTS, interfaceClass = 3, interfaceSubclass = 0, before = 0 } = options;
  const asked: string[] = [];
  const refusals = new Map<string, string>();
  const said: Uint8Array[] = [];
  const waiting: Waiting[] = [];
  const answers: Uint8Array[] = [];
  const cancelAll = (words: string): void => {
    for (const each of waiting.splice(0)) each.reject(new Error(`transferIn error: ${words}`));
  };
  const serve = (): void => {
    while (said.length > 0 && waiting.length > 0) {
      const bytes = said.shift() ?? new Uint8Array();
      waiting.shift()?.resolve({ status: "ok", data: new DataView(Uint8Array.from(bytes).buffer) });
    }
  };
  const call = async (name: string, ...details: readonly (string | number)[]): Promise<void> => {
    asked.push([name, ...details].join(" "));
    const words = refusals.get(name);
    if (words !== undefined) throw new Error(words);
  };
  const alone = (name: string): void => {
    if (waiting.length > 0)
      throw new Error(`${name}: the same native value cannot be borrowed mutably while another borrow is active`);
  };
  const alternate = { alternateSetting: 0, interfaceClass, interfaceSubclass, interfaceProtocol: 0, endpoints };
  const others = Array.from({ length: before }, (_, number) => ({
    interfaceNumber: number,
    alternates: [{ ...alternate, endpoints: [] }],
  }));
  const configuration = {
    configurationValue: 1,
    interfaces: [...others, { interfaceNumber: before, alternates: [alternate] }],
  };
  const handle: UsbHandle = {
    ...{ vendorId: 0x0acd, productId: 0x3530, bus: "001", address, configuration, configurations: [configuration] },
    open: () => call("open"),
    close: async () => {
      alone("close");
      await call("close");
    },
    selectConfiguration: (value) => call("configure", value),
    selectAlternateInterface: (number, alternateNumber) => call("alternate", number, alternateNumber),
    claimInterface: (number) => call("claim", number),
    releaseInterface: async (number) => {
      alone("release");
      await call("release", number);
    },
    detachKernelDriver: async (number) => {
      await call("detach", number);
      cancelAll("Cancelled");
    },
    attachKernelDriver: (number) => call("attach", number),
    transferIn: (_endpoint, length) =>
      new Promise((resolve, reject) => {
        waiting.push({ length, resolve, reject });
        serve();
      }),
    transferOut: async (endpoint, data) => {
      await call("out", endpoint, Buffer.from(data).toString("hex"));
      return { status: "ok" };
    },
    controlTransferOut: async ({ request, value, index }: ClassRequest, data) => {
      await call("control", request, value.toString(16), index, Buffer.from(data).toString("hex"));
      return { status: "ok" };
    },
    controlTransferIn: async ({ request, value, index }: ClassRequest, length) => {
      await call("control-in", request, value.toString(16), index, length);
      return { status: "ok", data: new DataView(Uint8Array.from(answers.shift() ?? []).buffer) };
    },
    clearHalt: () => call("clear"),
  };
  return {
    handle,
    asked,
    says: (bytes) => {
      said.push(bytes);
      serve();
    },
    answers: (bytes) => void answers.push(bytes),
    refuses: (name, words) => void refusals.set(name, words),
    unplug: () => {
      gone();
      cancelAll("Cancelled");
    },
  };
}
