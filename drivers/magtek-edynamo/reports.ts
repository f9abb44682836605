import { concat, put } from "../../src/kit/bytes.ts";
import { wordAt } from "./message.ts";
import { NOTIFICATION_HEAD } from "./notification.ts";

/*
 * USB HID (PROTOCOL.md 2.1): commands and answers use a feature report. Everything else uses input reports, which
 * arrive as USB packets.
 */

/** Report id and 61 data bytes. */
export const REPORT_BYTES = 62;
const COMMAND_ID = 0x01;
const SWIPE_ID = 0x01;
const NOTIFICATION_ID = 0x02;
const FILLING = 0x00;
/** Full speed: a shorter packet ends a report. */
const BUS_PACKET = 64;

/** A feature report around a command or answer. Throws a RangeError if it does not fit, which is a caller's bug. */
export function commandReport(bytes: Uint8Array): Uint8Array {
  if (bytes.length >= REPORT_BYTES)
    throw new RangeError(`a report holds ${REPORT_BYTES - 1} bytes, not ${bytes.length}`);
  return report(COMMAND_ID, bytes);
}

function report(id: number, bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(REPORT_BYTES);
  whole[0] = id;
  put(bytes, whole, 1);
  return whole;
}

/** Data bytes of a notification packet in one simulated report. */
export const NOTIFICATION_HOLDS: number = REPORT_BYTES - 1 - NOTIFICATION_HEAD;

export function notificationReport(packet: Uint8Array): Uint8Array {
  return report(NOTIFICATION_ID, packet);
}

/** Unfinished reports that span several USB packets. */
export interface Gathering {
  /** An unfinished notification packet. */
  readonly begun?: Uint8Array;
  /** The report of a swipe is skipped up to its end. */
  readonly isSwipe?: true;
}

export interface Gathered {
  readonly gathering: Gathering;
  readonly command?: Uint8Array;
  readonly packet?: Uint8Array;
  readonly broken?: string;
}

const NOTHING: Gathering = {};

/** Takes one USB packet. Never throws. */
export function gather({ begun, isSwipe }: Gathering, chunk: Uint8Array): Gathered {
  const [id] = chunk;
  if (chunk.length === REPORT_BYTES && id === COMMAND_ID)
    return { gathering: begun === undefined ? NOTHING : { begun }, command: chunk.slice(1) };
  if (isSwipe) return { gathering: chunk.length < BUS_PACKET ? NOTHING : { isSwipe } };
  if (begun !== undefined) return notified(concat(begun, chunk));
  switch (id) {
    case NOTIFICATION_ID:
      return notified(chunk.slice(1));
    case SWIPE_ID:
      return { gathering: chunk.length < BUS_PACKET ? NOTHING : { isSwipe: true } };
    case FILLING:
    case undefined:
      return { gathering: NOTHING };
    default:
      return { gathering: NOTHING, broken: `a report of the unknown id ${id}` };
  }
}

const LONGEST_PART = 0x0400;

function notified(packet: Uint8Array): Gathered {
  const length = wordAt(packet, 0);
  if (length > LONGEST_PART) return { gathering: NOTHING, broken: `a report that claims ${length} bytes` };
  return packet.length < NOTIFICATION_HEAD + length ? { gathering: { begun: packet } } : { gathering: NOTHING, packet };
}
