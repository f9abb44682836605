import { toHex } from "../../src/kit/hex.ts";
import type { LineItem } from "../../src/terminal/acknowledged-line.ts";
import {
  type TransportKind,
  UNREADABLE,
  type WireDirection,
  type WireFrame,
  type WireReader,
  wireReader,
} from "../../src/terminal/driver.ts";
import { cutLine, frameIn } from "./frame.ts";
import { nameOf } from "./message.ts";

const NOTHING = new Uint8Array(0);
const KEYS: readonly string[] = ["key", "key-hit"];

/** Describes the traffic for a trace. Object values are hidden. */
export function wire(_transport: TransportKind, direction: WireDirection): WireReader {
  return wireReader<Uint8Array>(NOTHING, (pending, chunk) => {
    const { items, pending: left } = cutLine(pending, chunk);
    return { state: left, frames: items.flatMap((item) => framesOf(item, direction)) };
  });
}

function framesOf(item: LineItem, direction: WireDirection): readonly WireFrame[] {
  if (item.is === "bad") return [UNREADABLE];
  if (item.is !== "frame") return [];
  const frame = frameIn(item.body);
  const name = nameOf(frame);
  if (name !== undefined && KEYS.includes(name)) return [];
  const called = name ?? `frame ${toHex(Uint8Array.of(frame.command, frame.sub))}`;
  return [{ name: direction === "sent" ? called : `answer to ${called}` }];
}
