import type { Clock } from "../kit/clock.ts";
import { within } from "../kit/within.ts";
import { LinkError } from "../terminal/link.ts";
import { claimError, usbError } from "./usb-error.ts";
import type { UsbBus, UsbEndpoint, UsbHandle } from "./usb-handle.ts";

/** How a line over USB travels (`UsbLine` of terminal/driver.ts is one of these). */
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
/** Two seconds: a read that nothing ends is left to the end of the process. */
const DETACH_TRIES = 100;
const HID = 0x03;
/** Boot keyboards and mice: nothing is said to them, and taking one away would take the shop's keyboard. */
const BOOT_SUBCLASS = 0x01;

/** The interface of a device that fits the way; undefined where it has none. The first that fits, in the order of the descriptor. */
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

/** A device that is open and whose interface is this program's alone. */
export interface Claimed {
  readonly device: UsbHandle;
  readonly face: UsbFace;
  /** Gives the interface back to the kernel and closes the device, once `idle`: no transfer is under way. Never rejects: a device that is gone needs nothing. */
  giveBack(idle: Promise<unknown>): Promise<void>;
}

/**
 * Opens the device and takes the interface from the kernel's driver, where one holds it. Rejects with a LinkError, and then nothing is held. An interface that another
 * program has claimed is left to it: to detach it, as one detaches a kernel driver, would cut that program off.
 */
export async function claim(device: UsbHandle, way: UsbWay, on: { readonly bus: UsbBus; readonly clock: Clock; readonly place: string }): Promise<Claimed> {
  const { bus, clock, place } = on;
  await device.open().catch((error: unknown) => {
    throw usbError(place, error, nodeOf(device));
  });
  try {
    const [first] = device.configurations;
    if ((device.configuration ?? undefined) === undefined && first !== undefined) await device.selectConfiguration(first.configurationValue);
    const face = faceOf(device, way);
    const interfaces = interfacesOf(device);
    if (face === undefined)
      throw new LinkError("failed", `${place} has no ${way.how === "hid" ? "HID interface" : "bulk endpoints"}; check model and connection.usb`);
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
 * To the kernel this program is the interface's driver as well: detaching it ends every transfer on it; without that a read would wait for the device's next word. Again
 * and again, because a read that was asked for a moment ago may reach the kernel only after that, and then takes the interface anew.
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
 * The kernel takes an interface back only while the device is still open, and only once nobody else holds it. A driver of several interfaces (CDC-ACM has two) lets go of all
 * of them and takes them back by the first: all are offered, and those that have a driver refuse.
 */
async function giveInterfaceBack(device: UsbHandle, interfaceNumber: number, interfaces: readonly number[]): Promise<void> {
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

/** Where the system keeps the device's permissions. */
function nodeOf({ bus, address }: UsbHandle): string {
  return `/dev/bus/usb/${bus.padStart(3, "0")}/${String(address).padStart(3, "0")}`;
}

/** On the way out: a device that is gone, or an interface that has no kernel driver, refuses, and nothing is lost by that. The package also throws instead of rejecting. */
async function quietly(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch {
    // As said above: there is nothing left to give back.
  }
}
