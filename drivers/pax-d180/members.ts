import type { Capabilities } from "../../src/card/capabilities.ts";

/** One member of the family: what it has. The protocol is the same for all of them (PROTOCOL.md 7). */
export interface Member {
  readonly name: string;
  /** First byte of its terminal information. */
  readonly codes: readonly number[];
  readonly capabilities: Capabilities;
}

/** No tap, no typed number and no online PIN on any of them: PROTOCOL.md 9 says why. */
export const familyCapabilities: Capabilities = {
  interfaces: ["chip", "stripe"],
  onlinePin: false,
  pinAfterTap: false,
  display: true,
  sealed: false,
};

const d180: Member = { name: "D180", codes: [0x23, 0xb4], capabilities: familyCapabilities };

const members: readonly Member[] = [
  d180,
  { name: "D200", codes: [0x0f], capabilities: familyCapabilities },
  { name: "D210", codes: [0x10], capabilities: familyCapabilities },
  { name: "D300", codes: [0x11], capabilities: familyCapabilities },
  { name: "SP30", codes: [0x08], capabilities: familyCapabilities },
  // It has no screen that a host could write to.
  { name: "D800", codes: [0x91], capabilities: { ...familyCapabilities, display: false } },
];

/** The member of that code; one that is not known counts as a D180, with its code in its name. */
export function memberOf(code: number): Member {
  const known = members.find(({ codes }) => codes.includes(code));
  return known ?? { ...d180, name: `PIN pad ${code.toString(16).padStart(2, "0").toUpperCase()}` };
}

/** What a device is before it was asked, or where it does not tell. */
export const unknownMember: Member = { ...d180, name: "PIN pad" };
