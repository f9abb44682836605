import type { Cancel, Clock } from "../kit/clock.ts";
import type { Random } from "../kit/random.ts";
import type { FaultName, FrameFault, Strike } from "./fault.ts";

/** A slow line: bytes of a piece, and milliseconds between pieces. */
const SLOW_PIECE = 16;
const SLOW_PAUSE_MS = 40;
const MOST_NOISE = 24;

interface Order {
  readonly name: FaultName;
  /** Number of frames that pass before the fault. */
  readonly after: number;
}

/** The terminal's output, with its ordered faults. */
export interface FaultLine {
  readonly clock: Clock;
  readonly random: Random;
  readonly transmit: (bytes: Uint8Array) => void;
  /** Carries out a fault between two frames, after the earlier frames. */
  readonly strike: (name: Strike) => void;
  orders: readonly Order[];
  isSlow: boolean;
  /** Report size of a HID line. All output, noise included, is then padded to whole reports. */
  reportBytes: number | undefined;
  /** Each frame is one message that cannot be split. */
  isWhole: boolean;
  /** Waiting pieces of a slow line, and the timer of the next. */
  waiting: Uint8Array[];
  pause: Cancel | undefined;
}

export function newFaultLine(on: Pick<FaultLine, "clock" | "random" | "transmit" | "strike">): FaultLine {
  return { ...on, orders: [], isSlow: false, reportBytes: undefined, isWhole: false, waiting: [], pause: undefined };
}

/** Orders a fault, at once or after that many frames. Faults that change a frame take the next one. */
export function orderFault(line: FaultLine, name: FaultName, after: number): void {
  if (after === 0 && !isFrameFault(name)) line.strike(name);
  else line.orders = [...line.orders, { name, after }];
}

/** Sends one whole frame, or the rest that ordered faults leave of it. */
export function sendFrame(line: FaultLine, frame: Uint8Array): void {
  if (line.orders.length === 0) {
    sendBytes(line, frame);
    return;
  }
  let frames: readonly Uint8Array[] = [frame];
  const later: Order[] = [];
  const due: Strike[] = [];
  for (const { name, after } of line.orders) {
    if (isFrameFault(name) && after === 0) frames = frames.flatMap((bytes) => changed(line, bytes, name));
    else if (isFrameFault(name) || after > 1) later.push({ name, after: after - 1 });
    else due.push(name);
  }
  line.orders = later;
  for (const bytes of frames) sendBytes(line, bytes);
  for (const name of due) line.strike(name);
}

export function sendGarbage(line: FaultLine): void {
  const [length = 0] = line.random.bytes(1);
  sendBytes(line, line.random.bytes(1 + (length % MOST_NOISE)));
}

/** The line is gone: drops waiting pieces and resets the speed. */
export function clearLine(line: FaultLine): void {
  line.pause?.();
  line.pause = undefined;
  line.waiting = [];
  line.isSlow = false;
}

function sendBytes(line: FaultLine, bytes: Uint8Array): void {
  const { reportBytes, isWhole } = line;
  if (!line.isSlow && (reportBytes === undefined || reportBytes === bytes.length)) {
    line.transmit(bytes);
    return;
  }
  const pieces = isWhole
    ? [bytes]
    : reportBytes === undefined
      ? cut(bytes, SLOW_PIECE)
      : cut(bytes, reportBytes).map((piece) => padded(piece, reportBytes));
  if (!line.isSlow) {
    for (const piece of pieces) line.transmit(piece);
    return;
  }
  line.waiting.push(...pieces);
  if (line.pause === undefined) sendPiece(line);
}

function cut(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

/** Only noise and damaged frames are shorter than a report. */
function padded(piece: Uint8Array, size: number): Uint8Array {
  if (piece.length === size) return piece;
  const whole = new Uint8Array(size);
  whole.set(piece);
  return whole;
}

function sendPiece(line: FaultLine): void {
  line.pause = undefined;
  const piece = line.waiting.shift();
  if (piece === undefined) return;
  line.pause = line.clock.after(SLOW_PAUSE_MS, () => sendPiece(line));
  line.transmit(piece);
}

function changed({ random }: FaultLine, bytes: Uint8Array, name: FrameFault): readonly Uint8Array[] {
  switch (name) {
    case "drop-next-frame":
      return [];
    case "duplicate-next-frame":
      return [bytes, bytes];
    case "corrupt-next-frame": {
      const [where = 0, how = 0] = random.bytes(2);
      const at = where % bytes.length;
      return [bytes.with(at, (bytes[at] ?? 0) ^ (1 << (how % 8)))];
    }
  }
}

function isFrameFault(name: FaultName): name is FrameFault {
  return name === "corrupt-next-frame" || name === "duplicate-next-frame" || name === "drop-next-frame";
}
