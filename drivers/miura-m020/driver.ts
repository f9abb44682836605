import { type DriverSpec, driverModel } from "../../src/terminal/driver.ts";
import { type OneJobState, oneJobDriver } from "../../src/terminal/one-job.ts";
import { NO_JOB } from "../vipa/flow.ts";
import { type Deframer, newDeframer } from "../vipa/frame.ts";
import { familyCapabilities } from "../vipa/members.ts";
import { advance, interrupt, learn, start } from "./dispatch.ts";
import { fingerprints } from "./fingerprints.ts";
import { type Device, type Job, numbersOf, timerNames } from "./flow.ts";
import { push } from "./frame.ts";
import { heardIn } from "./message.ts";
import { HOST_WAIT_MS, SETTLE_MS } from "./timing.ts";
import { wire } from "./wire.ts";

export type MiuraState = OneJobState<Job, Device, Deframer>;

export const miuraM020Spec: DriverSpec<MiuraState> = {
  id: "miura-m020",
  title: "Miura M020",
  fingerprints,
  lines: [
    { kind: "serial", baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 },
    { kind: "tcp", defaultPort: 6543 },
  ],
  options: [],
  capabilities: familyCapabilities,
  hostWaitMs: HOST_WAIT_MS,
  wire,
  ...oneJobDriver({
    none: NO_JOB,
    unknown: { capabilities: familyCapabilities, extended: false },
    timers: timerNames,
    // A USB gadget may hold old bytes, which are discarded first; TCP holds none (PROTOCOL.md 8.1).
    settleMs: (transport) => (transport === "tcp" ? 0 : SETTLE_MS),
    codec: () => newDeframer,
    read: (deframer, bytes) => {
      const { state, messages, error } = push(deframer, bytes);
      return { codec: state, heard: messages.flatMap(heardIn), ...(error !== undefined && { error }) };
    },
    pack: (_transport, frame) => [frame],
    learn,
    start,
    advance,
    interrupt,
    numbers: numbersOf,
  }),
};

export const miuraM020 = driverModel(miuraM020Spec);
