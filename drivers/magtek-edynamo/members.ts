import type { Capabilities } from "../../src/card/capabilities.ts";

/*
 * Members of the family share the protocol and differ in hardware (PROTOCOL.md 1.1). No member has keys or a display.
 */

export type MemberName = "edynamo" | "tdynamo" | "dynawave" | "mdynamo";

export interface Member {
  readonly name: MemberName;
  readonly title: string;
  readonly interfaces: Capabilities["interfaces"];
  /** Amount that starts a refund (PROTOCOL.md 7.10). */
  readonly refundAmount: "zero" | "refunded";
}

const eDynamo: Member = {
  name: "edynamo",
  title: "MagTek eDynamo",
  interfaces: ["chip", "stripe"],
  refundAmount: "zero",
};
const tDynamo: Member = {
  name: "tdynamo",
  title: "MagTek tDynamo",
  interfaces: ["chip", "contactless", "stripe"],
  refundAmount: "zero",
};
const dynaWave: Member = {
  name: "dynawave",
  title: "MagTek DynaWave",
  interfaces: ["contactless"],
  refundAmount: "zero",
};
const mDynamo: Member = { name: "mdynamo", title: "MagTek mDynamo", interfaces: ["chip"], refundAmount: "refunded" };

export const members: Readonly<Record<MemberName, Member>> = {
  edynamo: eDynamo,
  tdynamo: tDynamo,
  dynawave: dynaWave,
  mdynamo: mDynamo,
};

/** The customer verifies by signature, on their own device, or not at all (PROTOCOL.md 1.3). */
export function capabilitiesOf({ interfaces }: Pick<Member, "interfaces">): Capabilities {
  return { interfaces, onlinePin: false, pinAfterTap: false, display: false, sealed: true };
}

/** Everything that any member of the family can do. */
export const familyCapabilities: Capabilities = capabilitiesOf(tDynamo);
