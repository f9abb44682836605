import { concat, fromAscii } from "../../src/kit/bytes.ts";
import { fromHex } from "../../src/kit/hex.ts";
import { type PropertyName, properties } from "./identity.ts";
import type { Member } from "./members.ts";

/** Properties by path. */
export type Settings = Map<string, Uint8Array>;

/** Bytes of the serial number property: seven digits and an unused half byte. */
const SERIAL_DIGITS = 8;
const PIN_SLOT = "200001";
const NOT_ASSIGNED = "000007";

/**
 * Factory settings plus a shop's setup (PROTOCOL.md 8): keys in slots 2000 (PIN) and 2007 (card data), slot events.
 * Automatic fallback is a factory default.
 */
export function usualSettings(member: Member, serialNumber: string): Settings {
  const text = (words: string): Uint8Array => concat(fromAscii(words), Uint8Array.of(0));
  const values: Partial<Record<PropertyName, Uint8Array>> = {
    serialNumber: fromHex(serialNumber.padEnd(SERIAL_DIGITS, "0")),
    model: text(member.title.replace("MagTek ", "")),
    firmware: text("1000007183-A5-PCI"),
    state: fromHex("02"),
    problems: fromHex("00"),
    tampered: fromHex("00"),
    locked: fromHex("00"),
    dataKey: fromHex("200704"),
    keys: fromHex("00000081"),
    leading: fromHex("06"),
    trailing: fromHex("04"),
    arpcTimeout: fromHex("FF"),
    arpcTries: fromHex("00"),
    warning: fromHex("03"),
    entryPoint: fromHex("5A1C"),
    arqcTags: fromHex("505A578284959A9B9C"),
    resetSeen: fromHex("00"),
    ...(member.touch && { pinKey: fromHex(PIN_SLOT), pinKeyAes: fromHex(NOT_ASSIGNED) }),
    ...(member.interfaces.includes("chip") && {
      contactConfiguration: fromHex("37A2"),
      userEvents: fromHex("0C000000"),
    }),
    ...(member.interfaces.includes("stripe") && { fallback: fromHex("01") }),
  };
  return new Map(Object.entries(values).map(([name, value]) => [pathOf(name), value]));
}

function pathOf(name: string): string {
  return Object.entries(properties).find(([known]) => known === name)?.[1] ?? "";
}

/** Supported properties that a host may set without a secured command. */
export const SETTABLE: readonly string[] = [
  ...[properties.leading, properties.trailing, properties.arpcTimeout, properties.arpcTries],
  ...[properties.userEvents, properties.warning, properties.fallback, properties.resetSeen],
];
