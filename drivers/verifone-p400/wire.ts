import type { Tlv } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import { type TransportKind, UNREADABLE, type WireDirection, type WireFrame, type WireReader, wireReader } from "../../src/terminal/driver.ts";
import { commandName, parseApdu } from "./apdu.ts";
import { type Deframer, type Message, newDeframer, push } from "./frame.ts";
import { objectsIn, parseEvent, parseObjects } from "./message.ts";
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
  return [{ name: (apdu && commandName(apdu)) ?? "unknown command", objects: apdu === undefined ? [] : dataOf(apdu.data) }];
}

function dataOf(data: Uint8Array): readonly Tlv[] {
  const parsed = parseObjects(data);
  return parsed.ok ? parsed.objects : [];
}

function answerFrames(message: Message): readonly WireFrame[] {
  const { unsolicited, encrypted, body } = message;
  if (encrypted) return [{ name: "encrypted message" }];
  const objects = objectsIn(message);
  if (!unsolicited) return [{ name: `answer ${statusText(toHex(body.subarray(-2)))}`, objects }];
  const event = parseEvent(body);
  return event.is === "key" ? [] : [{ name: event.is === "status" ? `status ${event.code}` : `told: ${event.is}`, objects }];
}
