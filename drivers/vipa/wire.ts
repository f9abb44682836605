import type { Tlv, TlvParse } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import {
  type TransportKind,
  UNREADABLE,
  type WireDirection,
  type WireFrame,
  type WireReader,
  wireReader,
} from "../../src/terminal/driver.ts";
import type { Apdu } from "./apdu.ts";
import { type Deframer, type Framing, type Message, newDeframer } from "./frame.ts";

/** A model's message names in a trace. */
export interface WireWords {
  readonly push: Framing["push"];
  readonly parse: (bytes: Uint8Array) => TlvParse;
  readonly parseApdu: (body: Uint8Array) => Apdu | undefined;
  readonly commandName: (apdu: Apdu) => string | undefined;
  readonly statusText: (statusWord: string) => string;
  readonly parseEvent: (body: Uint8Array) => { readonly is: string; readonly code?: string };
}

/** Describes the traffic for a trace. */
export function wireOf(words: WireWords): (transport: TransportKind, direction: WireDirection) => WireReader {
  return (_transport, direction) => {
    const framesOf = direction === "sent" ? commandFrames : answerFrames;
    return wireReader<Deframer>(newDeframer, (state, bytes) => {
      const { state: next, messages, error } = words.push(state, bytes);
      const frames = messages.flatMap((message) => framesOf(words, message));
      return error === undefined ? { state: next, frames } : { state: newDeframer, frames: [...frames, UNREADABLE] };
    });
  };
}

function commandFrames({ parse, parseApdu, commandName }: WireWords, { body }: Message): readonly WireFrame[] {
  const apdu = parseApdu(body);
  return [
    {
      name: (apdu && commandName(apdu)) ?? "unknown command",
      objects: apdu === undefined ? [] : objectsIn(parse, apdu.data),
    },
  ];
}

/** Pressed keys are never shown. */
function answerFrames(
  { parse, statusText, parseEvent }: WireWords,
  { unsolicited, encrypted, body }: Message,
): readonly WireFrame[] {
  if (encrypted) return [{ name: "encrypted message" }];
  const objects = objectsIn(parse, body.slice(0, -2));
  if (!unsolicited) return [{ name: `answer ${statusText(toHex(body.subarray(-2)))}`, objects }];
  const event = parseEvent(body);
  return event.is === "key"
    ? []
    : [{ name: event.is === "status" ? `status ${event.code}` : `told: ${event.is}`, objects }];
}

function objectsIn(parse: WireWords["parse"], bytes: Uint8Array): readonly Tlv[] {
  const parsed = parse(bytes);
  return parsed.ok ? parsed.objects : [];
}
