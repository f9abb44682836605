import type { LocalTime } from "../../src/card/command.ts";
import type { Identity, KeyStatus } from "../../src/card/notice.ts";
import { findTag, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { holdsCardNumber } from "../../src/kit/card-number.ts";
import { toHex } from "../../src/kit/hex.ts";
import { printable } from "../../src/kit/printable.ts";
import { type Answer, EXTENDED_APDU, itemsOf, leavesOf, tags } from "./message.ts";

type Item = Identity["configuration"][number];

/** Results of identification so far (PROTOCOL.md 7.1). */
export interface Found {
  readonly serialNumber?: string;
  readonly software: readonly Item[];
  readonly extended: boolean;
  readonly keys?: KeyStatus;
  readonly clock?: LocalTime;
  readonly configuration: readonly Item[];
  readonly info: readonly Item[];
}

export const nothingFound: Found = { software: [], extended: false, configuration: [], info: [] };

/*
 * Each function returns undefined for an answer that does not fit its own command, so a repeated or late one never
 * counts (PROTOCOL.md 4.5).
 */

/** RESET: serial number, software, announced features. */
export function readSoftware(found: Found, answer: Answer): Found | undefined {
  const objects = e1(answer);
  const serial = findTag(objects, tags.serialNumber);
  if (serial === undefined || serial.length === 0) return undefined;
  const serialNumber = printable(serial).trim();
  // A card number may not leave the driver, wherever the device puts it.
  if (holdsCardNumber(serialNumber)) return undefined;
  const extended = itemsOf(objects, "ED").some(({ name }) => name === EXTENDED_APDU);
  return { ...found, serialNumber, software: itemsOf(objects, "EF"), extended };
}

const PIN_KEY = 0x02;
const SRED_KEY = 0x04;

/** P2PE STATUS. The protocol does not report tampering: a tampered device shows missing keys. */
export function readKeys(found: Found, answer: Answer): Found | undefined {
  const [status] = findTag(e1(answer), tags.p2peStatus) ?? [];
  if (status === undefined) return undefined;
  return { ...found, keys: { pin: (status & PIN_KEY) !== 0, sred: (status & SRED_KEY) !== 0, tampered: false } };
}

/** SYSTEM CLOCK, read: 9A and 9F21, bare or inside a template. */
export function readClock(found: Found, answer: Answer): Found | undefined {
  const bare = answer.is === "other" ? parseTlv(answer.body) : undefined;
  const objects = bare?.ok ? leavesOf(bare.objects) : e1(answer);
  const date = digits(findTag(objects, "9A"), 6);
  const time = digits(findTag(objects, "9F21"), 6);
  return date === undefined || time === undefined ? undefined : { ...found, clock: { date, time } };
}

/** GET CONFIGURATION VERSIONS: only items. */
export function readConfiguration(found: Found, answer: Answer): Found | undefined {
  const items = onlyItems(answer);
  return items && { ...found, configuration: items };
}

/** GET DEVICE INFO: also items, but different ones. */
export function readInfo(found: Found, answer: Answer): Found | undefined {
  const items = onlyItems(answer);
  const isRepeated =
    items !== undefined && items.length > 0 && JSON.stringify(items) === JSON.stringify(found.configuration);
  return items && !isRepeated ? { ...found, info: items } : undefined;
}

function onlyItems(answer: Answer): readonly Item[] | undefined {
  const objects = e1(answer);
  return answer.is === "template" && answer.template === "E1" && objects.every(({ tag }) => tag === "ED")
    ? itemsOf(objects, "ED")
    : undefined;
}

function e1(answer: Answer): readonly Tlv[] {
  return answer.is === "template" && answer.template === "E1" ? answer.objects : [];
}

function digits(value: Uint8Array | undefined, count: number): string | undefined {
  const text = toHex(value ?? new Uint8Array(0));
  return text.length === count && /^[0-9]+$/.test(text) ? text : undefined;
}

/** Model names in device info (PROTOCOL.md 7.1). */
const MODEL = /^M0[0-9]{2}$/;

/** The device's identity. A device without a model name gets the family's name. */
export function identityOf({ serialNumber = "", software, configuration, info, clock }: Found): Identity {
  const named = info.flatMap(({ name, version }) => [name, version]).find((text) => MODEL.test(text));
  return {
    serialNumber,
    model: named ?? "Miura",
    firmware: software.map(({ name, version }) => `${name} ${version}`.trim()).join(", "),
    configuration,
    ...(clock !== undefined && { clock }),
  };
}
