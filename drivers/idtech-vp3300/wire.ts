import { toHex } from "../../src/kit/hex.ts";
import {
  type TransportKind,
  UNREADABLE,
  type WireDirection,
  type WireFrame,
  type WireReader,
  wireReader,
} from "../../src/terminal/driver.ts";
import { type Codec, newCodec, read } from "./codec.ts";
import type { Frame } from "./frame.ts";
import { heardIn, nameOf, outcomeIn } from "./message.ts";

/** Describes the traffic for a trace. Customer dialogues are hidden. */
export function wire(transport: TransportKind, direction: WireDirection): WireReader {
  const frameOf = direction === "sent" ? commandFrame : answerFrame;
  return wireReader<Codec>(newCodec(transport), (codec, bytes) => {
    const { codec: next, heard, error } = read(codec, bytes);
    const frames = heard.map(frameOf);
    return error === undefined
      ? { state: next, frames }
      : { state: newCodec(transport), frames: [...frames, UNREADABLE] };
  });
}

const numbers = ({ command, code }: Frame): string => toHex(Uint8Array.of(command, code));

function commandFrame(frame: Frame): WireFrame {
  return { name: nameOf(frame) ?? `command ${numbers(frame)}` };
}

function answerFrame(frame: Frame): WireFrame {
  const heard = heardIn(frame);
  if (heard.is !== "answer") return { name: `told: ${heard.is}` };
  const objects = outcomeIn(heard.data)?.leaves.map(({ tag, value }) => ({ tag, value }));
  return { name: `answer ${numbers(frame)}`, ...(objects && { objects }) };
}
