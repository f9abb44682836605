import type { Notice } from "../../src/card/notice.ts";
import { oncePer } from "../../src/kit/once-per.ts";
import { type DriverSpec, driverModel } from "../../src/terminal/driver.ts";
import { type OneJob, type OneJobState, oneJobDriver } from "../../src/terminal/one-job.ts";
import { NO_JOB } from "../vipa/flow.ts";
import { type Deframer, type Message, newDeframer } from "../vipa/frame.ts";
import { familyCapabilities } from "../vipa/members.ts";
import { leakIn } from "./card-answer.ts";
import { advance, interrupt, start } from "./dispatch.ts";
import { fingerprints } from "./fingerprints.ts";
import { type Device, type Job, numbersOf, timerNames } from "./flow.ts";
import { push } from "./frame.ts";
import { type Heard, heardIn, objectsIn } from "./message.ts";
import { driverOptions, type Options, parseOptions, toAskAcquirer } from "./options.ts";
import { HOST_WAIT_MS, SETTLE_MS } from "./timing.ts";
import { wire } from "./wire.ts";

export interface VerifoneState {
  readonly options: Options;
  readonly one: OneJobState<Job, Device, Deframer>;
}

function read(codec: Deframer, bytes: Uint8Array): ReturnType<OneJob<Job, Device, Heard, Deframer>["read"]> {
  const { state, messages, error } = push(codec, bytes);
  return {
    codec: state,
    heard: messages.flatMap((message) => [...heardIn(message), ...leakHeard(message)]),
    ...(error !== undefined && { error }),
  };
}

/** The leak follows its message, because a verdict in that message still stands (PROTOCOL.md 7.7). */
function leakHeard(message: Message): readonly Heard[] {
  const detail = leakIn(objectsIn(message));
  return detail === undefined ? [] : [{ is: "leak", detail }];
}

/**
 * Updates the slot from any input, independent of the current job. Clear card data is a leak in any message at any
 * time.
 */
function learn(device: Device, heard: Heard): { readonly device: Device; readonly notices?: readonly Notice[] } {
  switch (heard.is) {
    case "answer":
      return { device };
    case "leak":
      return { device, notices: [{ n: 0, on: "fault", code: "clear-card-data", detail: heard.detail }] };
    case "encrypted":
      return { device, notices: [{ n: 0, on: "fault", code: "misconfigured", detail: STREAM_ENCRYPTION }] };
    case "event":
      break;
  }
  const { event } = heard;
  if (event.is !== "card") return { device };
  return {
    device: { ...device, slot: { card: event.slot, chip: event.chip } },
    notices: device.slot?.card === event.slot ? [] : [{ n: 0, on: "slot", card: event.slot }],
  };
}

const STREAM_ENCRYPTION =
  "it encrypts the stream itself (mapp_prot.cfg, stream_encryption), which this driver does not";

const verifone = oncePer((options: Options) =>
  oneJobDriver<Job, Device, Heard, Deframer>({
    none: NO_JOB,
    unknown: {
      options,
      isIdentified: false,
      takesChains: false,
      capabilities: familyCapabilities,
      isReaderOpen: false,
    },
    timers: timerNames,
    settleMs: (transport) => (transport === "tcp" ? 0 : SETTLE_MS),
    codec: () => newDeframer,
    read,
    pack: (_transport, frame) => [frame],
    learn,
    start,
    advance,
    interrupt,
    numbers: numbersOf,
  }),
);

const isLeak = (notice: Notice): boolean => notice.on === "fault" && notice.code === "clear-card-data";

/** A leak that ended a command is reported only once. */
function toldOnce(notices: readonly Notice[]): readonly Notice[] {
  const isOwned = notices.some((notice) => isLeak(notice) && notice.n !== 0);
  return isOwned ? notices.filter((notice) => !isLeak(notice) || notice.n !== 0) : notices;
}

export const verifoneP400Spec: DriverSpec<VerifoneState> = {
  id: "verifone-p400",
  title: "Verifone P200, P400, M400, UX (VIPA)",
  fingerprints,
  lines: [
    { kind: "serial", baudRate: 57_600, dataBits: 8, parity: "none", stopBits: 1 },
    { kind: "tcp", defaultPort: 16_107 },
  ],
  options: driverOptions,
  acquirerQuestions: (options) => toAskAcquirer(parseOptions(options)),
  capabilities: familyCapabilities,
  hostWaitMs: HOST_WAIT_MS,
  wire,
  begin: (on) => {
    const options = parseOptions(on.options);
    return { state: { options, one: verifone(options).begin(on).state } };
  },
  turn: ({ options, one }, event) => {
    const turned = verifone(options).turn(one, event);
    return { ...turned, state: { options, one: turned.state }, notices: toldOnce(turned.notices ?? []) };
  },
};

export const verifoneP400 = driverModel(verifoneP400Spec);
