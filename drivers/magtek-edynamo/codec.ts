import { cutSlip } from "../../src/kit/slip.ts";
import type { TransportKind } from "../../src/terminal/driver.ts";
import { encodeFrame, LONGEST_FRAME, readFrame, types, withRuns } from "./frame.ts";
import { type Heard, parseAnswer, parseCommand } from "./message.ts";
import { type Assembly, NO_HEAD, packetsOf, takePacket } from "./notification.ts";
import { commandReport, type Gathering, gather, NOTIFICATION_HOLDS, notificationReport } from "./reports.ts";

/** Message transport (PROTOCOL.md 2): HID reports, or frames on a serial line. */
export type Over = "reports" | "frames";

/** The side whose messages are read. */
export type Speaker = "device" | "host";

/** Input of one link that is not yet a whole message. Its size is bounded. */
export interface Codec {
  readonly over: Over;
  readonly speaker: Speaker;
  /** No whole message has arrived yet; the rest of an earlier message is skipped (PROTOCOL.md 2.5). */
  readonly isFresh: boolean;
  /** Bytes of an unfinished serial frame. */
  readonly pending: Uint8Array;
  readonly gathering: Gathering;
  readonly assembly: Assembly | undefined;
  /** Why the stream is no longer trusted; nothing is read after it (PROTOCOL.md 2.5). */
  readonly broken?: string;
}

export interface Read {
  readonly codec: Codec;
  readonly heard: readonly Heard[];
  readonly error?: string;
}

export function overOf(transport: TransportKind): Over {
  return transport === "usb" ? "reports" : "frames";
}

export function newCodec(over: Over, speaker: Speaker): Codec {
  return { over, speaker, isFresh: true, pending: new Uint8Array(0), gathering: {}, assembly: undefined };
}

/** Takes the next chunk: a USB packet, or any piece of a serial stream. Never throws. */
export function read(codec: Codec, chunk: Uint8Array): Read {
  if (codec.broken !== undefined) return { codec, heard: [], error: codec.broken };
  return codec.over === "reports" ? readReport(codec, chunk) : readStream(codec, chunk);
}

function broken({ over, speaker }: Codec, heard: readonly Heard[], why: string): Read {
  return { codec: { ...newCodec(over, speaker), broken: why }, heard, error: why };
}

function whole(codec: Codec, before: readonly Heard[], message: Heard | string): Read {
  if (typeof message === "string") return broken(codec, before, message);
  return { codec: { ...codec, isFresh: false }, heard: [...before, message] };
}

function readReport(codec: Codec, chunk: Uint8Array): Read {
  const { gathering, command, packet, broken: why } = gather(codec.gathering, chunk);
  const next: Codec = { ...codec, gathering };
  if (why !== undefined) return codec.isFresh ? { codec: next, heard: [] } : broken(codec, [], why);
  if (command !== undefined) return whole(next, [], commandOrAnswer(codec, command));
  return packet === undefined ? { codec: next, heard: [] } : notified(next, [], packet);
}

function commandOrAnswer({ speaker }: Codec, bytes: Uint8Array): Heard | string {
  return speaker === "device" ? parseAnswer(bytes) : parseCommand(bytes);
}

function notified(codec: Codec, before: readonly Heard[], packet: Uint8Array): Read {
  const { assembly, heard, broken: why } = takePacket(codec.assembly, packet);
  const next: Codec = { ...codec, assembly };
  if (why === NO_HEAD && codec.isFresh) return { codec: next, heard: before };
  if (why !== undefined) return broken(codec, before, why);
  return heard === undefined ? { codec: next, heard: before } : whole(next, before, heard);
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
  const isCommand = frame.type === types.command;
  if (frame.type === types.notification) return notified(codec, heard, frame.message);
  if (isCommand || frame.type === types.answer) {
    if (isCommand === (codec.speaker === "device"))
      return broken(codec, heard, `a frame from the wrong side (type ${frame.type})`);
    return whole(codec, heard, commandOrAnswer(codec, frame.message));
  }
  return { codec: { ...codec, isFresh: false }, heard: [...heard, { is: "other" }] };
}

export function pack(over: Over, speaker: Speaker, message: Uint8Array): Uint8Array {
  if (over === "reports") return commandReport(message);
  return encodeFrame({ type: speaker === "host" ? types.command : types.answer, message });
}

/** A notification in the line's form. Runs of one byte may be shortened to byte and count (PROTOCOL.md 2.3). */
export function packNotification(over: Over, id: string, data: Uint8Array): readonly Uint8Array[] {
  if (over === "reports") return packetsOf(id, data, NOTIFICATION_HOLDS).map(notificationReport);
  return packetsOf(id, data, SERIAL_HOLDS).map((packet) => {
    const runs = withRuns(packet);
    return encodeFrame(
      runs.length < packet.length
        ? { type: types.notificationRuns, message: runs }
        : { type: types.notification, message: packet },
    );
  });
}

/** Data bytes of one serial packet from the simulator. */
const SERIAL_HOLDS = 256;
