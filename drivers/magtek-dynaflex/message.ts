import { encodeTlv, encodeTlvs, findTag, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { ascii, concat } from "../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../src/kit/hex.ts";

/* Messages: `AA 00`, then TLV (PROTOCOL.md 3). All transports share them. */

/** Largest accepted message, in bytes (PROTOCOL.md 3.5); far above the longest one seen. */
export const LONGEST_MESSAGE = 8192;

/** Commands of driver and simulator (PROTOCOL.md 4.1), by number. */
export const commands = {
  start: "1001",
  resume: "1004",
  cancel: "1008",
  selection: "1802",
  display: "1803",
  subscribe: "1F02",
  "extend-session": "1F03",
  "get-property": "D101",
  "set-property": "D111",
  echo: "DF01",
} as const;

export type CommandName = keyof typeof commands;

/** Notifications (PROTOCOL.md 5), by number. */
export const notifications = { progress: "0101", outcome: "0105", device: "1001", screen: "1803" } as const;

/** The device restarted, by itself or by command, and lost its transaction (PROTOCOL.md 5.3). */
export function isReset({ id, code }: { readonly id: string; readonly code: string }): boolean {
  return id === notifications.device && (code.startsWith("0000") || code.startsWith("0003"));
}

/**
 * `ref`: chosen by the host for each request and echoed. `payload`: the bytes after the number that begins every
 * payload.
 */
export type Message =
  | { readonly is: "request"; readonly ref: number; readonly command: string; readonly payload: Uint8Array }
  | {
      readonly is: "response";
      readonly ref: number;
      readonly command: string;
      /** Completion state of the command (PROTOCOL.md 3.4). */
      readonly summary: number;
      /** Group, subgroup and code, six hexadecimal digits. */
      readonly detail: string;
      readonly payload: Uint8Array;
    }
  /** `id`: the notification's number. `code`: its four bytes, eight hexadecimal digits. */
  | { readonly is: "notification"; readonly id: string; readonly code: string; readonly payload: Uint8Array }
  /** Another message: a file, or traffic between other parties. */
  | { readonly is: "other" };

const BEGIN = 0xaa;
const VERSION = 0x00;
const REQUEST = 0x01;
const RESPONSE = 0x82;
const NOTIFICATION = 0x83;

const NOTHING = new Uint8Array(0);

/** A message's bytes. An empty payload of a response or notification is left out. */
export function encodeMessage(message: Exclude<Message, { is: "other" }>): Uint8Array {
  const objects = objectsOf(message);
  const body = isPropertyTold(message) ? concat(...objects.map(longPayload)) : encodeTlvs(objects);
  return concat(Uint8Array.of(BEGIN, VERSION), body);
}

/**
 * Answers to GET and SET PROPERTY use a length of three bytes, because the maker's own hosts rely on it (PROTOCOL.md
 * 3.2).
 */
function isPropertyTold(message: Exclude<Message, { is: "other" }>): boolean {
  return (
    message.is === "response" &&
    (message.command === commands["get-property"] || message.command === commands["set-property"])
  );
}

function longPayload({ tag, value }: Tlv): Uint8Array {
  if (tag !== "84") return encodeTlv(tag, value);
  return concat(Uint8Array.of(0x84, 0x82, value.length >> 8, value.length & 0xff), value);
}

function objectsOf(message: Exclude<Message, { is: "other" }>): readonly Tlv[] {
  switch (message.is) {
    case "request": {
      const command = fromHex(message.command);
      return [
        { tag: "81", value: concat(Uint8Array.of(REQUEST, message.ref), command) },
        { tag: "84", value: concat(command, message.payload) },
      ];
    }
    case "response":
      return [
        { tag: "81", value: concat(Uint8Array.of(RESPONSE, message.ref), fromHex(message.command)) },
        { tag: "82", value: concat(Uint8Array.of(message.summary), fromHex(message.detail)) },
        ...payloadOf(message.command, message.payload),
      ];
    case "notification":
      return [
        { tag: "81", value: concat(Uint8Array.of(NOTIFICATION, 0), fromHex(message.id)) },
        { tag: "82", value: fromHex(message.code) },
        ...payloadOf(message.id, message.payload),
      ];
  }
}

function payloadOf(id: string, payload: Uint8Array): readonly Tlv[] {
  return payload.length === 0 ? [] : [{ tag: "84", value: concat(fromHex(id), payload) }];
}

/**
 * Parses a message, or says why it is invalid. Lengths may use longer forms than needed (PROTOCOL.md 3.2). Never
 * throws.
 */
export function parseMessage(bytes: Uint8Array): Message | string {
  // The first two bytes are not TLV; a TLV parser would skip 00 as filler.
  if (bytes[0] !== BEGIN) return "a message that does not begin with AA";
  const parsed = parseTlv(bytes.subarray(2));
  // The parser's error would quote bytes, which may be card data.
  if (!parsed.ok) return "a message that is no TLV";
  const head = findTag(parsed.objects, "81");
  const [kind, ref] = head ?? [];
  if (head === undefined || kind === undefined || ref === undefined || head.length < 4)
    return "a message without its head (81)";
  const number = toHex(head.subarray(2, 4));
  const status = findTag(parsed.objects, "82") ?? NOTHING;
  const payload = bodyOf(number, findTag(parsed.objects, "84"));
  const [summary] = status;
  switch (kind) {
    case REQUEST:
      return { is: "request", ref, command: number, payload };
    case RESPONSE:
      if (summary === undefined || status.length !== 4) return "a response without its status (82)";
      return { is: "response", ref, command: number, summary, detail: toHex(status.subarray(1)), payload };
    case NOTIFICATION:
      if (status.length !== 4) return "a notification without its code (82)";
      return { is: "notification", id: number, code: toHex(status), payload };
    default:
      return { is: "other" };
  }
}

/**
 * The bytes after the number that begins a payload; empty if there is none, or if the number is another one (a barcode,
 * PROTOCOL.md 5.1).
 */
function bodyOf(number: string, payload: Uint8Array = NOTHING): Uint8Array {
  return toHex(payload.subarray(0, 2)) === number ? payload.slice(2) : NOTHING;
}

/** TLV objects as a payload. */
export function tlvPayload(...objects: readonly (readonly [tag: string, value: Uint8Array])[]): Uint8Array {
  return concat(...objects.map(([tag, value]) => encodeTlv(tag, value)));
}

/** The objects of a payload; empty if it is not TLV. */
export function objectsIn(payload: Uint8Array): readonly Tlv[] {
  const parsed = parseTlv(payload);
  return parsed.ok ? parsed.objects : [];
}

/** Text from a device, at most 64 characters, without trailing zeros; other than printable ASCII becomes "?". */
export function printable(bytes: Uint8Array): string {
  return ascii(bytes.slice(0, 64))
    .replace(/\0+$/, "")
    .replace(/[^\x20-\x7e]/g, "?");
}
