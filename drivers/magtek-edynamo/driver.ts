import { USUAL_MASKING } from "../../src/card/dynapro-masked.ts";
import { oncePer } from "../../src/kit/once-per.ts";
import { type DriverSpec, driverModel, type TransportKind } from "../../src/terminal/driver.ts";
import { type OneJobState, oneJobDriver } from "../../src/terminal/one-job.ts";
import { type Codec, newCodec, overOf, pack, read } from "./codec.ts";
import { advance, interrupt, learn, start } from "./dispatch.ts";
import { fingerprints } from "./fingerprints.ts";
import { type Device, type Job, NO_JOB, numbersOf, timerNames } from "./flow.ts";
import { familyCapabilities, type Member } from "./members.ts";
import type { Heard } from "./message.ts";
import { driverOptions, memberIn } from "./options.ts";
import { REPORT_BYTES } from "./reports.ts";
import { HOST_WAIT_MS, SETTLE_MS } from "./timing.ts";
import { wire } from "./wire.ts";

/** Settings of one terminal. */
interface Settings {
  readonly member: Member;
  readonly transport: TransportKind;
}

export interface V5State {
  readonly settings: Settings;
  readonly one: OneJobState<Job, Device, Codec>;
}

const v5 = oncePer(({ member, transport: line }: Settings) =>
  oneJobDriver<Job, Device, Heard, Codec>({
    none: NO_JOB,
    unknown: { member, isUsb: line === "usb", sent: 0, answered: 0, masking: USUAL_MASKING },
    timers: timerNames,
    settleMs: (transport) => (transport === "serial" || transport === "usb" ? SETTLE_MS : 0),
    codec: (transport) => newCodec(overOf(transport), "device"),
    read,
    pack: (transport, message) => [pack(overOf(transport), "host", message)],
    learn,
    start,
    advance,
    interrupt,
    numbers: numbersOf,
  }),
);

export const magtekEdynamoSpec: DriverSpec<V5State> = {
  id: "magtek-edynamo",
  title: "MagTek eDynamo, tDynamo, DynaWave (V5)",
  fingerprints,
  lines: [
    { kind: "usb", how: "hid", reportBytes: REPORT_BYTES, numbered: true, commands: "feature" },
    { kind: "serial", baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 },
  ],
  options: driverOptions,
  capabilities: familyCapabilities,
  hostWaitMs: HOST_WAIT_MS,
  wire,
  begin: (on) => {
    const settings: Settings = { member: memberIn(on.options), transport: on.transport };
    return { state: { settings, one: v5(settings).begin(on).state } };
  },
  turn: ({ settings, one }, event) => {
    const turned = v5(settings).turn(one, event);
    return { ...turned, state: { settings, one: turned.state } };
  },
};

export const magtekEdynamo = driverModel(magtekEdynamoSpec);
