import type { Capabilities } from "../../src/card/capabilities.ts";

/** One member of the family: what it has. The protocol is the same for all of them (PROTOCOL.md 7). */
export interface Member {
  /** Matches the device's own name of itself. */
  readonly name: RegExp;
  readonly capabilities: Capabilities;
  /** A screen with texts of its own (PROTOCOL.md 6.8). */
  readonly hasScreen: boolean;
}

/** No number is typed on any of them that the protocol of this folder could ask for (PROTOCOL.md 10), and none shows a text of ours. */
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

/** What the family can do at most. */
export const familyCapabilities: Capabilities = { ...READER, onlinePin: true };

/** The member of that name; one that is not known counts as the plain reader, which can do what all that have a slot can. */
export function memberOf(model: string): Member {
  return members.find(({ name }) => name.test(model)) ?? vp3300;
}

/** What a device is before it was asked. */
export const unknownMember: Member = vp3300;

/** Names of the family in the firmware's text (PROTOCOL.md 6.1), and what a device is called that has none of them. */
const NAME = /\b(VP[0-9]{4}[A-Z]?|Kiosk ?(?:III|IV|V|[0-9])|UniPay ?III|Vendi)\b/i;

export function modelIn(firmware: string): string {
  return NAME.exec(firmware)?.[0] ?? "ID TECH NEO";
}
