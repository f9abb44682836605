import { cutLine, encodeFrame, type Frame, frameIn } from "../../../drivers/pax-d180/frame.ts";
import { memberOf } from "../../../drivers/pax-d180/members.ts";
import { word, wordIn } from "../../../drivers/pax-d180/message.ts";
import { SEALED } from "../../../drivers/pax-d180/status-codes.ts";
import { concat } from "../../../src/kit/bytes.ts";
import type { Flip, ModelFacts } from "./facts.ts";

/** Changes the answers to one command, by their return code and what is behind it. */
function onAnswers(
  sub: number | "any",
  change: (rc: number, data: Uint8Array) => readonly [rc: number, data: Uint8Array],
): Flip["rewrite"] {
  return (chunk) => {
    const [item] = cutLine(new Uint8Array(0), chunk).items;
    const frame: Frame | undefined = item?.is === "frame" ? frameIn(item.body) : undefined;
    const rc = frame && wordIn(frame.data);
    if (frame === undefined || rc === undefined || (sub !== "any" && frame.sub !== sub)) return [chunk];
    const [told, data] = change(rc, frame.data.slice(4));
    return [encodeFrame({ ...frame, data: concat(word(told), data) })];
  };
}

const isAcknowledgement = (chunk: Uint8Array): boolean => chunk.length === 1 && chunk[0] === 0x06;

const flips: readonly Flip[] = [
  {
    clause: "3.4",
    instead: "does not acknowledge, but answers",
    rewrite: (chunk) => (isAcknowledgement(chunk) ? [] : [chunk]),
  },
  {
    clause: "I4",
    instead: "refuses every command once",
    rewrite: (chunk) => (isAcknowledgement(chunk) ? [Uint8Array.of(0x15), chunk] : [chunk]),
  },
  {
    clause: "I6",
    instead: "tells EMV's return codes with their base",
    rewrite: onAnswers("any", (rc, data) => [rc < 0 && rc > -300 ? rc - 0xa0000 : rc, data]),
  },
  {
    clause: "4.4",
    instead: "does not mark ciphertext",
    rewrite: onAnswers(0x82, (rc, data) => [rc === SEALED ? 0 : rc, data]),
  },
  { clause: "4.5", instead: "tells no kind of cryptogram", rewrite: onAnswers(0xa4, (rc) => [rc, new Uint8Array(0)]) },
  {
    clause: "I7",
    instead: "tells the serial number of the next key, with a length before it",
    rewrite: onAnswers(0x19, (rc, data) => [rc, concat(Uint8Array.of(data.length), data)]),
  },
  { clause: "I12", instead: "lets nothing be set", rewrite: onAnswers(0x83, () => [-16, new Uint8Array(0)]) },
  {
    clause: "I13",
    instead: "tells a TC as an error of the card",
    rewrite: onAnswers(0xa4, () => [-2, Uint8Array.of(0x01)]),
  },
  { clause: "I15", instead: "cannot tell of its slot", rewrite: onAnswers(0x59, () => [-0xffff, new Uint8Array(0)]) },
  {
    clause: "I16",
    instead: "never answers the second cryptogram",
    rewrite: (chunk) => (chunk[2] === 0xa4 ? [] : [chunk]),
  },
];

/** The first application is taken, and nobody taps (PROTOCOL.md 5.2 and 9). */
const prompts: ModelFacts["prompts"] = (usual) =>
  usual
    .filter((prompt) => prompt !== "SELECT_APPLICATION")
    .map((prompt) => (prompt === "INSERT_OR_TAP" ? "INSERT_CHIP" : prompt));

export const paxD180Facts: ModelFacts = {
  driver: "pax-d180",
  simulator: "pax-d180",
  can: memberOf(0x23).capabilities,
  clock: "host",
  keys: "told",
  masked: "none",
  refund: "declined-offline",
  asksBy: "start",
  frames: 132,
  redKeyFromMs: 15,
  // Between two rounds the device is left alone for 150 ms (PROTOCOL.md 8.10).
  cardWaitMs: 400,
  screen: { asks: ["12.34 EUR", "INSERT CARD"], cardIn: "PLEASE WAIT" },
  prompts,
  without: {},
  hidesServiceCode: "PROTOCOL.md 6.4: tracks come as ciphertext alone",
  // 02, command and data, XOR of those (PROTOCOL.md 2.2).
  reseal: (chunk) =>
    chunk.with(
      -1,
      chunk.subarray(1, -1).reduce((sum, byte) => sum ^ byte, 0),
    ),
  flips,
};
