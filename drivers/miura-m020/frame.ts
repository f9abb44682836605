import { concat } from "../../src/kit/bytes.ts";
import { type FrameRead, splitFrames } from "../../src/terminal/deframe.ts";

/** PROTOCOL.md 2.1: who is spoken to behind one link. */
export type Nad = 1 | 2;

/** One frame as it stands on the wire (PROTOCOL.md 2). `apdu` is 2 to 254 bytes: a piece of a command or of an answer. */
export interface Packet {
  readonly nad: Nad;
  /** More packets of the same message follow. */
  readonly chained: boolean;
  readonly unsolicited: boolean;
  readonly apdu: Uint8Array;
}

/** A whole command or a whole answer (with its status word), after its packets were joined. */
export interface Message {
  readonly nad: Nad;
  readonly unsolicited: boolean;
  readonly body: Uint8Array;
}

const CHAINED = 0x01;
const UNSOLICITED = 0x40;
const SHORTEST_APDU = 2;
const LONGEST_APDU = 254;
const AROUND_APDU = 4;
const LONGEST_FRAME = LONGEST_APDU + AROUND_APDU;

/** Largest message that is put together (PROTOCOL.md 2.6): four times the longest answer seen, a configuration list of 840 bytes. */
export const LONGEST_MESSAGE = 4096;

/** XOR of the bytes from one offset up to another; over a whole frame it is zero (PROTOCOL.md 2.4). */
function lrc(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum ^= bytes[at] ?? 0;
  return sum;
}

/** The bytes of one packet. Throws a RangeError on an APDU that no packet holds: always a bug of the caller. */
export function encodePacket({ nad, chained, unsolicited, apdu }: Packet): Uint8Array {
  if (apdu.length < SHORTEST_APDU || apdu.length > LONGEST_APDU) throw new RangeError(`a packet holds 2 to 254 bytes, not ${apdu.length}`);
  const pcb = (chained ? CHAINED : 0) | (unsolicited ? UNSOLICITED : 0);
  const frame = new Uint8Array(apdu.length + AROUND_APDU);
  frame.set([nad, pcb, apdu.length]);
  frame.set(apdu, 3);
  frame[frame.length - 1] = lrc(frame, 0, frame.length - 1);
  return frame;
}

/** A message as the packets it takes, in order. A rest of one byte, which no packet may hold, takes a byte from the packet before it. */
export function encodeMessage({ nad, unsolicited, body }: Message): readonly Uint8Array[] {
  const packets: Uint8Array[] = [];
  let at = 0;
  do {
    const left = body.length - at;
    const size = left === LONGEST_APDU + 1 ? LONGEST_APDU - 1 : Math.min(left, LONGEST_APDU);
    packets.push(encodePacket({ nad, unsolicited, chained: left > size, apdu: body.subarray(at, at + size) }));
    at += size;
  } while (at < body.length);
  return packets;
}

interface Chain {
  readonly unsolicited: boolean;
  readonly parts: readonly Uint8Array[];
  readonly length: number;
}

/** A stream of packets being put together: at most one frame and one chain for each NAD, so its size is bounded whatever arrives. */
export interface Deframer {
  readonly pending: Uint8Array;
  readonly chains: Readonly<Partial<Record<Nad, Chain>>>;
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
    const { nad, unsolicited, chained } = packet;
    const joined = join(chains[nad], packet);
    if (typeof joined === "string") return brokenAfter(messages, joined);
    if (chained) {
      chains = { ...chains, [nad]: joined };
      continue;
    }
    messages.push({ nad, unsolicited, body: concat(...joined.parts) });
    // Most messages are one packet, and no chain was begun.
    if (chains[nad] === undefined) continue;
    const { [nad]: _whole, ...open } = chains;
    chains = open;
  }
  if (split.broken !== undefined) return brokenAfter(messages, split.broken);
  return { state: { pending: split.pending, chains }, messages };
}

function brokenAfter(messages: readonly Message[], error: string): Pushed {
  return { state: { ...newDeframer, broken: error }, messages, error };
}

/** The chain with one more packet, or why the packet does not belong to it (PROTOCOL.md 2.6). */
function join(chain: Chain | undefined, { unsolicited, apdu }: Packet): Chain | string {
  if (chain && chain.unsolicited !== unsolicited) return "a packet with another unsolicited flag came inside a chain";
  const length = (chain?.length ?? 0) + apdu.length;
  if (length > LONGEST_MESSAGE) return `a chain of more than ${LONGEST_MESSAGE} bytes`;
  return { unsolicited, parts: [...(chain?.parts ?? []), apdu], length };
}

function readPacket(bytes: Uint8Array, at: number): FrameRead<Packet> {
  const [nad, pcb, length] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (nad !== 1 && nad !== 2) return { is: "broken", why: `NAD ${hexByte(nad)} is neither 01 nor 02` };
  if (pcb !== undefined && (pcb & ~(CHAINED | UNSOLICITED)) !== 0) return { is: "broken", why: `PCB ${hexByte(pcb)} has bits outside 41` };
  if (length !== undefined && (length < SHORTEST_APDU || length > LONGEST_APDU)) return { is: "broken", why: `LEN ${hexByte(length)} is not 02 to FE` };
  if (pcb === undefined || length === undefined) return { is: "more" };
  const next = at + length + AROUND_APDU;
  if (bytes.length < next) return { is: "more" };
  if (lrc(bytes, at, next) !== 0) return { is: "broken", why: "LRC is wrong" };
  const apdu = bytes.slice(at + 3, next - 1);
  return { is: "frame", next, frame: { nad, chained: (pcb & CHAINED) !== 0, unsolicited: (pcb & UNSOLICITED) !== 0, apdu } };
}

function hexByte(byte: number | undefined): string {
  return (byte ?? 0).toString(16).toUpperCase().padStart(2, "0");
}
