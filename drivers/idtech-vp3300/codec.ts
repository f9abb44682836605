import type { TransportKind } from "../../src/terminal/driver.ts";
import { type Cut, cutFrames, type Frame } from "./frame.ts";
import { reportsOf, takeReport } from "./reports.ts";

/** Input of one link that is not yet a whole frame. Its size is bounded. */
export interface Codec {
  readonly over: "stream" | "reports";
  readonly pending: Uint8Array;
  /** Why the stream is no longer trusted; nothing is read after it (PROTOCOL.md 2.5). */
  readonly broken?: string;
}

export function newCodec(transport: TransportKind): Codec {
  return { over: transport === "usb" ? "reports" : "stream", pending: new Uint8Array(0) };
}

/** Takes the next chunk: one report over USB, otherwise any piece of a stream. Never throws. */
export function read(
  codec: Codec,
  chunk: Uint8Array,
): { readonly codec: Codec; readonly heard: readonly Frame[]; readonly error?: string } {
  if (codec.broken !== undefined) return { codec, heard: [], error: codec.broken };
  const cut: Cut = codec.over === "reports" ? takeReport(codec.pending, chunk) : cutFrames(codec.pending, chunk);
  const { frames, pending, broken } = cut;
  if (broken === undefined) return { codec: { over: codec.over, pending }, heard: frames };
  return { codec: { over: codec.over, pending: new Uint8Array(0), broken }, heard: frames, error: broken };
}

export function pack(transport: TransportKind, frame: Uint8Array): readonly Uint8Array[] {
  return transport === "usb" ? reportsOf(frame) : [frame];
}
