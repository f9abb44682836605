import { type DriverSpec, driverModel } from "../../src/terminal/driver.ts";
import { type OneJobState, oneJobDriver } from "../../src/terminal/one-job.ts";
import { advance, interrupt, numbersOf, start } from "./dispatch.ts";
import { fingerprints } from "./fingerprints.ts";
import { type Device, type Job, NO_JOB } from "./flow.ts";
import { cutFrames } from "./frame.ts";
import { familyCapabilities } from "./members.ts";
import { type Answer, parseAnswer } from "./message.ts";
import { HOST_WAIT_MS, SETTLE_MS } from "./timing.ts";
import { wire } from "./wire.ts";

type State = OneJobState<Job, Device, Uint8Array>;

const spec: DriverSpec<State> = {
  id: "new-model",
  title: "New Model",
  fingerprints,
  lines: [
    { kind: "serial", baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 },
    { kind: "tcp", defaultPort: 9100 },
  ],
  options: [],
  capabilities: familyCapabilities,
  hostWaitMs: HOST_WAIT_MS,
  wire,
  ...oneJobDriver<Job, Device, Answer, Uint8Array>({
    none: NO_JOB,
    unknown: { isIdentified: false },
    timers: ["answer"],
    settleMs: (transport) => (transport === "serial" ? SETTLE_MS : 0),
    codec: () => new Uint8Array(0),
    read: (pending, bytes) => {
      const { frames, pending: rest, broken } = cutFrames(pending, bytes);
      return { codec: rest, heard: frames.map(parseAnswer), ...(broken !== undefined && { error: broken }) };
    },
    pack: (_transport, frame) => [frame],
    learn: (device) => ({ device }),
    start,
    advance,
    interrupt,
    numbers: numbersOf,
  }),
};

export const newModel = driverModel(spec);
