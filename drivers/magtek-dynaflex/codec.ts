import { cutSlip } from "../../src/kit/slip.ts";
import type { TransportKind } from "../../src/terminal/driver.ts";
import { FROM_DEVICE, FROM_HOST, frameAround, LONGEST_FRAME, readFrame, TOO_LONG } from "./frame.ts";
import { LONGEST_MESSAGE, type Message, parseMessage } from "./message.ts";
import { type Assembly, NO_HEAD, reportsOf, takeReport } from "./reports.ts";

/** Message transport (PROTOCOL.md 2): HID reports, frames on a serial line, or one WebSocket message each. */
export type Over = "reports" | "slip" | "messages";

/** The side whose messages are read. */
export type Speaker = "device" | "host";

/** Input of one link that is not yet a whole message. Its size is bounded. */
export interface Codec {
  readonly over: Over;
  readonly speaker: Speaker;
  /** No whole message has arrived yet; the rest of an earlier message is skipped (PROTOCOL.md 2.4). */
  readonly isFresh: boolean;
  /** Bytes of an unfinished serial frame. */
  readonly pending: Uint8Array;
  /** A message with missing reports. */
  readonly assembly: Assembly | undefined;
  /** Why the stream is no longer trusted; nothing is read after it (PROTOCOL.md 2.4). */
  readonly broken?: string;
}

/** A message, or the device's notice that our message was too long. */
export type Heard = Message | { readonly is: "too-long"; readonly most: number };

export interface Read {
  readonly codec: Codec;
  readonly heard: readonly Heard[];
  readonly error?: string;
}

export function overOf(transport: TransportKind): Over {
  switch (transport) {
    case "usb":
      return "reports";
    case "serial":
      return "slip";
    case "tcp":
    case "websocket":
      return "messages";
  }
}

export function newCodec(over: Over, speaker: Speaker): Codec {
  return { over, speaker, isFresh: true, pending: new Uint8Array(0), assembly: undefined };
}

/** Takes the next chunk: one report, one WebSocket message, or any piece of a serial stream. Never throws. */
export function read(codec: Codec, chunk: Uint8Array): Read {
  if (codec.broken !== undefined) return { codec, heard: [], error: codec.broken };
  switch (codec.over) {
    case "reports":
      return readReport(codec, chunk);
    case "slip":
      return readStream(codec, chunk);
    case "messages":
      return chunk.length > LONGEST_MESSAGE
        ? broken(codec, [], `a message of ${chunk.length} bytes`)
        : whole(codec, [], chunk);
  }
}

function broken(codec: Codec, heard: readonly Heard[], why: string): Read {
  return { codec: { ...newCodec(codec.over, codec.speaker), broken: why }, heard, error: why };
}

function whole(codec: Codec, before: readonly Heard[], bytes: Uint8Array): Read {
  const message = parseMessage(bytes);
  return typeof message === "string"
    ? broken(codec, before, message)
    : { codec: { ...codec, isFresh: false }, heard: [...before, message] };
}

function readReport(codec: Codec, report: Uint8Array): Read {
  const { assembly, message, broken: why } = takeReport(codec.assembly, report);
  const next = { ...codec, assembly };
  if (why === NO_HEAD && codec.isFresh) return { codec: next, heard: [] };
  if (why !== undefined) return broken(codec, [], why);
  return message === undefined ? { codec: next, heard: [] } : whole(next, [], message);
}

function readStream(codec: Codec, chunk: Uint8Array): Read {
  const cut = cutSlip(codec.pending, chunk, LONGEST_FRAME);
  let read: Read = { codec: { ...codec, pending: cut.pending }, heard: [] };
  for (const piece of cut.pieces) {
    read = readPiece(read, piece);
    if (read.error !== undefined) return read;
  }
  return cut.broken === undefined ? read : broken(codec, read.heard, cut.broken);
}

function readPiece({ codec, heard }: Read, piece: Uint8Array): Read {
  const frame = readFrame(piece);
  if (typeof frame === "string") return codec.isFresh ? { codec, heard } : broken(codec, heard, frame);
  if (frame.info === TOO_LONG)
    return { codec: { ...codec, isFresh: false }, heard: [...heard, { is: "too-long", most: frame.length }] };
  if (frame.info !== infoOf(codec.speaker)) return broken(codec, heard, `a frame from the wrong side (${frame.info})`);
  return whole(codec, heard, frame.message);
}

function infoOf(speaker: Speaker): typeof FROM_HOST | typeof FROM_DEVICE {
  return speaker === "device" ? FROM_DEVICE : FROM_HOST;
}

export function pack(over: Over, speaker: Speaker, message: Uint8Array): readonly Uint8Array[] {
  switch (over) {
    case "reports":
      return reportsOf(message);
    case "slip":
      return [frameAround(infoOf(speaker), message)];
    case "messages":
      return [message];
  }
}
