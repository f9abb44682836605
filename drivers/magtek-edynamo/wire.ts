import { parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import {
  type TransportKind,
  UNREADABLE,
  type WireDirection,
  type WireFrame,
  type WireReader,
  wireReader,
} from "../../src/terminal/driver.ts";
import { type Codec, newCodec, overOf, read } from "./codec.ts";
import { extended, type Heard, notifications, packetIn, plain } from "./message.ts";
import { progressIn } from "./progress.ts";
import { statusOf } from "./status-codes.ts";

const plainNames: ReadonlyMap<number, string> = new Map(Object.entries(plain).map(([name, number]) => [number, name]));
const extendedNames: ReadonlyMap<string, string> = new Map(Object.entries(extended).map(([name, id]) => [id, name]));
const toldNames: ReadonlyMap<string, string> = new Map(Object.entries(notifications).map(([name, id]) => [id, name]));

/** Describes the traffic for a trace. */
export function wire(transport: TransportKind, direction: WireDirection): WireReader {
  const begin = (): Codec => newCodec(overOf(transport), direction === "sent" ? "host" : "device");
  return wireReader<Codec>(begin(), (codec, bytes) => {
    const { codec: next, heard, error } = read(codec, bytes);
    const frames = heard.map(frameOf);
    return error === undefined ? { state: next, frames } : { state: begin(), frames: [...frames, UNREADABLE] };
  });
}

function frameOf(heard: Heard): WireFrame {
  switch (heard.is) {
    case "command":
      return { name: commandName(heard.code, heard.data) };
    case "answer":
      return { name: `answer: ${statusOf(heard)}` };
    case "notification":
      return told(heard.id, heard.data);
    case "pending":
    case "other":
      return { name: heard.is };
  }
}

function commandName(code: number, data: Uint8Array): string {
  const packet = code === plain.extended ? packetIn(data) : undefined;
  if (packet === undefined) return plainNames.get(code) ?? `command ${code.toString(16).padStart(2, "0")}`;
  const name = extendedNames.get(packet.id) ?? `command ${packet.id}`;
  return packet.offset === 0 ? name : `${name}, from byte ${packet.offset}`;
}

/** Bytes before the card data: its length, and in a result also the signature byte. */
const HEADS: Readonly<Record<string, number>> = { [notifications.arqc]: 2, [notifications.result]: 3 };

function told(id: string, data: Uint8Array): WireFrame {
  const name = `told: ${toldNames.get(id) ?? id}`;
  if (id === notifications.progress) {
    const { event, stage } = progressIn(data) ?? { event: "", stage: "" };
    return { name: `${name} ${event} ${stage}` };
  }
  const head = HEADS[id];
  return head === undefined ? { name } : { name, objects: objectsIn(data, head) };
}

/** The device's own tags begin with FF, so only zeros are filler. */
const FILLER: readonly number[] = [0x00];

function objectsIn(data: Uint8Array, head: number): readonly Tlv[] {
  const length = ((data[head - 2] ?? 0) << 8) | (data[head - 1] ?? 0);
  const parsed = parseTlv(data.subarray(head, head + length), FILLER);
  return parsed.ok ? parsed.objects : [];
}
