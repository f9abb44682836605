import { parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import { messageReader, type TransportKind, type WireDirection, type WireFrame, type WireReader } from "../../src/terminal/driver.ts";
import { commandName, parseApdu } from "./apdu.ts";
import { type Message, newDeframer, push } from "./frame.ts";
import { parseEvent } from "./message.ts";

/** The line in words, for a trace. */
export function wire(_transport: TransportKind, direction: WireDirection): WireReader {
  return messageReader(newDeframer, push, direction === "sent" ? commandFrames : answerFrames);
}

function commandFrames({ body }: Message): readonly WireFrame[] {
  const apdu = parseApdu(body);
  return [{ name: (apdu && commandName(apdu)) ?? "unknown command", objects: objectsIn(apdu?.data ?? new Uint8Array(0)) }];
}

function answerFrames({ unsolicited, body }: Message): readonly WireFrame[] {
  const objects = objectsIn(body.slice(0, -2));
  if (!unsolicited) return [{ name: `answer ${toHex(body.subarray(-2))}`, objects }];
  const event = parseEvent(body);
  return event.is === "key" ? [] : [{ name: event.is === "status" ? `status ${event.code}` : `told: ${event.is}`, objects }];
}

function objectsIn(bytes: Uint8Array): readonly Tlv[] {
  const parsed = parseTlv(bytes);
  return parsed.ok ? parsed.objects : [];
}
