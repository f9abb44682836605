import { type Codec, newCodec, pack, read } from "../../../drivers/idtech-vp3300/codec.ts";
import { encodeAnswer, encodeCommand, type Frame } from "../../../drivers/idtech-vp3300/frame.ts";
import { memberOf } from "../../../drivers/idtech-vp3300/members.ts";
import { REPORT_BYTES } from "../../../drivers/idtech-vp3300/reports.ts";
import { crc16 } from "../../../src/kit/crc16.ts";
import type { TransportKind } from "../../../src/terminal/driver.ts";
import type { Flip, ModelFacts } from "./facts.ts";

/**
 * It has neither screen nor keys: the first application is taken, and a telephone speaks to its holder alone
 * (PROTOCOL.md 5.1 and 6.3).
 */
const UNSEEN: readonly string[] = ["SELECT_APPLICATION", "SEE_PHONE"];

/** Changes every frame, on either line, as soon as its last report has come. Undefined: it never comes. */
function onFrames(
  change: (frame: Frame) => Frame | undefined,
  encode: typeof encodeAnswer = encodeAnswer,
): Flip["rewrite"] {
  let codec: Codec | undefined;
  return (chunk) => {
    const transport = chunk.length === REPORT_BYTES && (chunk[0] ?? 0) <= LAST_REPORT ? "usb" : "serial";
    const { heard, codec: next } = read(codec ?? newCodec(transport), chunk);
    codec = next.pending.length > 0 ? next : undefined;
    return heard.flatMap((frame) => {
      const changed = change(frame);
      return changed === undefined ? [] : pack(transport, encode(changed));
    });
  };
}

/** The highest id of a report that carries a frame (PROTOCOL.md 1.2). */
const LAST_REPORT = 0x04;

const isResult = ({ command, data }: Frame, code: number): boolean =>
  command === 0x60 && data[6] === code >> 8 && data[7] === (code & 0xff);

/** Before the checksum: header, command, code and length in front of the data. */
const HEAD_BYTES = 14;
const CRC_BYTES = 2;

/** A frame in one chunk with the checksum that it should have; a piece of a longer one as it is. */
function resealed(chunk: Uint8Array, transport: TransportKind): Uint8Array {
  const from = transport === "usb" ? 1 : 0;
  if (transport === "usb" && chunk[0] !== 0x01) return chunk;
  const size = ((chunk[from + HEAD_BYTES - 2] ?? 0) << 8) | (chunk[from + HEAD_BYTES - 1] ?? 0);
  const end = transport === "usb" ? from + HEAD_BYTES + size : chunk.length - CRC_BYTES;
  if (end < from + HEAD_BYTES || end + CRC_BYTES > chunk.length) return chunk;
  const crc = crc16(chunk.subarray(from, end));
  return chunk.with(end, crc >> 8).with(end + 1, crc & 0xff);
}

const withResult = (frame: Frame, high: number, low: number): Frame => ({
  ...frame,
  data: frame.data.with(6, high).with(7, low),
});
const isTap = ({ command, data }: Frame): boolean => command === 0x02 && data.length > 2;
const withoutSecond = (data: Uint8Array): Uint8Array => Uint8Array.from([...data].filter((_, at) => at !== 1));

/** Under another tag, nobody finds the cryptogram information. */
function hidden(data: Uint8Array): Uint8Array {
  const at = data.findIndex((byte, index) => byte === 0x9f && data[index + 1] === 0x27 && data[index + 2] === 0x01);
  return at === -1 ? data : data.with(at + 1, 0x7a);
}

const flips: readonly Flip[] = [
  { clause: "I3", instead: "has the other order of the checksum", rewrite: onFrames((frame) => frame, encodeCommand) },
  {
    clause: "I5",
    instead: "refuses to tell of its slot",
    rewrite: onFrames((frame) => (frame.command === 0xf2 ? undefined : frame)),
  },
  {
    clause: "I10",
    instead: "has the card in another bit",
    rewrite: onFrames((frame) => (frame.command === 0xf2 ? { ...frame, data: Uint8Array.of(0x02) } : frame)),
  },
  {
    clause: "4.4",
    instead: "sends no first answer",
    rewrite: onFrames((frame) => (frame.code === 0x63 ? undefined : frame)),
  },
  {
    clause: "I6",
    instead: "refuses the tags that are wanted",
    rewrite: onFrames((frame) => (isResult(frame, 0x0004) ? { ...frame, code: 0x05 } : frame)),
  },
  {
    clause: "I16",
    instead: "refuses the completion",
    rewrite: onFrames((frame) => (isResult(frame, 0x0002) ? { ...frame, code: 0x07 } : frame)),
  },
  {
    clause: "I17",
    instead: "has another result for the end of a card",
    rewrite: onFrames((frame) => (isResult(frame, 0x0002) ? withResult(frame, 0x30, 0x02) : frame)),
  },
  {
    clause: "I19",
    instead: "never answers the ping behind a cancel",
    rewrite: onFrames((frame) => (frame.command === 0x18 ? undefined : frame)),
  },
];

/** What shows in a tap's answer alone. */
const tapFlips: readonly Flip[] = [
  ...flips.filter(({ clause }) => clause === "I3" || clause === "I19"),
  {
    clause: "I6",
    instead: "refuses the tags that are wanted",
    rewrite: onFrames((frame) => (isTap(frame) ? { ...frame, code: 0x05, data: new Uint8Array(0) } : frame)),
  },
  {
    clause: "I7",
    instead: "has one byte of attribution",
    rewrite: onFrames((frame) => (isTap(frame) ? { ...frame, data: withoutSecond(frame.data) } : frame)),
  },
  {
    clause: "I13",
    instead: "has a word of its own for what a tap decided",
    rewrite: onFrames((frame) => (isTap(frame) ? { ...frame, data: hidden(frame.data) } : frame)),
  },
];

const common = {
  driver: "idtech-vp3300",
  clock: "own",
  keys: "told",
  masked: "last4",
  refund: "declined-offline",
  asksBy: "activate",
  frames: 24,
  cardWaitMs: 6,
  without: {},
  reseal: resealed,
  flips,
} as const;

export const idtechVp3300Facts: ModelFacts = {
  ...common,
  simulator: "idtech-vp3300",
  can: memberOf("VP3300").capabilities,
  prompts: (usual) => usual.filter((prompt) => !UNSEEN.includes(prompt)),
};

/** What is asked on its own screen is not told (PROTOCOL.md 7). */
const ON_ITS_SCREEN: readonly string[] = [...UNSEEN, "ENTER_PIN"];

/** They are read, and told without the PIN that they want. */
const NO_PIN_FOR_A_TAP = "PROTOCOL.md 10: a PIN is typed inside a chip's transaction alone";

export const idtechVp8800Facts: ModelFacts = {
  ...common,
  simulator: "idtech-vp8800",
  can: memberOf("VP8800").capabilities,
  without: {
    "visa-contactless-pin": NO_PIN_FOR_A_TAP,
    "mastercard-contactless-pin": NO_PIN_FOR_A_TAP,
    "magstripe-pin": NO_PIN_FOR_A_TAP,
  },
  hidesOfflinePin: { what: "all", clause: "PROTOCOL.md 7" },
  prompts: (usual) =>
    usual.filter((prompt) => !ON_ITS_SCREEN.includes(prompt)).filter((prompt, at, left) => prompt !== left[at - 1]),
};

export const idtechKioskFacts: ModelFacts = {
  ...common,
  simulator: "idtech-kiosk",
  can: memberOf("Kiosk III").capabilities,
  // It has no slot.
  prompts: (usual) => idtechVp3300Facts.prompts(usual).map((prompt) => (prompt === "INSERT_OR_TAP" ? "TAP" : prompt)),
  flips: tapFlips,
};
