import { newCodec, type Over, pack, read } from "../../../drivers/magtek-edynamo/codec.ts";
import { readFrame, types } from "../../../drivers/magtek-edynamo/frame.ts";
import { capabilitiesOf, members } from "../../../drivers/magtek-edynamo/members.ts";
import { encodeResult, type Heard, notifications } from "../../../drivers/magtek-edynamo/message.ts";
import { NOTIFICATION_HEAD } from "../../../drivers/magtek-edynamo/notification.ts";
import type { PromptCode } from "../../../src/card/notice.ts";
import { toHex } from "../../../src/kit/hex.ts";
import type { Flip, ModelFacts } from "./facts.ts";

const SLIP_END = 0xc0;
const NOTIFICATION_ID = 0x02;
const overIn = (chunk: Uint8Array): Over => (chunk[0] === SLIP_END ? "frames" : "reports");

/** The packet of a notification that a chunk holds. */
function packetIn(chunk: Uint8Array): Uint8Array | undefined {
  if (overIn(chunk) === "reports") return chunk[0] === NOTIFICATION_ID ? chunk.subarray(1) : undefined;
  const frame = readFrame(chunk.slice(1, -1));
  return typeof frame === "object" && frame.type === types.notification ? frame.message : undefined;
}

/** Leaves out packets of notifications: by number, and of progress by its event. */
function without(is: (id: string, event: number | undefined) => boolean): Flip["rewrite"] {
  return (chunk) => {
    const packet = packetIn(chunk);
    return packet !== undefined && is(toHex(packet.subarray(4, 6)), packet[NOTIFICATION_HEAD]) ? [] : [chunk];
  };
}

/** Gives other results to extended commands. */
function onAnswers(change: (answer: Extract<Heard, { is: "answer" }>) => Uint8Array | undefined): Flip["rewrite"] {
  return (chunk) => {
    const over = overIn(chunk);
    const [heard] = read(newCodec(over, "device"), chunk).heard;
    const changed = heard?.is === "answer" ? change(heard) : undefined;
    return changed === undefined ? [chunk] : [pack(over, "device", changed)];
  };
}

const NOTHING = new Uint8Array(0);
const IN_PROGRESS = encodeResult("038F", NOTHING);
const NO_TRANSACTION = encodeResult("038D", NOTHING);
const isProgress = (id: string, event: number | undefined, ...events: readonly number[]): boolean =>
  id === notifications.progress && event !== undefined && events.includes(event);

const flips: readonly Flip[] = [
  {
    clause: "I5",
    instead: "does not say how a card was presented",
    rewrite: without((id, event) => isProgress(id, event, 0x01, 0x09, 0x0a)),
  },
  {
    clause: "I6",
    instead: "cancels nothing and starts nothing",
    rewrite: onAnswers(({ result, data }) => (result === "0000" && data.length === 0 ? IN_PROGRESS : undefined)),
  },
  {
    clause: "I8",
    instead: "ends a transaction without saying how",
    rewrite: without((id, event) => isProgress(id, event, 0x06)),
  },
  { clause: "I9", instead: "tells no result", rewrite: without((id) => id === notifications.result) },
  {
    clause: "I10",
    instead: "says that no transaction runs",
    rewrite: onAnswers(({ result }) => (result === "0000" ? NO_TRANSACTION : undefined)),
  },
];

const common = {
  driver: "magtek-edynamo",
  clock: "host",
  keys: "told",
  masked: "bin-and-last4",
  refund: "declined-offline",
  asksBy: "start",
  frames: 30,
  cardWaitMs: 12,
  flips,
} as const;

/** No member has keys or a display; what a host chooses for the cardholder is not asked. */
const shown = (usual: readonly PromptCode[]): readonly PromptCode[] =>
  usual.filter((prompt) => prompt !== "SELECT_APPLICATION");

export const magtekEdynamoFacts: ModelFacts = {
  ...common,
  simulator: "magtek-edynamo",
  can: capabilitiesOf(members.edynamo),
  without: {},
  prompts: (usual) => shown(usual).map((prompt) => (prompt === "INSERT_OR_TAP" ? "INSERT_CHIP" : prompt)),
};

export const magtekTdynamoFacts: ModelFacts = {
  ...common,
  simulator: "magtek-tdynamo",
  can: capabilitiesOf(members.tdynamo),
  without: {},
  prompts: shown,
};

export const magtekDynawaveFacts: ModelFacts = {
  ...common,
  simulator: "magtek-dynawave",
  can: capabilitiesOf(members.dynawave),
  without: {},
  // It has no slot.
  prompts: (usual) => shown(usual).map((prompt) => (prompt === "INSERT_OR_TAP" ? "TAP" : prompt)),
};
