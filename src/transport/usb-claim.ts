import type { Clock } from "../kit/clock.ts";
import { within } from "../kit/within.ts";
import { LinkError } from "../terminal/link.ts";
import { claimError, usbError } from "./usb-error.ts";
import type { UsbBus, UsbEndpoint, UsbHandle } from "./usb-handle.ts";

/** The transfers of a USB line; `UsbLine` of terminal/driver.ts has this shape. */
export type UsbWay =
  | { readonly how: "hid"; readonly reportBytes: number; readonly numbered: boolean; readonly commands?: "feature" }
  | { readonly how: "bulk" };

/** The interface that carries the line, and its endpoints. */
export interface UsbFace {
  readonly interfaceNumber: number;
  readonly alternateSetting: number;
  readonly input: UsbEndpoint;
  /** A HID interface without one takes its reports as control transfers. */
  readonly output: UsbEndpoint | undefined;
}

const DETACH_AGAIN_MS = 20;
/** Two seconds in all; a read that does not end stays until the process ends. */
const DETACH_TRIES = 100;
const HID = 0x03;
/** Boot keyboards and mice: taking one would disable the shop's keyboard. */
const BOOT_SUBCLASS = 0x01;

/** The first matching interface in the order of the descriptor; undefined if none matches. */
function faceOf(device: UsbHandle, way: UsbWay): UsbFace | undefined {
  const configuration = device.configuration ?? device.configurations[0];
  const alternates = (configuration?.interfaces ?? []).flatMap(({ interfaceNumber, alternates: all }) =>
    all.map((alternate) => ({ interfaceNumber, ...alternate })),
  );
  for (const { interfaceNumber, alternateSetting, interfaceClass, interfaceSubclass, endpoints } of alternates) {
    const type = way.how === "hid" ? "interrupt" : "bulk";
    const input = endpoints.find((one) => one.type === type && one.direction === "in");
    const output = endpoints.find((one) => one.type === type && one.direction === "out");
    if (input === undefined) continue;
    if (way.how === "hid" && (interfaceClass !== HID || interfaceSubclass === BOOT_SUBCLASS)) continue;
    if (way.how === "bulk" && output === undefined) continue;
    return { interfaceNumber, alternateSetting, input, output };
  }
  return undefined;
}

/** An open device whose interface belongs to this program alone. */
export interface Claimed {
  readonly device: UsbHandle;
  readonly face: UsbFace;
  /**
   * Returns the interface to the kernel and closes the device. `idle` resolves when no transfer is under way. Never
   * rejects.
   */
  giveBack(idle: Promise<unknown>): Promise<void>;
}

/**
 * Opens the device and takes the interface from a kernel driver. Rejects with a LinkError and holds nothing then.
 * Another program's interface is not detached, because that would cut the program off.
 */
export async function claim(
  device: UsbHandle,
  way: UsbWay,
  on: { readonly bus: UsbBus; readonly clock: Clock; readonly place: string },
): Promise<Claimed> {
  const { bus, clock, place } = on;
  await device.open().catch((error: unknown) => {
    throw usbError(place, error, nodeOf(device));
  });
  try {
    const [first] = device.configurations;
    if ((device.configuration ?? undefined) === undefined && first !== undefined)
      await device.selectConfiguration(first.configurationValue);
    const face = faceOf(device, way);
    const interfaces = interfacesOf(device);
    if (face === undefined)
      throw new LinkError(
        "failed",
        `${place} has no ${way.how === "hid" ? "HID interface" : "bulk endpoints"}; check model and connection.usb`,
      );
    await claimInterface(device, face, { bus, place, interfaces });
    return { device, face, giveBack: (idle) => giveBack(device, face.interfaceNumber, interfaces, { idle, clock }) };
  } catch (error) {
    await quietly(() => device.close());
    throw error instanceof LinkError ? error : usbError(place, error, nodeOf(device));
  }
}

async function claimInterface(
  device: UsbHandle,
  { interfaceNumber, alternateSetting }: UsbFace,
  { bus, place, interfaces }: { readonly bus: UsbBus; readonly place: string; readonly interfaces: readonly number[] },
): Promise<void> {
  const holder = bus.kernelDriver(device, interfaceNumber);
  if (holder === PROGRAM) throw claimError(place);
  try {
    if (holder !== undefined) await device.detachKernelDriver(interfaceNumber);
    await device.claimInterface(interfaceNumber);
  } catch (error) {
    if (holder !== undefined) await offerBack(device, interfaces);
    throw usbError(place, error, nodeOf(device));
  }
  try {
    if (alternateSetting !== 0) await device.selectAlternateInterface(interfaceNumber, alternateSetting);
  } catch (error) {
    await giveInterfaceBack(device, interfaceNumber, interfaces);
    throw error;
  }
}

/** The kernel's own name for an interface that a program has claimed. */
const PROGRAM = "usbfs";

/**
 * To the kernel this program is a driver too: detaching it ends its transfers. Otherwise a read would wait for the
 * device. Repeated, because a very recent read may reach the kernel later and claim the interface again.
 */
async function giveBack(
  device: UsbHandle,
  interfaceNumber: number,
  interfaces: readonly number[],
  { idle, clock }: { readonly idle: Promise<unknown>; readonly clock: Clock },
): Promise<void> {
  for (let tries = 0; tries < DETACH_TRIES; tries += 1) {
    await quietly(() => device.detachKernelDriver(interfaceNumber));
    if ((await within(clock, DETACH_AGAIN_MS, idle)) === "done") break;
  }
  await giveInterfaceBack(device, interfaceNumber, interfaces);
  await quietly(() => device.close());
}

/**
 * The kernel takes an interface back only from an open device, once nobody else holds it. A driver of several
 * interfaces (CDC-ACM has two) takes all; all are offered, and those with a driver refuse.
 */
async function giveInterfaceBack(
  device: UsbHandle,
  interfaceNumber: number,
  interfaces: readonly number[],
): Promise<void> {
  await quietly(() => device.releaseInterface(interfaceNumber));
  await offerBack(device, interfaces);
}

async function offerBack(device: UsbHandle, interfaces: readonly number[]): Promise<void> {
  for (const each of interfaces) await quietly(() => device.attachKernelDriver(each));
}

function interfacesOf(device: UsbHandle): readonly number[] {
  const configuration = device.configuration ?? device.configurations[0];
  return (configuration?.interfaces ?? []).map(({ interfaceNumber }) => interfaceNumber);
}

/** The node that carries the device's permissions. */
function nodeOf({ bus, address }: UsbHandle): string {
  return `/dev/bus/usb/${bus.padStart(3, "0")}/${String(address).padStart(3, "0")}`;
}

/**
 * Ignores errors on closing: a missing device, or an interface without kernel driver, loses nothing. The package also
 * throws instead of rejecting.
 */
async function quietly(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch {
    // Nothing is left to give back.
  }
}
