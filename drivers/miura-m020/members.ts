import type { Capabilities } from "../../src/card/capabilities.ts";
import { familyCapabilities } from "../vipa/members.ts";

/** A member of the family with fewer capabilities. All members share the protocol (PROTOCOL.md 7.1). */
interface Member {
  /** Name in device info (PROTOCOL.md 7.1). */
  readonly name: string;
  readonly capabilities: Capabilities;
}

const members: readonly Member[] = [
  {
    name: "M006",
    capabilities: { ...familyCapabilities, interfaces: ["chip", "stripe", "keyed"], pinAfterTap: false },
  },
];

/** Capabilities of the member with that name; an unknown one counts as having everything. */
export function capabilitiesOf(model: string): Capabilities {
  return members.find(({ name }) => name === model)?.capabilities ?? familyCapabilities;
}
