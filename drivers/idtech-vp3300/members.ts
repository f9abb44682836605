import type { Capabilities } from "../../src/card/capabilities.ts";

/** One member of the family. All members share the protocol (PROTOCOL.md 7). */
export interface Member {
  /** Matches the device's own model name. */
  readonly name: RegExp;
  readonly capabilities: Capabilities;
  /** Has a screen with texts of its own (PROTOCOL.md 6.8). */
  readonly hasScreen: boolean;
}

/** No member accepts keyed card numbers through this protocol (PROTOCOL.md 10), and none shows host text. */
const READER: Capabilities = {
  interfaces: ["chip", "contactless", "stripe"],
  onlinePin: false,
  pinAfterTap: false,
  display: false,
  sealed: false,
};

const vp3300: Member = { name: /VP33/i, capabilities: READER, hasScreen: false };

const members: readonly Member[] = [
  // VP3300C, "contactless": no slot and no magstripe reader.
  { name: /VP3300C/i, capabilities: { ...READER, interfaces: ["contactless"] }, hasScreen: false },
  vp3300,
  { name: /Kiosk/i, capabilities: { ...READER, interfaces: ["contactless"] }, hasScreen: true },
  { name: /VP(?:8800|8300|6800|3600)/i, capabilities: { ...READER, onlinePin: true }, hasScreen: true },
];

/** Everything that any member of the family can do. */
export const familyCapabilities: Capabilities = { ...READER, onlinePin: true };

/**
 * The member with that name. An unknown name counts as the plain reader, whose abilities every member with a slot has.
 */
export function memberOf(model: string): Member {
  return members.find(({ name }) => name.test(model)) ?? vp3300;
}

/** The member assumed before identification. */
export const unknownMember: Member = vp3300;

/** Family names in the firmware text (PROTOCOL.md 6.1), and the default for a text without one. */
const NAME = /\b(VP[0-9]{4}[A-Z]?|Kiosk ?(?:III|IV|V|[0-9])|UniPay ?III|Vendi)\b/i;

export function modelIn(firmware: string): string {
  return NAME.exec(firmware)?.[0] ?? "ID TECH NEO";
}
