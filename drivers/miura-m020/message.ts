import { insideOf, leavesOf as leavesIn } from "../../src/emv/leaves.ts";
import { findTag, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import { printable, toldText } from "../../src/kit/printable.ts";
import type { Message } from "../vipa/frame.ts";
import { bareAnswer, type CardEvent, type KeyEvent } from "../vipa/message.ts";

/** The device's own tags (PROTOCOL.md 4.2). EMV tags appear as numbers at their use. */
export const tags = {
  cardStatus: "48",
  statusCode: "C3",
  statusText: "C4",
  pinTries: "C5",
  itemName: "DF0D",
  itemVersion: "DF7F",
  serialNumber: "9F1E",
  trmStage: "DFA203",
  applicationSelection: "DFA204",
  keyCode: "DFA205",
  typed: "DFA208",
  secureElement: "DFA210",
  typedNumber: "DFA211",
  typedExpiry: "DFA215",
  p2peStatus: "DFAE01",
  sredData: "DFAE02",
  sredKsn: "DFAE03",
  pinData: "DFAE04",
  pinKsn: "DFAE05",
  maskedSwipe: "DFAE22",
  maskedTrack2: "DFAE57",
  maskedPan: "DFAE5A",
  maskedTap: "DFAE6B",
  contactlessMode: "DF30",
  seconds: "DFFF01",
} as const;

/** Item name that announces extended APDUs (PROTOCOL.md 3.2). */
export const EXTENDED_APDU = "Extended APDU";

/** Templates of answers and events (PROTOCOL.md 4.1). */
export type Template = "E0" | "E1" | "E2" | "E3" | "E4" | "E5" | "E6";

const templates: readonly Template[] = ["E0", "E1", "E2", "E3", "E4", "E5", "E6"];

/** A solicited answer (PROTOCOL.md 4.3). `other`: any other body. */
export type Answer =
  | { readonly is: "ok" }
  | { readonly is: "refused"; readonly statusWord: string }
  | { readonly is: "template"; readonly template: Template; readonly objects: readonly Tlv[] }
  | { readonly is: "other"; readonly body: Uint8Array };

/** Parses a solicited answer; objects next to its template count as inside. Never throws. */
export function parseAnswer(bytes: Uint8Array): Answer {
  const bare = bareAnswer(bytes);
  if (bare.is !== "body") return bare;
  const { body } = bare;
  const outer = parseTlv(body);
  const objects = outer.ok ? outer.objects : [];
  const [first, ...more] = objects.filter(({ tag }) => templates.some((known) => known === tag));
  const template = templates.find((known) => known === first?.tag);
  if (first === undefined || more.length > 0 || template === undefined) return { is: "other", body };
  const inner = parseTlv(first.value);
  return inner.ok
    ? { is: "template", template, objects: [...inner.objects, ...objects.filter((one) => one !== first)] }
    : { is: "other", body };
}

/** Unsolicited messages (PROTOCOL.md 6). `other`: irrelevant to a payment. */
export type DeviceEvent =
  | CardEvent
  | { readonly is: "status"; readonly code: string; readonly text: string; readonly pinTries?: number }
  | KeyEvent
  | { readonly is: "other" };

/** Parses an unsolicited message. Never throws. */
export function parseEvent(bytes: Uint8Array): DeviceEvent {
  const answer = parseAnswer(bytes);
  if (answer.is !== "template") return { is: "other" };
  const { template, objects } = answer;
  const [first, second] = findTag(objects, tags.cardStatus) ?? [];
  if (template === "E1" && first !== undefined && second !== undefined) {
    return {
      is: "card",
      slot: (first & 0x01) !== 0,
      chip: (first & 0x02) !== 0,
      magstripe: (second & 0x01) !== 0,
      tracks: (second & 0x0e) !== 0,
      objects,
    };
  }
  const key = findTag(objects, tags.keyCode);
  if (template === "E0" && key?.length === 1) return { is: "key", code: toHex(key) };
  const code = findTag(objects, tags.statusCode);
  if (template !== "E6" || code?.length !== 1) return { is: "other" };
  const [pinTries] = findTag(objects, tags.pinTries) ?? [];
  const text = toldText(findTag(objects, tags.statusText) ?? new Uint8Array(0));
  return { is: "status", code: toHex(code), text, ...(pinTries !== undefined && { pinTries }) };
}

/** A message from the PIN pad: an answer or an unsolicited event. */
export type Heard =
  | { readonly is: "answer"; readonly answer: Answer }
  | { readonly is: "event"; readonly event: DeviceEvent };

/** NAD 02 is a printer or cash drawer on the same link; the driver never asks it (PROTOCOL.md 2.1). */
export function heardIn({ nad, unsolicited, body }: Message): readonly Heard[] {
  if (nad !== 1) return [];
  return [unsolicited ? { is: "event", event: parseEvent(body) } : { is: "answer", answer: parseAnswer(body) }];
}

/** Powered on, powering off, rebooting, restarting (PROTOCOL.md 6.2). */
const POWERED_ON = "01";
const restartCodes: readonly string[] = [POWERED_ON, "0A", "0B", "0C"];

/**
 * The device announces a restart. "Powered on" does not count: the device also sends it on a new link (PROTOCOL.md
 * 1.3).
 */
export function isGoing(event: DeviceEvent): boolean {
  return event.is === "status" && event.code !== POWERED_ON && restartCodes.includes(event.code);
}

/** Text of a restart message, or undefined. A restarted device has lost its transaction. */
export function restartText(event: DeviceEvent): string | undefined {
  return event.is === "status" && restartCodes.includes(event.code) ? event.text : undefined;
}

/** First byte 63 (ATR) and 48 (card status) are primitive, although BER may say otherwise (PROTOCOL.md 4.4). */
const PRIMITIVE = /^(63|48)/;

/** All primitive objects in order, at any depth. */
export function leavesOf(objects: readonly Tlv[]): readonly Tlv[] {
  return leavesIn(objects, (object) => (PRIMITIVE.test(object.tag) ? undefined : insideOf(object)));
}

/**
 * Items of one kind (ED configuration, EF software) in an answer. An item without a name is skipped; a missing version
 * is empty.
 */
export function itemsOf(
  objects: readonly Tlv[],
  kind: "ED" | "EF",
): readonly { readonly name: string; readonly version: string }[] {
  return objects.flatMap((object) => {
    const inner = object.tag === kind ? parseTlv(object.value) : undefined;
    const name = inner?.ok ? findTag(inner.objects, tags.itemName) : undefined;
    if (!inner?.ok || name === undefined) return [];
    return [
      { name: printable(name), version: printable(findTag(inner.objects, tags.itemVersion) ?? new Uint8Array(0)) },
    ];
  });
}
