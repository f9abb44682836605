import { concat, put } from "../../src/kit/bytes.ts";
import { LONGEST_MESSAGE } from "./message.ts";

/* Messages in USB HID reports of 64 bytes without report ids (PROTOCOL.md 2.1). */

export const REPORT_BYTES = 64;

const ONLY = 0x00;
const HEAD = 0x01;
const MIDDLE = 0x02;
const TAIL = 0x03;
const CANCEL = 0x04;

const ONLY_HOLDS = 62;
const HEAD_HOLDS = 59;
const MIDDLE_HOLDS = 61;
const TAIL_HOLDS = 62;

/** The reports that carry one message, in order. Each is padded with zeros. */
export function reportsOf(message: Uint8Array): readonly Uint8Array[] {
  if (message.length <= ONLY_HOLDS) return [report(Uint8Array.of(ONLY, message.length), message)];
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, message.length);
  const reports = [report(concat(Uint8Array.of(HEAD), length), message.subarray(0, HEAD_HOLDS))];
  let at = HEAD_HOLDS;
  for (let number = 1; message.length - at > TAIL_HOLDS; number += 1) {
    reports.push(report(Uint8Array.of(MIDDLE, number >> 8, number & 0xff), message.subarray(at, at + MIDDLE_HOLDS)));
    at += MIDDLE_HOLDS;
  }
  return [...reports, report(Uint8Array.of(TAIL, message.length - at), message.subarray(at))];
}

function report(head: Uint8Array, piece: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(REPORT_BYTES);
  put(head, bytes, 0);
  put(piece, bytes, head.length);
  return bytes;
}

/** A message with missing reports. Its stated length is bounded and never exceeded. */
export interface Assembly {
  readonly total: number;
  readonly number: number;
  readonly soFar: Uint8Array;
}

export interface ReportRead {
  /** The unfinished message; undefined if there is none. */
  readonly assembly: Assembly | undefined;
  readonly message?: Uint8Array;
  readonly broken?: string;
}

/** A report that continues a message without a first report. */
export const NO_HEAD = "a report goes on with a message that was not begun";

/**
 * Takes one report. A first or single report discards an unfinished message, because its sender has restarted
 * (PROTOCOL.md 2.1). Never throws.
 */
export function takeReport(assembly: Assembly | undefined, bytes: Uint8Array): ReportRead {
  if (bytes.length !== REPORT_BYTES) return broken(`a report of ${bytes.length} bytes`);
  const [kind, first = 0, second = 0] = [bytes[0], bytes[1], bytes[2]];
  switch (kind) {
    case ONLY:
      return first > ONLY_HOLDS
        ? broken(`a report that claims ${first} bytes`)
        : { assembly: undefined, message: bytes.slice(2, 2 + first) };
    case HEAD:
      return headed(bytes);
    case MIDDLE:
      return goesOn(assembly, (first << 8) | second, bytes.subarray(3));
    case TAIL:
      return ended(assembly, first, bytes);
    case CANCEL:
      return { assembly: undefined };
    default:
      return broken(`a report of the unknown kind ${kind}`);
  }
}

function broken(why: string): ReportRead {
  return { assembly: undefined, broken: why };
}

function headed(bytes: Uint8Array): ReportRead {
  const total = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  if (total <= ONLY_HOLDS || total > LONGEST_MESSAGE) return broken(`a message of ${total} bytes in several reports`);
  return { assembly: { total, number: 0, soFar: bytes.slice(5) } };
}

function goesOn(assembly: Assembly | undefined, number: number, piece: Uint8Array): ReportRead {
  if (assembly === undefined) return broken(NO_HEAD);
  if (number !== assembly.number + 1) return broken(`report ${number} came instead of ${assembly.number + 1}`);
  if (assembly.soFar.length + piece.length >= assembly.total) return broken("more reports than the message is long");
  return { assembly: { ...assembly, number, soFar: concat(assembly.soFar, piece) } };
}

function ended(assembly: Assembly | undefined, length: number, bytes: Uint8Array): ReportRead {
  if (assembly === undefined) return broken(NO_HEAD);
  if (length > TAIL_HOLDS || assembly.soFar.length + length !== assembly.total)
    return broken("the last report does not end its message");
  return { assembly: undefined, message: concat(assembly.soFar, bytes.subarray(2, 2 + length)) };
}
