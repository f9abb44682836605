import { concat, put, xorSum } from "../../src/kit/bytes.ts";
import { type FrameRead, splitFrames } from "../../src/terminal/deframe.ts";

/*
 * Packets and chains of the VIPA family (chapter 2 of each PROTOCOL.md). Each model defines its addresses, flags and
 * longest message.
 */

/** One packet on the wire. `piece`: all or part of a command or answer. */
export interface Packet {
  readonly nad: number;
  /** More packets of the same message follow. */
  readonly chained: boolean;
  /** The message is encrypted as a whole. */
  readonly encrypted: boolean;
  readonly unsolicited: boolean;
  readonly piece: Uint8Array;
}

/** A whole command or answer (with its status word), joined from its packets. */
export interface Message {
  readonly nad: number;
  readonly unsolicited: boolean;
  readonly encrypted: boolean;
  readonly body: Uint8Array;
}

/** Rules of a model's packets. */
export interface FrameRules {
  readonly nads: readonly number[];
  /** End of the error text for an unknown NAD. */
  readonly otherNad: string;
  /** Valid bits of the PCB. */
  readonly flags: number;
  readonly shortestPiece: number;
  readonly longestMessage: number;
  /** Names the chain of a packet; undefined: the packet is for another device and dropped. */
  readonly chainOf: (packet: Packet) => string | undefined;
}

/** Bits of the PCB. */
export const CHAINED = 0x01;
export const ENCRYPTED = 0x02;
export const UNSOLICITED = 0x40;

const LONGEST_PIECE = 254;
const AROUND_PIECE = 4;
const LONGEST_FRAME = LONGEST_PIECE + AROUND_PIECE;

interface Chain {
  readonly unsolicited: boolean;
  readonly encrypted: boolean;
  readonly parts: readonly Uint8Array[];
  readonly length: number;
}

/** Packets being joined: at most one frame, and one chain for each name, so the size is bounded. */
export interface Deframer {
  readonly pending: Uint8Array;
  readonly chains: Readonly<Record<string, Chain>>;
  /** Why the stream is no longer trusted; nothing is read after it (PROTOCOL.md 2.5). */
  readonly broken?: string;
}

export const newDeframer: Deframer = { pending: new Uint8Array(0), chains: {} };

export interface Pushed {
  readonly state: Deframer;
  readonly messages: readonly Message[];
  readonly error?: string;
}

type PlainPacket = Omit<Packet, "encrypted"> & { readonly encrypted?: boolean };
type PlainMessage = Pick<Message, "unsolicited" | "body"> & { readonly nad?: number; readonly encrypted?: boolean };

export interface Framing {
  /** One packet's bytes. Throws a RangeError on a piece that fits no packet, which is a caller's bug. */
  readonly encodePacket: (packet: PlainPacket) => Uint8Array;
  /** A message in as many packets as it needs, in order. */
  readonly encodeMessage: (message: PlainMessage) => readonly Uint8Array[];
  /** Takes the next bytes of a stream, split at any place, and returns the completed messages. Never throws. */
  readonly push: (state: Deframer, chunk: Uint8Array) => Pushed;
}

/** The PIN pad itself. */
const PIN_PAD = 0x01;

export function framingBy(rules: FrameRules): Framing {
  const readPacket = packetReader(rules);
  return {
    encodePacket: (packet) => encodePacket(rules, packet),
    encodeMessage: (message) => encodeMessage(rules, message),
    push: (state, chunk) => push(rules, readPacket, state, chunk),
  };
}

/** The XOR of all bytes of a packet is zero (PROTOCOL.md 2.4). */
function encodePacket(
  { shortestPiece }: FrameRules,
  { nad, chained, encrypted = false, unsolicited, piece }: PlainPacket,
): Uint8Array {
  const size = piece.length;
  if (size < shortestPiece || size > LONGEST_PIECE)
    throw new RangeError(`a packet holds ${shortestPiece} to ${LONGEST_PIECE} bytes, not ${size}`);
  const frame = new Uint8Array(size + AROUND_PIECE);
  frame[0] = nad;
  frame[1] = (chained ? CHAINED : 0) | (encrypted ? ENCRYPTED : 0) | (unsolicited ? UNSOLICITED : 0);
  frame[2] = size;
  put(piece, frame, 3);
  frame[frame.length - 1] = xorSum(frame);
  return frame;
}

/** The last packet never has the chain bit, even if it is full (PROTOCOL.md 2.6). */
function encodeMessage(rules: FrameRules, { nad = PIN_PAD, unsolicited, body }: PlainMessage): readonly Uint8Array[] {
  const packets: Uint8Array[] = [];
  let at = 0;
  do {
    const left = body.length - at;
    const size = pieceOf(left, rules.shortestPiece);
    packets.push(encodePacket(rules, { nad, unsolicited, chained: left > size, piece: body.subarray(at, at + size) }));
    at += size;
  } while (at < body.length);
  return packets;
}

/** A remainder that is too short for a packet takes bytes from the packet before it. */
function pieceOf(left: number, shortest: number): number {
  const rest = left - LONGEST_PIECE;
  return rest > 0 && rest < shortest ? LONGEST_PIECE - (shortest - rest) : Math.min(left, LONGEST_PIECE);
}

type ReadPacket = (bytes: Uint8Array, at: number) => FrameRead<Packet>;

function push(rules: FrameRules, readPacket: ReadPacket, state: Deframer, chunk: Uint8Array): Pushed {
  if (state.broken !== undefined) return { state, messages: [], error: state.broken };
  const split = splitFrames(state.pending, chunk, LONGEST_FRAME, readPacket);
  const messages: Message[] = [];
  let chains = state.chains;
  for (const packet of split.frames) {
    const name = rules.chainOf(packet);
    if (name === undefined) continue;
    const { nad, unsolicited, encrypted, chained } = packet;
    const joined = join(chains[name], packet, rules.longestMessage);
    if (typeof joined === "string") return brokenAfter(messages, joined);
    if (chained) {
      chains = { ...chains, [name]: joined };
      continue;
    }
    messages.push({ nad, unsolicited, encrypted, body: concat(...joined.parts) });
    // Most messages are one packet without a chain.
    if (chains[name] === undefined) continue;
    const { [name]: _whole, ...open } = chains;
    chains = open;
  }
  if (split.broken !== undefined) return brokenAfter(messages, split.broken);
  return { state: { pending: split.pending, chains }, messages };
}

function brokenAfter(messages: readonly Message[], error: string): Pushed {
  return { state: { ...newDeframer, broken: error }, messages, error };
}

/** The chain with one more packet, or why the packet does not fit (PROTOCOL.md 2.6). */
function join(chain: Chain | undefined, { unsolicited, encrypted, piece }: Packet, longest: number): Chain | string {
  if (chain && chain.unsolicited !== unsolicited) return "a packet with another unsolicited flag came inside a chain";
  if (chain && chain.encrypted !== encrypted) return "a packet with another encryption flag came inside a chain";
  const length = (chain?.length ?? 0) + piece.length;
  if (length > longest) return `a chain of more than ${longest} bytes`;
  return { unsolicited, encrypted, parts: [...(chain?.parts ?? []), piece], length };
}

function packetReader({ nads, otherNad, flags, shortestPiece }: FrameRules): ReadPacket {
  return (bytes, at) => {
    const [nad, pcb, length] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    if (nad === undefined) return { is: "more" };
    if (!nads.includes(nad)) return { is: "broken", why: `NAD ${hexByte(nad)} is ${otherNad}` };
    if (pcb !== undefined && (pcb & ~flags) !== 0)
      return { is: "broken", why: `PCB ${hexByte(pcb)} has bits outside ${hexByte(flags)}` };
    if (length !== undefined && (length < shortestPiece || length > LONGEST_PIECE)) {
      return { is: "broken", why: `LEN ${hexByte(length)} is not ${hexByte(shortestPiece)} to FE` };
    }
    if (pcb === undefined || length === undefined) return { is: "more" };
    const next = at + length + AROUND_PIECE;
    if (bytes.length < next) return { is: "more" };
    if (xorSum(bytes, at, next) !== 0) return { is: "broken", why: "LRC is wrong" };
    const marks = {
      chained: (pcb & CHAINED) !== 0,
      encrypted: (pcb & ENCRYPTED) !== 0,
      unsolicited: (pcb & UNSOLICITED) !== 0,
    };
    return { is: "frame", next, frame: { nad, ...marks, piece: bytes.slice(at + 3, next - 1) } };
  };
}

function hexByte(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}
