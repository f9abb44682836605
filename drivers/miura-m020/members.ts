import type { Capabilities } from "../../src/card/capabilities.ts";
import { familyCapabilities } from "../vipa/members.ts";

/** One member of the family that differs: what it has. The protocol is the same for all of them (PROTOCOL.md 7.1). */
interface Member {
  /** As device info names it (PROTOCOL.md 7.1). */
  readonly name: string;
  readonly capabilities: Capabilities;
}

const members: readonly Member[] = [{ name: "M006", capabilities: { ...familyCapabilities, interfaces: ["chip", "stripe", "keyed"], pinAfterTap: false } }];

/** What the member of that name can do; one that is not known counts as one with everything. */
export function capabilitiesOf(model: string): Capabilities {
  return members.find(({ name }) => name === model)?.capabilities ?? familyCapabilities;
}
