import { parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import { type TransportKind, UNREADABLE, type WireDirection, type WireFrame, type WireReader, wireReader } from "../../src/terminal/driver.ts";
import { commandName, parseApdu } from "./apdu.ts";
import { type Deframer, type Message, newDeframer, push } from "./frame.ts";
import { parseEvent } from "./message.ts";
import { statusText } from "./status-words.ts";

/** The line in words, for a trace. */
export function wire(_transport: TransportKind, direction: WireDirection): WireReader {
  const framesOf = direction === "sent" ? commandFrames : answerFrames;
  return wireReader<Deframer>(newDeframer, (state, bytes) => {
    const { state: next, messages, error } = push(state, bytes);
    const frames = messages.flatMap(framesOf);
    return error === undefined ? { state: next, frames } : { state: newDeframer, frames: [...frames, UNREADABLE] };
  });
}

function commandFrames({ body }: Message): readonly WireFrame[] {
  const apdu = parseApdu(body);
  return [{ name: (apdu && commandName(apdu)) ?? "unknown command", objects: objectsIn(apdu?.data ?? new Uint8Array(0)) }];
}

function answerFrames({ unsolicited, body }: Message): readonly WireFrame[] {
  const objects = objectsIn(body.slice(0, -2));
  if (!unsolicited) return [{ name: `answer ${statusText(toHex(body.subarray(-2)))}`, objects }];
  const event = parseEvent(body);
  return event.is === "key" ? [] : [{ name: event.is === "status" ? `status ${event.code}` : `told: ${event.is}`, objects }];
}

function objectsIn(bytes: Uint8Array): readonly Tlv[] {
  const parsed = parseTlv(bytes);
  return parsed.ok ? parsed.objects : [];
}
