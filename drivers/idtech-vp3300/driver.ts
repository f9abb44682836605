import { type DriverSpec, driverModel } from "../../src/terminal/driver.ts";
import { type OneJobState, oneJobDriver } from "../../src/terminal/one-job.ts";
import { type Codec, newCodec, pack, read } from "./codec.ts";
import { advance, interrupt, learn, start } from "./dispatch.ts";
import { fingerprints } from "./fingerprints.ts";
import { type Device, type Job, NO_JOB, numbersOf, timerNames } from "./flow.ts";
import { familyCapabilities, unknownMember } from "./members.ts";
import { heardIn } from "./message.ts";
import { REPORT_BYTES } from "./reports.ts";
import { HOST_WAIT_MS, SETTLE_MS } from "./timing.ts";
import { wire } from "./wire.ts";

export type NeoState = OneJobState<Job, Device, Codec>;

export const idtechVp3300Spec: DriverSpec<NeoState> = {
  id: "idtech-vp3300",
  title: "ID TECH VP3300",
  fingerprints,
  lines: [
    { kind: "usb", how: "hid", reportBytes: REPORT_BYTES, numbered: true },
    { kind: "serial", baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 },
  ],
  options: [],
  capabilities: familyCapabilities,
  hostWaitMs: HOST_WAIT_MS,
  wire,
  ...oneJobDriver({
    none: NO_JOB,
    unknown: { member: unknownMember, tellsSlot: false },
    timers: timerNames,
    settleMs: (transport) => (transport === "serial" ? SETTLE_MS : 0),
    codec: newCodec,
    read: (codec, bytes) => {
      const { heard, ...rest } = read(codec, bytes);
      return { ...rest, heard: heard.map(heardIn) };
    },
    pack,
    learn,
    start,
    advance,
    interrupt,
    numbers: numbersOf,
  }),
};

export const idtechVp3300 = driverModel(idtechVp3300Spec);
