import { insideOf, leavesOf as leavesIn } from "../../src/emv/leaves.ts";
import { findTag, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import { printable, toldText } from "../../src/kit/printable.ts";
import type { Message } from "../vipa/frame.ts";
import { bareAnswer, type CardEvent, type KeyEvent } from "../vipa/message.ts";

/** Tags of the device's own (PROTOCOL.md 4.2); those of EMV stand by their number where they are used. */
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

/** The item name by which a device says that it takes extended APDUs (PROTOCOL.md 3.2). */
export const EXTENDED_APDU = "Extended APDU";

/** Answer and event templates (PROTOCOL.md 4.1). */
export type Template = "E0" | "E1" | "E2" | "E3" | "E4" | "E5" | "E6";

const templates: readonly Template[] = ["E0", "E1", "E2", "E3", "E4", "E5", "E6"];

/** What a solicited answer is (PROTOCOL.md 4.3). Every body that is none of the others is `other`. */
export type Answer =
  | { readonly is: "ok" }
  | { readonly is: "refused"; readonly statusWord: string }
  | { readonly is: "template"; readonly template: Template; readonly objects: readonly Tlv[] }
  | { readonly is: "other"; readonly body: Uint8Array };

/** Reads a solicited answer; what stands beside its template counts as inside. Never throws. */
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
  return inner.ok ? { is: "template", template, objects: [...inner.objects, ...objects.filter((one) => one !== first)] } : { is: "other", body };
}

/** What the device says unasked (PROTOCOL.md 6). What is no business of a payment is `other`. */
export type DeviceEvent =
  | CardEvent
  | { readonly is: "status"; readonly code: string; readonly text: string; readonly pinTries?: number }
  | KeyEvent
  | { readonly is: "other" };

/** Reads an unsolicited message. Never throws. */
export function parseEvent(bytes: Uint8Array): DeviceEvent {
  const answer = parseAnswer(bytes);
  if (answer.is !== "template") return { is: "other" };
  const { template, objects } = answer;
  const [first, second] = findTag(objects, tags.cardStatus) ?? [];
  if (template === "E1" && first !== undefined && second !== undefined) {
    return { is: "card", slot: (first & 0x01) !== 0, chip: (first & 0x02) !== 0, magstripe: (second & 0x01) !== 0, tracks: (second & 0x0e) !== 0, objects };
  }
  const key = findTag(objects, tags.keyCode);
  if (template === "E0" && key?.length === 1) return { is: "key", code: toHex(key) };
  const code = findTag(objects, tags.statusCode);
  if (template !== "E6" || code?.length !== 1) return { is: "other" };
  const [pinTries] = findTag(objects, tags.pinTries) ?? [];
  const text = toldText(findTag(objects, tags.statusText) ?? new Uint8Array(0));
  return { is: "status", code: toHex(code), text, ...(pinTries !== undefined && { pinTries }) };
}

/** What a message of the PIN pad says: the answer to a command, or something unasked. */
export type Heard = { readonly is: "answer"; readonly answer: Answer } | { readonly is: "event"; readonly event: DeviceEvent };

/** NAD 02 is a printer or cash drawer behind the same link; nothing was asked of it (PROTOCOL.md 2.1). */
export function heardIn({ nad, unsolicited, body }: Message): readonly Heard[] {
  if (nad !== 1) return [];
  return [unsolicited ? { is: "event", event: parseEvent(body) } : { is: "answer", answer: parseAnswer(body) }];
}

/** Powered on, powering off, rebooting, restarting (PROTOCOL.md 6.2). */
const POWERED_ON = "01";
const restartCodes: readonly string[] = [POWERED_ON, "0A", "0B", "0C"];

/** It says that it goes, and not that it has come: that it also says on a link that is new to it (PROTOCOL.md 1.3). */
export function isGoing(event: DeviceEvent): boolean {
  return event.is === "status" && event.code !== POWERED_ON && restartCodes.includes(event.code);
}

/** What the device says as it starts anew, or undefined: whatever transaction it had is forgotten then. */
export function restartText(event: DeviceEvent): string | undefined {
  return event.is === "status" && restartCodes.includes(event.code) ? event.text : undefined;
}

/** First byte 63 (an ATR) and 48 (card status) are primitive although BER may say otherwise (PROTOCOL.md 4.4). */
const PRIMITIVE = /^(63|48)/;

/** All primitive objects in the order they stand, however deep. */
export function leavesOf(objects: readonly Tlv[]): readonly Tlv[] {
  return leavesIn(objects, (object) => (PRIMITIVE.test(object.tag) ? undefined : insideOf(object)));
}

/** Items of one kind (ED configuration, EF software) in an answer; one without a name is left out, one without a version has an empty one. */
export function itemsOf(objects: readonly Tlv[], kind: "ED" | "EF"): readonly { readonly name: string; readonly version: string }[] {
  return objects.flatMap((object) => {
    const inner = object.tag === kind ? parseTlv(object.value) : undefined;
    const name = inner?.ok ? findTag(inner.objects, tags.itemName) : undefined;
    if (!inner?.ok || name === undefined) return [];
    return [{ name: printable(name), version: printable(findTag(inner.objects, tags.itemVersion) ?? new Uint8Array(0)) }];
  });
}
