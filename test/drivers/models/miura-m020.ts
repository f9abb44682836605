import { encodeMessage, encodePacket, LONGEST_MESSAGE, push } from "../../../drivers/miura-m020/frame.ts";
import { type Answer, parseAnswer, parseEvent, type Template, tags } from "../../../drivers/miura-m020/message.ts";
import { type Message, newDeframer } from "../../../drivers/vipa/frame.ts";
import { encodeAnswer, encodeTemplate } from "../../../drivers/vipa/message.ts";
import { encodeTlvs, type Tlv } from "../../../src/emv/tlv.ts";
import type { Flip, ModelFacts } from "./facts.ts";

/** Changes every message, as soon as the last packet of its chain has come. Undefined: it never comes. */
function onMessages(
  change: (message: Message) => Message | undefined,
  encode: typeof encodeMessage = encodeMessage,
): Flip["rewrite"] {
  let deframer = newDeframer;
  return (chunk) => {
    const { messages, state } = push(deframer, chunk);
    deframer = state;
    return messages.flatMap((message) => {
      const changed = change(message);
      return changed === undefined ? [] : encode(changed);
    });
  };
}

/** Changes answers of this template. */
function onTemplates(
  wanted: readonly Template[],
  change: (answer: Extract<Answer, { is: "template" }>) => Uint8Array | undefined,
): Flip["rewrite"] {
  return onMessages((message) => {
    const answer = message.unsolicited ? undefined : parseAnswer(message.body);
    if (answer?.is !== "template" || !wanted.includes(answer.template)) return message;
    const body = change(answer);
    return body && { ...message, body };
  });
}

const templateOf = (template: Template, objects: readonly Tlv[]): Uint8Array =>
  encodeAnswer(encodeTemplate(template, objects));
const word = (statusWord: string): Uint8Array => encodeAnswer(new Uint8Array(0), statusWord);

/** Every packet holds so little that a message of any size is a chain. */
const PIECE = 7;

function inPieces({ nad = 1, unsolicited, body }: Parameters<typeof encodeMessage>[0]): readonly Uint8Array[] {
  const count = Math.max(1, Math.floor(body.length / PIECE));
  return Array.from({ length: count }, (_, at) => {
    const isLast = at === count - 1;
    return encodePacket({
      nad,
      unsolicited,
      chained: !isLast,
      piece: body.subarray(at * PIECE, isLast ? body.length : (at + 1) * PIECE),
    });
  });
}

const flips: readonly Flip[] = [
  { clause: "I1", instead: "wants another speed", rewrite: (chunk) => [chunk.map((byte) => (byte * 2) & 0xff)] },
  {
    clause: "I2",
    instead: "sends more than any message was seen to hold",
    rewrite: onTemplates(["E4"], ({ objects }) =>
      templateOf("E4", [...objects, { tag: "DF70", value: new Uint8Array(LONGEST_MESSAGE) }]),
    ),
  },
  { clause: "I3", instead: "cuts its messages elsewhere", rewrite: onMessages((message) => message, inPieces) },
  {
    clause: "I4",
    instead: "has the PIN block elsewhere",
    rewrite: onTemplates(["E4"], ({ objects }) =>
      templateOf(
        "E4",
        objects.filter(({ tag }) => tag !== tags.pinData),
      ),
    ),
  },
  {
    clause: "I5",
    instead: "sends the sealed pair that counts first",
    rewrite: onTemplates(["E4"], ({ objects }) =>
      templateOf("E4", [...objects, ...objects.filter(({ tag }) => tag === tags.sredData)]),
    ),
  },
  {
    clause: "I6",
    instead: "has a shorter key serial number",
    rewrite: onTemplates(["E4"], ({ objects }) =>
      templateOf(
        "E4",
        objects.map(({ tag, value }) => (tag === tags.sredKsn ? { tag, value: value.subarray(2) } : { tag, value })),
      ),
    ),
  },
  {
    clause: "I7",
    instead: "says that it starts anew, and goes on with its card",
    rewrite: onMessages(
      (message) => message,
      (message) => {
        const isFinal = !message.unsolicited && isTemplate(message.body, "E3");
        const says = templateOf("E6", [{ tag: tags.statusCode, value: Uint8Array.of(0x0b) }]);
        return [
          ...(isFinal ? encodeMessage({ nad: 1, unsolicited: true, body: says }) : []),
          ...encodeMessage(message),
        ];
      },
    ),
  },
  {
    clause: "I8",
    instead: "ends the entry of a PIN without a word",
    rewrite: onMessages((message) => (isStatus(message, "02", /OK/) ? undefined : message)),
  },
  {
    clause: "I9",
    instead: "counts the tries in another way",
    rewrite: onMessages((message) =>
      isStatus(message, "02", /Enter/)
        ? {
            ...message,
            body: templateOf("E6", [
              { tag: tags.statusCode, value: Uint8Array.of(0x02) },
              { tag: tags.pinTries, value: Uint8Array.of(0x00) },
            ]),
          }
        : message,
    ),
  },
  {
    clause: "I10",
    instead: "tells its clock without a template",
    rewrite: onTemplates(["E1"], ({ objects }) =>
      encodeAnswer(objects.some(({ tag }) => tag === "9F21") ? encodeTlvs(objects) : encodeTemplate("E1", objects)),
    ),
  },
  {
    clause: "I11",
    instead: "never says that a chip answered",
    rewrite: onMessages((message) => {
      const event = message.unsolicited ? parseEvent(message.body) : undefined;
      return event?.is === "card" && event.slot
        ? { ...message, body: templateOf("E1", [{ tag: tags.cardStatus, value: Uint8Array.of(0x01, 0x00) }]) }
        : message;
    }),
  },
  {
    clause: "I12",
    instead: "does not tell that its slot is empty",
    rewrite: onMessages((message) => {
      const event = message.unsolicited ? parseEvent(message.body) : undefined;
      return event?.is === "card" && !event.slot ? undefined : message;
    }),
  },
  {
    clause: "I13",
    instead: "does not take the code of a host that was not reached",
    rewrite: onTemplates(["E3", "E5"], () => word("9F21")),
  },
  {
    clause: "I14",
    instead: "has an error for a card that was pulled",
    rewrite: onTemplates(["E3", "E5"], () => word("9F30")),
  },
  {
    clause: "I16",
    instead: "takes longer than any limit for the card's final word",
    rewrite: onTemplates(["E3", "E5"], () => undefined),
  },
];

const isTemplate = (body: Uint8Array, template: Template): boolean => {
  const answer = parseAnswer(body);
  return answer.is === "template" && answer.template === template;
};

function isStatus({ unsolicited, body }: Message, code: string, text: RegExp): boolean {
  const event = unsolicited ? parseEvent(body) : undefined;
  return event?.is === "status" && event.code === code && text.test(event.text);
}

export const miuraM020Facts: ModelFacts = {
  driver: "miura-m020",
  simulator: "miura-m020",
  clock: "host",
  keys: "told",
  masked: "bin-and-last4",
  refund: "declined-offline",
  asksBy: "start-transaction",
  frames: 24,
  // The device is told to report its keys within the first dozen milliseconds (PROTOCOL.md 7.9).
  redKeyFromMs: 15,
  cardWaitMs: 6,
  screen: { asks: ["12.34 EUR", "INSERT CARD"], cardIn: "Amount 12.34 EUR" },
  prompts: (usual) => usual,
  without: {},
  // NAD, PCB, LEN, body, and the XOR of all of them (PROTOCOL.md 2.1).
  reseal: (chunk) =>
    chunk.with(
      -1,
      chunk.subarray(0, -1).reduce((sum, byte) => sum ^ byte, 0),
    ),
  flips,
};
