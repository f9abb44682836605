import { concat } from "../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../src/kit/hex.ts";
import { LONGEST_MESSAGE } from "./frame.ts";
import { type Heard, word, wordAt } from "./message.ts";

/* Notifications in packets: `part length(2) offset(2) identifier(2) whole length(2) data` (PROTOCOL.md 3.4). */

export const NOTIFICATION_HEAD = 8;

/** A notification with missing packets. Its stated length is bounded and never exceeded. */
export interface Assembly {
  readonly id: string;
  readonly total: number;
  readonly soFar: Uint8Array;
}

export interface PacketRead {
  /** The unfinished notification; undefined if there is none. */
  readonly assembly: Assembly | undefined;
  readonly heard?: Heard;
  readonly broken?: string;
}

/** A packet that continues a notification without a first packet. */
export const NO_HEAD = "a packet goes on with a notification that was not begun";

const broken = (why: string): PacketRead => ({ assembly: undefined, broken: why });

/**
 * Takes one packet; padding may follow its data. A first packet discards an unfinished notification, because its sender
 * has restarted. Never throws.
 */
export function takePacket(assembly: Assembly | undefined, bytes: Uint8Array): PacketRead {
  const length = wordAt(bytes, 0);
  if (bytes.length < NOTIFICATION_HEAD + length)
    return broken(`a packet of ${bytes.length} bytes that claims ${length}`);
  const [offset, id, total] = [wordAt(bytes, 2), toHex(bytes.subarray(4, 6)), wordAt(bytes, 6)];
  const part = bytes.slice(NOTIFICATION_HEAD, NOTIFICATION_HEAD + length);
  if (total > LONGEST_MESSAGE) return broken(`a notification of ${total} bytes`);
  if (offset === 0) return goneOn({ id, total, soFar: part });
  if (assembly === undefined) return broken(NO_HEAD);
  if (assembly.id !== id || assembly.total !== total || assembly.soFar.length !== offset)
    return broken("a packet that does not go on where the last one ended");
  return goneOn({ ...assembly, soFar: concat(assembly.soFar, part) });
}

function goneOn(assembly: Assembly): PacketRead {
  const { id, total, soFar } = assembly;
  if (soFar.length > total) return broken("more packets than the notification is long");
  if (soFar.length < total) return { assembly };
  return { assembly: undefined, heard: { is: "notification", id, data: soFar } };
}

/** A notification in packets of at most `most` data bytes, in order. */
export function packetsOf(id: string, data: Uint8Array, most: number): readonly Uint8Array[] {
  const count = Math.max(1, Math.ceil(data.length / most));
  return Array.from({ length: count }, (_, number) => {
    const part = data.subarray(number * most, (number + 1) * most);
    return concat(word(part.length), word(number * most), fromHex(id), word(data.length), part);
  });
}
