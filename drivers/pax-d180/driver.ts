import { type AcknowledgedState, acknowledgedDriver } from "../../src/terminal/acknowledged-driver.ts";
import { type DriverSpec, driverModel } from "../../src/terminal/driver.ts";
import { type OneJobState, oneJobDriver } from "../../src/terminal/one-job.ts";
import { advance, interrupt, start } from "./dispatch.ts";
import { fingerprints } from "./fingerprints.ts";
import { type Device, type Job, NO_JOB, numbersOf, timerNames } from "./flow.ts";
import { lineRules } from "./line.ts";
import { familyCapabilities, unknownMember } from "./members.ts";
import { type Heard, heardIn } from "./message.ts";
import { driverOptions, type Options, parseOptions } from "./options.ts";
import { HOST_WAIT_MS, SETTLE_MS } from "./timing.ts";
import { wire } from "./wire.ts";

type OneState = OneJobState<Job, Device, undefined>;

export type PaxState = AcknowledgedState<OneState>;

/** The driver above the acknowledgement layer: each "bytes" event is one body. */
function inner(options: Options): ReturnType<typeof oneJobDriver<Job, Device, Heard, undefined>> {
  return oneJobDriver<Job, Device, Heard, undefined>({
    none: NO_JOB,
    unknown: { options, member: unknownMember },
    timers: timerNames,
    settleMs: (transport) => (transport === "serial" ? SETTLE_MS : 0),
    codec: () => undefined,
    read: (codec, body) => ({ codec, heard: [heardIn(body)] }),
    pack: (_transport, frame) => [frame],
    learn: (device) => ({ device }),
    start,
    advance,
    interrupt,
    numbers: numbersOf,
  });
}

export const paxD180Spec: DriverSpec<PaxState> = {
  id: "pax-d180",
  title: "PAX D180, D200, D210, D300, D800, SP30 (PIN-pad protocol)",
  fingerprints,
  lines: [
    { kind: "serial", baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 },
    { kind: "tcp", defaultPort: 10_297 },
  ],
  options: driverOptions,
  capabilities: familyCapabilities,
  hostWaitMs: HOST_WAIT_MS,
  wire,
  ...acknowledgedDriver<OneState>((options) => inner(parseOptions(options)), {
    rules: () => lineRules,
    unpack: (_transport, chunk) => chunk,
    pack: (_transport, bytes) => [bytes],
  }),
};

export const paxD180 = driverModel(paxD180Spec);
