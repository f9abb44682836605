import { encodeMessage, push } from "../../../drivers/verifone-p400/frame.ts";
import { capabilitiesOf } from "../../../drivers/verifone-p400/members.ts";
import { parseAnswer, parseEvent } from "../../../drivers/verifone-p400/message.ts";
import { newDeframer } from "../../../drivers/vipa/frame.ts";
import { encodeAnswer, encodeTemplate } from "../../../drivers/vipa/message.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import type { Flip, ModelFacts } from "./facts.ts";

/** Changes every message that arrives in one packet; longer ones stay as they are. Undefined: it never comes. */
function onMessages(change: (body: Uint8Array, unsolicited: boolean) => Uint8Array | undefined): Flip["rewrite"] {
  return (chunk) => {
    const [message] = push(newDeframer, chunk).messages;
    if (message === undefined) return [chunk];
    const body = change(message.body, message.unsolicited);
    return body === undefined ? [] : encodeMessage({ unsolicited: message.unsolicited, body });
  };
}

const word = (statusWord: string): Uint8Array => encodeAnswer(new Uint8Array(0), statusWord);

const flips: readonly Flip[] = [
  {
    clause: "4.5",
    instead: "never tells what is in the slot",
    rewrite: onMessages((body, unsolicited) => (unsolicited && parseEvent(body).is === "card" ? undefined : body)),
  },
  {
    clause: "I10",
    instead: "has another code for the entry of a PIN",
    rewrite: onMessages((body, unsolicited) => {
      const event = unsolicited ? parseEvent(body) : undefined;
      return event?.is === "status" && event.code === "0C"
        ? encodeAnswer(encodeTemplate("E6", [{ tag: "C3", value: Uint8Array.of(0x22) }]))
        : body;
    }),
  },
  {
    clause: "I12",
    instead: "refuses to tell of its keys",
    rewrite: onMessages((body, unsolicited) => {
      const answer = unsolicited ? undefined : parseAnswer(body);
      return answer?.is === "list" && answer.objects.some(({ tag }) => tag === "DFED03" || tag === "DFDF11")
        ? word("9F11")
        : body;
    }),
  },
  {
    clause: "6.2",
    instead: "says nothing of what it does with a chip",
    rewrite: onMessages((body, unsolicited) => (unsolicited && parseEvent(body).is === "status" ? undefined : body)),
  },
  {
    clause: "I15",
    instead: "takes no word of quick chip in START",
    rewrite: onMessages((body, unsolicited) => {
      const answer = unsolicited ? undefined : parseAnswer(body);
      return answer?.is === "template" && answer.template === "E2" ? word("9F21") : body;
    }),
  },
  {
    clause: "I18",
    instead: "is not ready for the second CONTINUE",
    rewrite: onMessages((body, unsolicited) => {
      const answer = unsolicited ? undefined : parseAnswer(body);
      return answer?.is === "template" && (answer.template === "E3" || answer.template === "E5") ? word("9F22") : body;
    }),
  },
  {
    clause: "4.8",
    instead: "has lost the PIN when it is fetched",
    rewrite: onMessages((body, unsolicited) => {
      const answer = unsolicited ? undefined : parseAnswer(body);
      return answer?.is === "template" && answer.template === "E0" ? fromHex("9000") : body;
    }),
  },
];

const AROUND_PIECE = 4;
const LONGEST_PIECE = 254;

/**
 * NAD, PCB, LEN, piece, and the XOR of all of them (PROTOCOL.md 2.4). A packet whose size changed gets its length too:
 * what is in it is to be believed.
 */
function resealed(chunk: Uint8Array): Uint8Array {
  const size = chunk.length - AROUND_PIECE;
  const sized = size >= 1 && size <= LONGEST_PIECE ? chunk.with(2, size) : chunk;
  return sized.with(
    -1,
    sized.subarray(0, -1).reduce((sum, byte) => sum ^ byte, 0),
  );
}

const common = {
  driver: "verifone-p400",
  clock: "host",
  keys: "told",
  masked: "bin-and-last4",
  refund: "declined-offline",
  asksBy: "start-transaction",
  frames: 24,
  // CARD STATUS is the first command of a collect, and has the keys reported (PROTOCOL.md 7.9).
  redKeyFromMs: 15,
  cardWaitMs: 6,
  hidesOfflinePin: {
    what: "end",
    clause: "PROTOCOL.md 6.2: C3 tells that a PIN is typed, and nothing of how it ended",
  },
  screen: { asks: ["12.34 EUR", "INSERT CARD"], cardIn: "Amount 12.34 EUR" },
  without: {},
  reseal: resealed,
  flips,
} as const;

export const verifoneP400Facts: ModelFacts = { ...common, simulator: "verifone-p400", prompts: (usual) => usual };

/** Without a contactless module nothing is tapped. */
export const verifoneUx300Facts: ModelFacts = {
  ...common,
  simulator: "verifone-ux300",
  can: capabilitiesOf(["UX300", "UX100"], false),
  prompts: (usual) => usual.map((prompt) => (prompt === "INSERT_OR_TAP" ? "INSERT_CHIP" : prompt)),
};
