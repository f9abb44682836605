import { type DriverSpec, driverModel, type TransportKind } from "../../src/terminal/driver.ts";
import { type OneJobState, oneJobDriver } from "../../src/terminal/one-job.ts";
import { type Codec, type Heard, newCodec, overOf, pack, read } from "./codec.ts";
import { advance, interrupt, learn, start } from "./dispatch.ts";
import { fingerprints } from "./fingerprints.ts";
import { type Device, type Job, NO_JOB, numbersOf, timerNames, UNKNOWN } from "./flow.ts";
import { capabilitiesOf, pro } from "./members.ts";
import { REPORT_BYTES } from "./reports.ts";
import { HOST_WAIT_MS, SETTLE_MS } from "./timing.ts";
import { wire } from "./wire.ts";

export type DynaFlexState = OneJobState<Job, Device, Codec>;

/** A network connection holds no old input (PROTOCOL.md 2.4). */
function settleMs(transport: TransportKind): number {
  return transport === "serial" || transport === "usb" ? SETTLE_MS : 0;
}

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
  wire,
  ...oneJobDriver<Job, Device, Heard, Codec>({
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
  }),
};

export const magtekDynaflex = driverModel(magtekDynaflexSpec);
