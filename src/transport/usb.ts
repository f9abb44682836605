import type { Clock } from "../kit/clock.ts";
import { type Link, LinkError } from "../terminal/link.ts";
import { createIncoming, type Incoming } from "./incoming.ts";
import { createOutgoing } from "./outgoing.ts";
import { systemUsb } from "./usb-bus.ts";
import { type Claimed, claim, type UsbWay } from "./usb-claim.ts";
import { claimError, unplugged, usbError } from "./usb-error.ts";
import type { ClassRequest, UsbBus, UsbHandle } from "./usb-handle.ts";

/** The configured device. Without a serial number, only one device may have these ids. */
export interface UsbAddress {
  readonly vendorId: number;
  readonly productId: number;
  readonly serialNumber?: string;
}

/** Ports of a USB link; the system's bus by default. */
export interface UsbOn {
  readonly clock: Clock;
  readonly bus?: UsbBus;
}

/** A device takes a report or packet within milliseconds; a slower one is gone or hangs. */
const OUT_MS = 5_000;
/** A read this long ends only by an event, never by its own time limit. */
const ENDLESS_MS = 86_400_000;
/** HID 1.11, 7.2: the requests, and the type of report in the upper byte of their value. */
const GET_REPORT = 0x01;
const SET_REPORT = 0x09;
const OUTPUT_REPORT = 0x0200;
const FEATURE_REPORT = 0x0300;
const MOST_SEEN = 8;
/** Limit of successive reads that return at once without data; more would only burn the processor. */
const MOST_IN_VAIN = 16;

/**
 * Opens a USB device exclusively: claims the matching interface from the kernel, and returns it on close. Over HID each
 * chunk of `incoming` is one input report, and each write consists of whole output reports. Rejects with a LinkError.
 */
export async function openUsb(address: UsbAddress, way: UsbWay, { clock, bus = systemUsb }: UsbOn): Promise<Link> {
  const place = `USB device ${usbName(address)}`;
  const device = await find(address, bus, place);
  return usbLink(await claim(device, way, { bus, clock, place }), way, { bus, place });
}

/** The device for people: ids as lsusb prints them, and its serial number. */
export function usbName({ vendorId, productId, serialNumber }: UsbAddress): string {
  const ids = [vendorId, productId].map((id) => id.toString(16).padStart(4, "0")).join(":");
  return serialNumber === undefined ? ids : `${ids} ${serialNumber}`;
}

async function find({ vendorId, productId, serialNumber }: UsbAddress, bus: UsbBus, place: string): Promise<UsbHandle> {
  const all = await devicesOf(bus, place);
  const alike = all.filter((device) => device.vendorId === vendorId && device.productId === productId);
  const meant =
    serialNumber === undefined ? alike : alike.filter((device) => bus.texts(device).serialNumber === serialNumber);
  const [device, another] = meant;
  if (device === undefined)
    throw new LinkError(
      "not-found",
      `no ${place}; is it plugged in and switched on? Seen: ${seen(alike.length > 0 ? alike : all, bus)}`,
    );
  if (another === undefined) return device;
  const mend = serialNumber === undefined ? "write one's serialNumber into connection.usb" : "unplug all but one";
  throw new LinkError("failed", `${meant.length} devices are ${place}: ${seen(meant, bus)}; ${mend}`);
}

async function devicesOf(bus: UsbBus, place: string): Promise<readonly UsbHandle[]> {
  try {
    return await bus.devices();
  } catch (error) {
    throw error instanceof LinkError ? error : usbError(place, error);
  }
}

function seen(devices: readonly UsbHandle[], bus: UsbBus): string {
  const names = devices.map((device) => {
    const { product, serialNumber } = bus.texts(device);
    const { vendorId, productId } = device;
    return [usbName({ vendorId, productId }), product, serialNumber].filter((part) => part !== undefined).join(" ");
  });
  const rest = names.length > MOST_SEEN ? [`${names.length - MOST_SEEN} more`] : [];
  return names.length === 0 ? "nothing" : [...names.slice(0, MOST_SEEN), ...rest].join(", ");
}

interface Line {
  readonly claimed: Claimed;
  readonly way: UsbWay;
  readonly bus: UsbBus;
  readonly place: string;
  readonly incoming: Incoming;
  readonly wanted: { close: boolean };
}

function usbLink(claimed: Claimed, way: UsbWay, on: { readonly bus: UsbBus; readonly place: string }): Link {
  const { place } = on;
  const line: Line = { ...on, claimed, way, incoming: createIncoming(place), wanted: { close: false } };
  // Transfers go out one after the other, in the order of the writes.
  let sent: Promise<void> = Promise.resolve();
  const outgoing = createOutgoing({
    device: place,
    send: (bytes, done) => {
      sent = sent
        .then(() => send(line, bytes))
        .then(
          () => done(undefined),
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
        );
    },
    failed: (error) => (error instanceof LinkError ? error : usbError(place, error)),
  });
  const reading = receive(line);
  let closed: Promise<void> | undefined;
  const giveBack = (): Promise<void> => {
    closed ??= claimed.giveBack(Promise.all([reading, sent]));
    return closed;
  };
  void reading.then((broken) => {
    if (broken === undefined) return;
    line.incoming.fail(broken);
    outgoing.breakOff(broken);
    void giveBack();
  });
  return {
    incoming: line.incoming.chunks,
    write: (bytes) => {
      const wrong = way.how === "hid" && (bytes.length === 0 || bytes.length % way.reportBytes !== 0);
      if (wrong)
        return Promise.reject(
          new LinkError(
            "failed",
            `${place} takes whole reports of ${way.reportBytes} bytes, not ${bytes.length} bytes`,
          ),
        );
      return outgoing.write(bytes);
    },
    close: () => {
      line.wanted.close = true;
      line.incoming.end();
      outgoing.breakOff(new LinkError("lost", `${place} is closed`));
      return giveBack();
    },
  };
}

/**
 * Reads until the link is closed (undefined) or broken (its error). One packet a read: a read that ends early loses the
 * packets it already holds.
 */
async function receive(line: Line): Promise<LinkError | undefined> {
  const { claimed, wanted, bus } = line;
  const { endpointNumber, packetSize } = claimed.face.input;
  let begun = new Uint8Array();
  let inVain = 0;
  for (;;) {
    try {
      const { data, status } = await claimed.device.transferIn(endpointNumber, packetSize, bus.readMs);
      if (wanted.close) return undefined;
      // A stalled endpoint stays silent until cleared; if that fails, it rejects.
      if (status === "stall") await claimed.device.clearHalt("in", endpointNumber);
      inVain = data === undefined ? inVain + 1 : 0;
      if (inVain >= MOST_IN_VAIN)
        return new LinkError(
          "failed",
          `${line.place} answers every read with an error (${status}); unplug it and plug it in again`,
        );
      if (data === undefined) continue;
      const packet = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      const { whole, rest } =
        line.way.how === "bulk"
          ? { whole: packet.slice(), rest: begun }
          : gathered(begun, packet, line.way.reportBytes, packetSize);
      begun = rest;
      if (whole !== undefined && !line.incoming.push(whole))
        return new LinkError("failed", `${line.place} sent more than anybody read`);
    } catch (error) {
      if (wanted.close) return undefined;
      const broken = await whyBroken(line, error);
      if (broken !== undefined) return broken;
    }
  }
}

/** A report longer than a packet comes in several. The last one is short, or completes the report. */
function gathered(begun: Uint8Array<ArrayBuffer>, packet: Uint8Array, reportBytes: number, packetSize: number) {
  const bytes = new Uint8Array(begun.length + packet.length);
  bytes.set(begun);
  bytes.set(packet, begun.length);
  const isWhole = bytes.length >= reportBytes || packet.length < packetSize;
  return isWhole ? { whole: bytes, rest: new Uint8Array() } : { whole: undefined, rest: bytes };
}

/**
 * A timeout, an unplugged device and an interface taken by another program all reject as "Cancelled". Unplugged: the
 * device is not on the bus. Timeout: impossible on an endless read. Undefined: read on.
 */
async function whyBroken({ bus, claimed, place }: Line, error: unknown): Promise<LinkError | undefined> {
  const { bus: number, address } = claimed.device;
  const present = await bus.devices().catch(() => []);
  if (!present.some((device) => device.bus === number && device.address === address)) return unplugged(place, error);
  const isCancelled = error instanceof Error && /cancelled/i.test(error.message);
  if (!isCancelled) return usbError(place, error);
  return bus.readMs < ENDLESS_MS ? undefined : claimError(place, error);
}

/** A report not taken in time is an error, unlike an idle read. */
async function whyNotSent(line: Line, error: unknown): Promise<LinkError> {
  const broken = await whyBroken(line, error);
  if (broken !== undefined && broken.code !== "busy") return broken;
  return new LinkError("failed", `${line.place} does not take what is sent; is it switched on?`, { cause: error });
}

async function send(line: Line, bytes: Uint8Array): Promise<void> {
  const { claimed, way } = line;
  if (way.how === "bulk") return sendOut(line, bytes);
  for (let at = 0; at < bytes.length; at += way.reportBytes) {
    const report = bytes.subarray(at, at + way.reportBytes);
    if (way.commands === "feature") await exchange(line, report, way.numbered);
    else
      await (claimed.face.output === undefined
        ? sendByControl(line, report, OUTPUT_REPORT, way.numbered)
        : sendOut(line, report));
  }
}

async function sendOut(line: Line, bytes: Uint8Array): Promise<void> {
  const { device, face } = line.claimed;
  await delivered(line, device.transferOut(face.output?.endpointNumber ?? 0, Uint8Array.from(bytes), OUT_MS));
}

/** HID 1.11, 4.4: a device without an interrupt OUT endpoint gets its reports by SET_REPORT. */
async function sendByControl(line: Line, report: Uint8Array, kind: number, numbered: boolean): Promise<void> {
  const { device, face } = line.claimed;
  const setup = reportRequest(SET_REPORT, kind, numbered ? report[0] : 0, face.interfaceNumber);
  await delivered(line, device.controlTransferOut(setup, Uint8Array.from(report), OUT_MS));
}

/** The request also contains the report's number. */
function reportRequest(request: number, kind: number, id = 0, index = 0): ClassRequest {
  return { requestType: "class", recipient: "interface", request, value: kind | id, index };
}

/** A command as a feature report, then its answer. The device delays the end of the first until it has the second. */
async function exchange(line: Line, report: Uint8Array, numbered: boolean): Promise<void> {
  const { device, face } = line.claimed;
  await sendByControl(line, report, FEATURE_REPORT, numbered);
  const setup = reportRequest(GET_REPORT, FEATURE_REPORT, numbered ? report[0] : 0, face.interfaceNumber);
  const asked = device.controlTransferIn(setup, report.length, OUT_MS);
  const { status, data } = await asked.catch(async (error: unknown) => {
    throw await whyNotSent(line, error);
  });
  if (status === "stall" || data === undefined)
    throw new LinkError("failed", `${line.place} does not answer a command (${status})`);
  const answer = new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();
  if (!line.incoming.push(answer)) throw new LinkError("failed", `${line.place} sent more than anybody read`);
}

async function delivered(line: Line, transfer: Promise<{ readonly status?: string | undefined }>): Promise<void> {
  const { status } = await transfer.catch(async (error: unknown) => {
    throw await whyNotSent(line, error);
  });
  if (status === "stall") throw new LinkError("failed", `${line.place} refused what was sent to it (stall)`);
}
