import { isConstructed, leavesOf as leavesBy } from "../../src/emv/leaves.ts";
import { findTag, parseTlv, type Tlv, type TlvParse } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import type { Message } from "../vipa/frame.ts";
import { bareAnswer, type CardEvent, type KeyEvent } from "../vipa/message.ts";
import { OK } from "../vipa/status-codes.ts";

/** The device's own tags (PROTOCOL.md 4.2). EMV tags appear as numbers at their use. */
export const tags = {
  cardStatus: "48",
  decision: "C0",
  acquirer: "C2",
  statusCode: "C3",
  statusText: "C4",
  pinTries: "C5",
  itemName: "DF0D",
  itemVersion: "DF7F",
  tamper: "DF8101",
  removal: "DF8102",
  componentName: "DF8106",
  componentVersion: "DF8107",
  mostInput: "DF8305",
  applicationSelection: "DFA204",
  keyCode: "DFA205",
  pinResult: "DFA20A",
  pinSeconds: "DFA20E",
  pinStyle: "DFA218",
  longestCommand: "DFA21D",
  dailyReset: "DFA242",
  typedNumber: "DFDB01",
  typedVerificationNumber: "DFDB02",
  typedExpiry: "DFDB03",
  maskedTrack1: "DFDB05",
  maskedTrack2: "DFDB06",
  trackStatus: "DFDF6E",
  whitelistHash: "DFDB09",
  vsdVersion: "DFDB0E",
  sealStatus: "DFDB0F",
  configurationName: "DFDE7E",
  configurationVersion: "DFDE7F",
  forceOnline: "DFDF0D",
  quickChip: "DFCC79",
  returnCode: "DFDF30",
  sealedData: "DFDF10",
  sealedKsn: "DFDF11",
  sealedIv: "DFDF12",
  pinAmount: "DFDF17",
  pinExponent: "DFDF1C",
  pinType: "DFDF1D",
  pinCurrency: "DFDF24",
  vspFlag: "DFDF6F",
  pinKsn: "DFED03",
  pinLeast: "DFED04",
  pinMost: "DFED05",
  pinFormat: "DFED08",
  pinFlags: "DFED0D",
  pinData: "DFED6C",
  token: "DF837F",
  tokenCheck: "DF837E",
} as const;

/** Templates inside answers: device, module, configuration, encrypted card data, token (PROTOCOL.md 4.1). */
export const templates = { device: "EE", module: "EF", configuration: "ED", sealed: "FF7F", token: "FF7C" } as const;

/** Templates of answers and events (PROTOCOL.md 4.1). */
export type Template = "E0" | "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8" | "6F";

const answering: readonly Template[] = ["E0", "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "6F"];

const ZERO_FILLER: readonly number[] = [0x00];

/** Parses objects of this device: FF is not filler here, because it begins FF7F and FF7C (PROTOCOL.md 4.4). */
export function parseObjects(bytes: Uint8Array): TlvParse {
  return parseTlv(bytes, ZERO_FILLER);
}

/** A solicited answer (PROTOCOL.md 4.3). `list`: objects without a common template. `text`: no objects. */
export type Answer =
  | { readonly is: "ok" }
  | { readonly is: "refused"; readonly statusWord: string }
  | { readonly is: "template"; readonly template: Template; readonly objects: readonly Tlv[] }
  | { readonly is: "list"; readonly objects: readonly Tlv[] }
  | { readonly is: "text"; readonly body: Uint8Array };

/** Parses a solicited answer. Never throws. */
export function parseAnswer(bytes: Uint8Array): Answer {
  const bare = bareAnswer(bytes);
  if (bare.is !== "body") return bare;
  const { body } = bare;
  const outer = parseObjects(body);
  const [first, ...more] = outer.ok ? outer.objects : [];
  if (!outer.ok || first === undefined) return { is: "text", body };
  const template = answering.find((known) => known === first.tag);
  if (more.length > 0 || template === undefined) return { is: "list", objects: outer.objects };
  const inner = parseObjects(first.value);
  return inner.ok ? { is: "template", template, objects: inner.objects } : { is: "text", body };
}

/**
 * Result of a contactless transaction (PROTOCOL.md 7.10): objects, a bare status word, or a bare return code after
 * CANCEL CONTACTLESS.
 */
export type ReaderWord =
  | {
      readonly is: "template";
      readonly template: "E3" | "E4" | "E5" | "E7" | "E8" | "6F";
      readonly objects: readonly Tlv[];
    }
  | { readonly is: "word"; readonly statusWord: string }
  | { readonly is: "left" };

/** Unsolicited messages (PROTOCOL.md 6). `other`: irrelevant to a payment. */
export type DeviceEvent =
  | CardEvent
  | { readonly is: "status"; readonly code: string; readonly pinTries?: number }
  | KeyEvent
  | { readonly is: "reader"; readonly word: ReaderWord }
  | { readonly is: "other" };

/** Parses an unsolicited message. Never throws. */
export function parseEvent(bytes: Uint8Array): DeviceEvent {
  const answer = parseAnswer(bytes);
  switch (answer.is) {
    case "ok":
      return { is: "reader", word: { is: "word", statusWord: OK } };
    case "refused":
      return { is: "reader", word: { is: "word", statusWord: answer.statusWord } };
    case "text":
      return { is: "other" };
    case "list":
      return keyIn(answer.objects) ?? leftIn(answer.objects) ?? { is: "other" };
    case "template":
      return templateEvent(answer.template, answer.objects);
  }
}

function templateEvent(template: Template, objects: readonly Tlv[]): DeviceEvent {
  switch (template) {
    case "E0":
      return cardIn(objects) ?? keyIn(objects) ?? { is: "other" };
    case "E6":
      return statusIn(objects);
    case "E3":
    case "E4":
    case "E5":
    case "E7":
    case "E8":
    case "6F":
      return { is: "reader", word: { is: "template", template, objects } };
    case "E1":
    case "E2":
      return { is: "other" };
  }
}

const CHIP_READY = 0x03;
const NO_TRACK = 0x01;

/** Bytes of tag 48 (PROTOCOL.md 6.1). */
function cardIn(objects: readonly Tlv[]): CardEvent | undefined {
  const [slot, magstripe, ...more] = findTag(objects, tags.cardStatus) ?? [];
  if (slot === undefined || magstripe === undefined || more.length > 0) return undefined;
  return {
    is: "card",
    slot: slot !== 0x00,
    chip: slot === CHIP_READY,
    magstripe: magstripe !== 0x00,
    tracks: magstripe > NO_TRACK,
    objects,
  };
}

function keyIn(objects: readonly Tlv[]): DeviceEvent | undefined {
  const key = findTag(objects, tags.keyCode);
  return key?.length === 1 ? { is: "key", code: toHex(key) } : undefined;
}

/** DFDF30 01 FB, as recorded after CANCEL CONTACTLESS; no other code is known. */
function leftIn(objects: readonly Tlv[]): DeviceEvent | undefined {
  const [only, ...more] = objects;
  return only?.tag === tags.returnCode && more.length === 0 ? { is: "reader", word: { is: "left" } } : undefined;
}

function statusIn(objects: readonly Tlv[]): DeviceEvent {
  const code = findTag(objects, tags.statusCode);
  if (code?.length !== 1) return { is: "other" };
  const [pinTries] = findTag(objects, tags.pinTries) ?? [];
  return { is: "status", code: toHex(code), ...(pinTries !== undefined && { pinTries }) };
}

/** E6 of a device that has restarted (PROTOCOL.md 6.2). */
const POWERED_ON = "01";

export function isRestart(event: DeviceEvent): boolean {
  return event.is === "status" && event.code === POWERED_ON;
}

/**
 * Input of the family's drivers: an answer, an event, an unreadable message, or (`leak`) clear card data in the
 * previous message.
 */
export type Heard =
  | { readonly is: "leak"; readonly detail: string }
  | { readonly is: "answer"; readonly answer: Answer }
  | { readonly is: "event"; readonly event: DeviceEvent }
  | { readonly is: "encrypted" };

/**
 * Parses one message. A slot state may also answer CARD STATUS and then counts as both (PROTOCOL.md 4.5). Never throws.
 */
export function heardIn({ unsolicited, encrypted, body }: Omit<Message, "nad">): readonly Heard[] {
  if (encrypted) return [{ is: "encrypted" }];
  if (unsolicited) return [{ is: "event", event: parseEvent(body) }];
  const answer = parseAnswer(body);
  const event = answer.is === "template" && answer.template === "E0" ? cardIn(answer.objects) : undefined;
  if (event === undefined) return [{ is: "answer", answer }];
  return [
    { is: "answer", answer: { is: "ok" } },
    { is: "event", event },
  ];
}

/** Every object of a message, for any kind and status word; empty if the body holds no objects. */
export function objectsIn({ encrypted, body }: Omit<Message, "nad">): readonly Tlv[] {
  const parsed = encrypted ? undefined : parseObjects(body.slice(0, -2));
  return parsed?.ok ? parsed.objects : [];
}

/** Primitive by tag, but full of objects (PROTOCOL.md 4.4). */
const HOLDING: readonly string[] = ["C6", "DFC030"];
/** An answer to reset: bytes without objects, although the tag is constructed (PROTOCOL.md 4.4). */
const ATR = "63";

function insideOf({ tag, value }: Tlv): readonly Tlv[] | undefined {
  if (tag === ATR || !(isConstructed(tag) || HOLDING.includes(tag))) return undefined;
  const inner = parseObjects(value);
  return inner.ok ? inner.objects : undefined;
}

/**
 * All primitive objects in order, at any depth. A constructed object whose content does not parse counts as primitive.
 */
export function leavesOf(objects: readonly Tlv[]): readonly Tlv[] {
  return leavesBy(objects, insideOf);
}

const DEEPEST = 8;

/** The content of every object with that tag, at any depth, in order. */
export function insidesOf(objects: readonly Tlv[], tag: string, depth = 0): readonly (readonly Tlv[])[] {
  return objects.flatMap((object) => {
    const inner = depth < DEEPEST ? insideOf(object) : undefined;
    if (inner === undefined) return [];
    return object.tag === tag ? [inner] : insidesOf(inner, tag, depth + 1);
  });
}

/** Text from a device, at most 64 characters; other than printable ASCII becomes "?". */
export function printable(bytes: Uint8Array): string {
  return ascii(bytes.slice(0, 64)).replace(/[^\x20-\x7e]/g, "?");
}
