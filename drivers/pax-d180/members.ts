import type { Capabilities } from "../../src/card/capabilities.ts";

/** One member of the family. All members share the protocol (PROTOCOL.md 7). */
export interface Member {
  readonly name: string;
  /** First byte of the terminal information. */
  readonly codes: readonly number[];
  readonly capabilities: Capabilities;
}

/** No member supports taps, keyed numbers or online PIN; PROTOCOL.md 9 gives the reasons. */
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
  // Its screen is closed to the host.
  { name: "D800", codes: [0x91], capabilities: { ...familyCapabilities, display: false } },
];

/** The member with that code. An unknown code counts as a D180 and shows the code in its name. */
export function memberOf(code: number): Member {
  const known = members.find(({ codes }) => codes.includes(code));
  return known ?? { ...d180, name: `PIN pad ${code.toString(16).padStart(2, "0").toUpperCase()}` };
}

/** The member assumed before identification, or without a code. */
export const unknownMember: Member = { ...d180, name: "PIN pad" };
