import type { Notice } from "../../src/card/notice.ts";
import { type DriverSpec, driverModel, type TransportKind } from "../../src/terminal/driver.ts";
import { type OneJobState, oneJobDriver } from "../../src/terminal/one-job.ts";
import { type Codec, type Heard, newCodec, overOf, pack, read } from "./codec.ts";
import { advance, interrupt, start } from "./dispatch.ts";
import { type Device, type Job, NO_JOB, numbersOf, timerNames, UNKNOWN } from "./flow.ts";
import { capabilitiesOf, fingerprints, pro } from "./members.ts";
import { isReset, notifications } from "./message.ts";
import { rulingOf } from "./outcomes.ts";
import { REPORT_BYTES } from "./reports.ts";
import { HOST_WAIT_MS, SETTLE_MS } from "./timing.ts";

export type DynaFlexState = OneJobState<Job, Device, Codec>;

/** Whatever the device is doing: cards come and go, it restarts, and a transaction that waits for its issuer may end without him. */
function learn(device: Device, heard: Heard): { readonly device: Device; readonly notices?: readonly Notice[] } {
  if (heard.is !== "notification") return { device };
  const { id, code } = heard;
  const slot = slotIn(id, code);
  if (slot !== undefined) {
    const isNews = device.tellsSlot && device.slot !== slot;
    return { device: { ...device, slot }, ...(isNews && { notices: [{ n: 0, on: "slot", card: slot }] }) };
  }
  if (id === notifications.device && code.startsWith("0001")) return { device, notices: [{ n: 0, on: "restart-soon", inMs: device.warnsMs }] };
  const isOver = isReset(heard) || (id === notifications.outcome && rulingOf(code).is !== "nothing");
  return { device: isOver && device.held !== undefined ? { ...device, held: { ...device.held, over: code } } : device };
}

/** A card went into the slot or left it: in a transaction, or while the device is idle (PROTOCOL.md 5.1 and 5.3). */
function slotIn(id: string, code: string): boolean | undefined {
  if (id === notifications.progress && code === "10010200") return true;
  if (id === notifications.progress && code === "10010300") return false;
  if (id !== notifications.device) return undefined;
  if (code.startsWith("0102")) return true;
  return code.startsWith("0103") ? false : undefined;
}

/** Over a network nothing of before arrives (PROTOCOL.md 2.4). */
function settleMs(transport: TransportKind): number {
  return transport === "serial" || transport === "usb" ? SETTLE_MS : 0;
}

const machine = oneJobDriver<Job, Device, Heard, Codec>({
  none: NO_JOB,
  unknown: UNKNOWN,
  timers: timerNames,
  settleMs,
  codec: (transport) => newCodec(overOf(transport), "device"),
  read,
  pack: (transport, message) => pack(overOf(transport), "host", message),
  learn,
  start,
  advance,
  interrupt,
  numbers: numbersOf,
});

export const magtekDynaflexSpec: DriverSpec<DynaFlexState> = {
  id: "magtek-dynaflex",
  title: "MagTek DynaFlex",
  fingerprints,
  lines: [
    { kind: "usb", how: "hid", reportBytes: REPORT_BYTES, numbered: false },
    { kind: "serial", baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 },
    { kind: "websocket", defaultPort: 80, path: "/" },
  ],
  options: [],
  capabilities: capabilitiesOf(pro),
  hostWaitMs: HOST_WAIT_MS,
  ...machine,
};

export const magtekDynaflex = driverModel(magtekDynaflexSpec);
