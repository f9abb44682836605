import { cutSlip } from "../../src/kit/slip.ts";
import type { TransportKind } from "../../src/terminal/driver.ts";
import { FROM_DEVICE, FROM_HOST, frameAround, LONGEST_FRAME, readFrame, TOO_LONG } from "./frame.ts";
import { LONGEST_MESSAGE, type Message, parseMessage } from "./message.ts";
import { type Assembly, NO_HEAD, reportsOf, takeReport } from "./reports.ts";

/** How messages travel (PROTOCOL.md 2): in HID reports, in frames on a serial line, or each by itself in a WebSocket message. */
export type Over = "reports" | "slip" | "messages";

/** Who is listened to. */
export type Speaker = "device" | "host";

/** What arrives on one link being put together; bounded whatever arrives. */
export interface Codec {
  readonly over: Over;
  readonly speaker: Speaker;
  /** Nothing whole has arrived yet: what goes on with something of before is passed over (PROTOCOL.md 2.4). */
  readonly isFresh: boolean;
  /** Bytes of a serial frame that is not whole. */
  readonly pending: Uint8Array;
  /** A message of which not every report has come. */
  readonly assembly: Assembly | undefined;
  /** Why the stream cannot be trusted any more; then nothing is read from it again (PROTOCOL.md 2.4). */
  readonly broken?: string;
}

/** What came off the line: a message, or the device's word that ours was too long for it. */
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
      return chunk.length > LONGEST_MESSAGE ? broken(codec, [], `a message of ${chunk.length} bytes`) : whole(codec, [], chunk);
  }
}

function broken(codec: Codec, heard: readonly Heard[], why: string): Read {
  return { codec: { ...newCodec(codec.over, codec.speaker), broken: why }, heard, error: why };
}

function whole(codec: Codec, before: readonly Heard[], bytes: Uint8Array): Read {
  const message = parseMessage(bytes);
  return typeof message === "string" ? broken(codec, before, message) : { codec: { ...codec, isFresh: false }, heard: [...before, message] };
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
  if (frame.info === TOO_LONG) return { codec: { ...codec, isFresh: false }, heard: [...heard, { is: "too-long", most: frame.length }] };
  if (frame.info !== infoOf(codec.speaker)) return broken(codec, heard, `a frame from the wrong side (${frame.info})`);
  return whole(codec, heard, frame.message);
}

function infoOf(speaker: Speaker): typeof FROM_HOST | typeof FROM_DEVICE {
  return speaker === "device" ? FROM_DEVICE : FROM_HOST;
}

/** One message as the transport wants it written. */
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
