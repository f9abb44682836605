import {
  type TransportKind,
  UNREADABLE,
  type WireDirection,
  type WireFrame,
  type WireReader,
  wireReader,
} from "../../src/terminal/driver.ts";
import { cutFrames } from "./frame.ts";
import { COMMANDS, parseAnswer } from "./message.ts";

const NOTHING: Uint8Array = new Uint8Array(0);
const names: ReadonlyMap<number, string> = new Map(Object.entries(COMMANDS).map(([name, number]) => [number, name]));

/** The line in words, for a trace. */
export function wire(_transport: TransportKind, direction: WireDirection): WireReader {
  return wireReader(NOTHING, (pending, bytes) => {
    const { frames: bodies, pending: rest, broken } = cutFrames(pending, bytes);
    const frames = bodies.map((body) => frameOf(direction, body));
    return { state: rest, frames: broken === undefined ? frames : [...frames, UNREADABLE] };
  });
}

/**
 * What a frame is called; EMV objects that stand in it go into `objects`. No number, PIN or secret is part of a name.
 */
function frameOf(direction: WireDirection, body: Uint8Array): WireFrame {
  const { command, status } = parseAnswer(body);
  const name = names.get(command) ?? `command ${command}`;
  return { name: direction === "sent" ? name : `answer to ${name}: ${status}` };
}
