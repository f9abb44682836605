import type { Capabilities } from "../../src/card/capabilities.ts";
import type { LocalTime } from "../../src/card/command.ts";
import type { Identity, KeyStatus } from "../../src/card/notice.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { holdsCardNumber } from "../../src/kit/card-number.ts";
import { toHex } from "../../src/kit/hex.ts";
import { capabilitiesOf } from "./members.ts";
import { type Answer, insidesOf, leavesOf, printable, tags, templates } from "./message.ts";

type Item = Identity["configuration"][number];

/** Results of identification so far (PROTOCOL.md 7.1). */
export interface Found {
  readonly reset: readonly Tlv[];
  readonly hasReader: boolean;
  readonly pinKey?: boolean;
  /** Nothing tells that it is missing. */
  readonly sredKey?: true;
  /** The card data key uses a non-zero initialisation vector. */
  readonly hasIv?: true;
  readonly clock?: LocalTime;
  readonly configuration: readonly Item[];
}

export const nothingFound: Found = { reset: [], hasReader: false, configuration: [] };

/*
 * Each function returns undefined for an answer that does not fit its own command, so a repeated or late one never
 * counts (PROTOCOL.md 4.5).
 */

function objectsOf(answer: Answer): readonly Tlv[] {
  return answer.is === "template" || answer.is === "list" ? answer.objects : [];
}

/** RESET: device, modules and software. */
export function readReset(found: Found, answer: Answer): Found | undefined {
  const reset = objectsOf(answer);
  return serialIn(reset) === undefined ? undefined : { ...found, reset };
}

/** CONTACTLESS STATUS: a count of one byte, or a description of each reader. */
export function readReader(found: Found, answer: Answer): Found | undefined {
  if (answer.is === "text" && answer.body.length === 1) return { ...found, hasReader: answer.body[0] !== 0x00 };
  return answer.is === "template" && answer.template === "E1" ? { ...found, hasReader: true } : undefined;
}

/** GET SECURITY CONFIGURATION: a key exists if it has a KSN. */
export function readPinKey(found: Found, answer: Answer): Found | undefined {
  const leaves = leavesOf(objectsOf(answer));
  const hasKsn = [tags.pinKsn, tags.sealedKsn].some((tag) => (findTag(leaves, tag)?.length ?? 0) > 0);
  return hasKsn ? { ...found, pinKey: true } : undefined;
}

export function readSredKey(found: Found, answer: Answer): Found | undefined {
  const leaves = leavesOf(objectsOf(answer));
  if ((findTag(leaves, tags.sealedKsn)?.length ?? 0) === 0) return undefined;
  const hasIv = findTag(leaves, tags.sealedIv)?.some((byte) => byte !== 0x00) === true;
  return { ...found, sredKey: true, ...(hasIv && { hasIv }) };
}

/** DATE AND TIME: fourteen digits. */
export function readClock(found: Found, answer: Answer): Found | undefined {
  const [, date, time] = /^20([0-9]{6})([0-9]{6})$/.exec(answer.is === "text" ? ascii(answer.body) : "") ?? [];
  return date === undefined || time === undefined ? undefined : { ...found, clock: { date, time } };
}

/** CONFIGURATION VERSIONS: pairs of name and version, bare or inside ED. */
export function readConfiguration(found: Found, answer: Answer): Found | undefined {
  const objects = objectsOf(answer);
  const named = insidesOf(objects, templates.configuration).flatMap((inside) =>
    itemsOf(inside, tags.itemName, tags.itemVersion),
  );
  const configuration = [...named, ...itemsOf(leavesOf(objects), tags.configurationName, tags.configurationVersion)];
  return answer.is === "ok" || configuration.length > 0 ? { ...found, configuration } : undefined;
}

/** Each name with the version that follows it; a name without one has an empty version. */
function itemsOf(objects: readonly Tlv[], nameTag: string, versionTag: string): readonly Item[] {
  return objects.flatMap(({ tag, value }, at) => {
    if (tag !== nameTag) return [];
    const follower = objects[at + 1];
    return [{ name: printable(value), version: follower?.tag === versionTag ? printable(follower.value) : "" }];
  });
}

/** The device's 9F1E, which precedes those of its modules; without an EE it stands bare. */
function serialIn(reset: readonly Tlv[]): string | undefined {
  const [device = reset] = insidesOf(reset, templates.device);
  const serial = findTag(device, "9F1E") ?? findTag(reset, "9F1E");
  const text = serial === undefined ? "" : printable(serial).trim();
  // A card number may not leave the driver, wherever the device puts it.
  return text === "" || holdsCardNumber(text) ? undefined : text;
}

function nameOf(inside: readonly Tlv[]): string {
  return printable(findTag(inside, tags.itemName) ?? new Uint8Array(0)).trim();
}

/** The device's identity. A device without a model name gets the protocol's name. */
export function identityOf({ reset, configuration, clock, hasIv }: Found): Identity {
  const [device] = insidesOf(reset, templates.device);
  const modules = insidesOf(reset, templates.module);
  const components = modules.flatMap((inside) => itemsOf(inside, tags.componentName, tags.componentVersion));
  const hashes = modules.flatMap((inside) => inside.filter(({ tag }) => tag === tags.whitelistHash));
  const verifone = components.find(({ name }) => name === "VIPA")?.version;
  const release = device && itemsOf(device, tags.itemName, tags.itemVersion)[0]?.version;
  return {
    serialNumber: serialIn(reset) ?? "",
    model: (device && nameOf(device)) || "VIPA",
    firmware: [...(verifone === undefined ? [] : [`VIPA ${verifone}`]), ...(release ? [release] : [])].join(", "),
    configuration: [
      ...configuration,
      ...modules.flatMap((inside) => itemsOf(inside, tags.itemName, tags.itemVersion)),
      ...components,
      ...(hasIv ? [{ name: "initialisation vector of card data", version: "not zero" }] : []),
      ...hashes.map(({ value }) => ({ name: "whitelist hash", version: toHex(value) })),
    ],
    ...(clock !== undefined && { clock }),
  };
}

/**
 * DF8101 reports tampering, DF8102 removal of the device from its mount; any non-zero byte is a fault (PROTOCOL.md
 * 7.1).
 */
export function keysOf({ reset, pinKey, sredKey }: Found): KeyStatus {
  const signs = leavesOf(reset).filter(({ tag }) => tag === tags.tamper || tag === tags.removal);
  return {
    ...(pinKey !== undefined && { pin: pinKey }),
    ...(sredKey !== undefined && { sred: sredKey }),
    ...(signs.length > 0 && { tampered: signs.some(({ value }) => value.some((byte) => byte !== 0x00)) }),
  };
}

export function capabilitiesIn({ reset, hasReader }: Found): Capabilities {
  return capabilitiesOf(insidesOf(reset, templates.device).map(nameOf), hasReader);
}

/** Whether a command may be longer than one packet (PROTOCOL.md 3.2). */
export function takesChains({ reset }: Found): boolean {
  return findTag(reset, tags.longestCommand) !== undefined;
}

const DAY_SECONDS = 86_400;

/** Seconds until the daily restart (DFA242, by the device's clock); undefined if not reported (PROTOCOL.md 7.17). */
export function secondsToRestart({ reset, clock }: Found): number | undefined {
  const at = secondsOf(ascii(findTag(reset, tags.dailyReset) ?? new Uint8Array(0)));
  const now = clock && secondsOf(clock.time);
  if (at === undefined || now === undefined) return undefined;
  const left = (at - now + DAY_SECONDS) % DAY_SECONDS;
  return left === 0 ? DAY_SECONDS : left;
}

function secondsOf(digits: string): number | undefined {
  const [, hours, minutes, seconds] = /^([01][0-9]|2[0-3])([0-5][0-9])([0-5][0-9])$/.exec(digits) ?? [];
  return hours === undefined ? undefined : (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
}
