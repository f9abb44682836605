import { type AcknowledgedState, acknowledgedDriver } from "../../src/terminal/acknowledged-driver.ts";
import { type DriverSpec, driverModel } from "../../src/terminal/driver.ts";
import { type OneJobState, oneJobDriver } from "../../src/terminal/one-job.ts";
import { advance, interrupt, learn, start } from "./dispatch.ts";
import { fingerprints } from "./fingerprints.ts";
import { type Device, type Job, NO_JOB, numbersOf, timerNames } from "./flow.ts";
import { hostLine } from "./line.ts";
import { familyCapabilities } from "./members.ts";
import { type Heard, heardIn } from "./message.ts";
import { driverOptions, parseOptions } from "./options.ts";
import { REPORT_BYTES } from "./reports.ts";
import { HOST_WAIT_MS, SETTLE_MS } from "./timing.ts";
import { wire } from "./wire.ts";

/** The line layer has already assembled the frames, so the codec has no state. */
type NoCodec = undefined;

export type RbaState = AcknowledgedState<OneJobState<Job, Device, NoCodec>>;

function rba(given: Readonly<Record<string, string>>): ReturnType<typeof oneJobDriver<Job, Device, Heard, NoCodec>> {
  return oneJobDriver<Job, Device, Heard, NoCodec>({
    none: NO_JOB,
    unknown: { options: parseOptions(given), capabilities: familyCapabilities },
    timers: timerNames,
    settleMs: (transport) => (transport === "tcp" ? 0 : SETTLE_MS),
    codec: () => undefined,
    read: (_codec, body) => ({ codec: undefined, heard: [heardIn(body)] }),
    pack: (_transport, frame) => [frame],
    learn,
    start,
    advance,
    interrupt,
    numbers: numbersOf,
  });
}

export const ingenicoIpp350Spec: DriverSpec<RbaState> = {
  id: "ingenico-ipp350",
  title: "Ingenico iPP350 and family (RBA, UPP)",
  fingerprints,
  lines: [
    { kind: "serial", baudRate: 19_200, dataBits: 8, parity: "none", stopBits: 1 },
    { kind: "tcp", defaultPort: 12_000 },
    { kind: "usb", how: "hid", reportBytes: REPORT_BYTES, numbered: true },
  ],
  options: driverOptions,
  capabilities: familyCapabilities,
  hostWaitMs: HOST_WAIT_MS,
  wire,
  ...acknowledgedDriver(rba, hostLine),
};

export const ingenicoIpp350 = driverModel(ingenicoIpp350Spec);
