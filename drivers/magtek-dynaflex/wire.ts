import {
  type TransportKind,
  UNREADABLE,
  type WireDirection,
  type WireFrame,
  type WireReader,
  wireReader,
} from "../../src/terminal/driver.ts";
import { type Codec, type Heard, newCodec, overOf, read } from "./codec.ts";
import { commands, objectsIn } from "./message.ts";

const names: ReadonlyMap<string, string> = new Map(Object.entries(commands).map(([name, number]) => [number, name]));

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
    case "request":
      return { name: names.get(heard.command) ?? `command ${heard.command}`, objects: objectsIn(heard.payload) };
    case "response":
      return {
        name: `answer to ${names.get(heard.command) ?? heard.command}: ${heard.detail}`,
        objects: objectsIn(heard.payload),
      };
    case "notification":
      return { name: `told: ${heard.id} ${heard.code}`, objects: objectsIn(heard.payload) };
    case "too-long":
    case "other":
      return { name: heard.is };
  }
}
