import { concat, put, xorSum } from "../../src/kit/bytes.ts";
import { type FrameRead, splitFrames } from "../../src/terminal/deframe.ts";

/** One packet as it stands on the wire (PROTOCOL.md 2). `piece` is 1 to 254 bytes: all of a command or an answer, or a part of it. */
export interface Packet {
  readonly nad: number;
  /** More packets of the same message follow. */
  readonly chained: boolean;
  /** The message is sealed as a whole; this driver cannot read it (PROTOCOL.md 2.8). */
  readonly encrypted: boolean;
  readonly unsolicited: boolean;
  readonly piece: Uint8Array;
}

/** A whole command or a whole answer (with its status word), after its packets were joined. */
export interface Message {
  readonly unsolicited: boolean;
  readonly encrypted: boolean;
  readonly body: Uint8Array;
}

/** PROTOCOL.md 2.1: who is spoken to, and others behind the same link, whose packets are dropped. */
const NAD = 0x01;
const OTHER_NADS: readonly number[] = [0x02, 0x11];

const CHAINED = 0x01;
const ENCRYPTED = 0x02;
const UNSOLICITED = 0x40;
const LONGEST_PIECE = 254;
const AROUND_PIECE = 4;
const LONGEST_FRAME = LONGEST_PIECE + AROUND_PIECE;

/** Largest message that is put together (PROTOCOL.md 2.6): the longest one recorded has 4521 bytes. */
export const LONGEST_MESSAGE = 16_384;

/** The bytes of one packet; the XOR of all of them is zero (PROTOCOL.md 2.4). Throws a RangeError on a piece that no packet holds: always a bug of the caller. */
export function encodePacket({ nad, chained, encrypted, unsolicited, piece }: Packet): Uint8Array {
  if (piece.length < 1 || piece.length > LONGEST_PIECE) throw new RangeError(`a packet holds 1 to ${LONGEST_PIECE} bytes, not ${piece.length}`);
  const frame = new Uint8Array(piece.length + AROUND_PIECE);
  frame[0] = nad;
  frame[1] = (chained ? CHAINED : 0) | (encrypted ? ENCRYPTED : 0) | (unsolicited ? UNSOLICITED : 0);
  frame[2] = piece.length;
  put(piece, frame, 3);
  frame[frame.length - 1] = xorSum(frame);
  return frame;
}

/** A message as the packets it takes, in order. The last one never says that more follow, however long it is (PROTOCOL.md 2.6). */
export function encodeMessage({ unsolicited, body }: Pick<Message, "unsolicited" | "body">): readonly Uint8Array[] {
  const packets: Uint8Array[] = [];
  let at = 0;
  do {
    const chained = body.length - at > LONGEST_PIECE;
    packets.push(encodePacket({ nad: NAD, unsolicited, encrypted: false, chained, piece: body.subarray(at, at + LONGEST_PIECE) }));
    at += LONGEST_PIECE;
  } while (at < body.length);
  return packets;
}

interface Chain {
  readonly encrypted: boolean;
  readonly parts: readonly Uint8Array[];
  readonly length: number;
}

type Lane = "solicited" | "unsolicited";

/** A stream of packets being put together: at most one frame, one solicited and one unsolicited chain, so its size is bounded whatever arrives. */
export interface Deframer {
  readonly pending: Uint8Array;
  readonly chains: Readonly<Partial<Record<Lane, Chain>>>;
  /** Why the stream cannot be trusted any more; then nothing is read from it again (PROTOCOL.md 2.5). */
  readonly broken?: string;
}

export const newDeframer: Deframer = { pending: new Uint8Array(0), chains: {} };

export interface Pushed {
  readonly state: Deframer;
  readonly messages: readonly Message[];
  readonly error?: string;
}

/** Takes the next bytes of the stream, however they were split, and gives the messages that became whole. Never throws. */
export function push(state: Deframer, chunk: Uint8Array): Pushed {
  if (state.broken !== undefined) return { state, messages: [], error: state.broken };
  const split = splitFrames(state.pending, chunk, LONGEST_FRAME, readPacket);
  const messages: Message[] = [];
  let chains = state.chains;
  for (const packet of split.frames) {
    if (packet.nad !== NAD) continue;
    const { unsolicited, chained, encrypted } = packet;
    const lane: Lane = unsolicited ? "unsolicited" : "solicited";
    const joined = join(chains[lane], packet);
    if (typeof joined === "string") return brokenAfter(messages, joined);
    if (chained) {
      chains = { ...chains, [lane]: joined };
      continue;
    }
    messages.push({ unsolicited, encrypted, body: concat(...joined.parts) });
    // Most messages are one packet, and no chain was begun.
    if (chains[lane] === undefined) continue;
    const { [lane]: _whole, ...open } = chains;
    chains = open;
  }
  if (split.broken !== undefined) return brokenAfter(messages, split.broken);
  return { state: { pending: split.pending, chains }, messages };
}

function brokenAfter(messages: readonly Message[], error: string): Pushed {
  return { state: { ...newDeframer, broken: error }, messages, error };
}

/** The chain with one more packet, or why the packet does not belong to it (PROTOCOL.md 2.6). */
function join(chain: Chain | undefined, { encrypted, piece }: Packet): Chain | string {
  if (chain && chain.encrypted !== encrypted) return "a packet with another encryption flag came inside a chain";
  const length = (chain?.length ?? 0) + piece.length;
  if (length > LONGEST_MESSAGE) return `a chain of more than ${LONGEST_MESSAGE} bytes`;
  return { encrypted, parts: [...(chain?.parts ?? []), piece], length };
}

function readPacket(bytes: Uint8Array, at: number): FrameRead<Packet> {
  const [nad, pcb, length] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (nad === undefined) return { is: "more" };
  if (nad !== NAD && !OTHER_NADS.includes(nad)) return { is: "broken", why: `NAD ${hexByte(nad)} is none of 01, 02 and 11` };
  if (pcb !== undefined && (pcb & ~(CHAINED | ENCRYPTED | UNSOLICITED)) !== 0) return { is: "broken", why: `PCB ${hexByte(pcb)} has bits outside 43` };
  if (length === 0 || (length ?? 1) > LONGEST_PIECE) return { is: "broken", why: `LEN ${hexByte(length ?? 0)} is not 01 to FE` };
  if (pcb === undefined || length === undefined) return { is: "more" };
  const next = at + length + AROUND_PIECE;
  if (bytes.length < next) return { is: "more" };
  if (xorSum(bytes, at, next) !== 0) return { is: "broken", why: "LRC is wrong" };
  const flags = { chained: (pcb & CHAINED) !== 0, encrypted: (pcb & ENCRYPTED) !== 0, unsolicited: (pcb & UNSOLICITED) !== 0 };
  return { is: "frame", next, frame: { nad, ...flags, piece: bytes.slice(at + 3, next - 1) } };
}

function hexByte(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, "0");
}
