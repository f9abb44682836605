import type { Capabilities } from "../../src/card/capabilities.ts";
import { familyCapabilities } from "../vipa/members.ts";

/** What tells the members of the family apart (PROTOCOL.md 10). */
export interface Member {
  /** DF0D of the device begins with it. */
  readonly name: string;
  /** A keypad and a display are part of it; a member without one has them as a module of its own. */
  readonly hasPad: boolean;
}

const members: readonly Member[] = [
  { name: "P200", hasPad: true },
  { name: "P400", hasPad: true },
  { name: "M400", hasPad: true },
  { name: "UX3", hasPad: false },
];

/** A module that gives an unattended member its keypad and display (PROTOCOL.md 10). */
const PAD_MODULE = /^UX1[0-9]{2}/;

/** What the device of these names (DF0D of all its modules, the device itself first) can do. One that no row knows counts as a device with everything. */
export function capabilitiesOf(names: readonly string[], hasReader: boolean): Capabilities {
  const [name = ""] = names;
  const member = members.find((one) => name.toUpperCase().startsWith(one.name));
  const hasPad = member?.hasPad !== false || names.some((module) => PAD_MODULE.test(module));
  const reads: Capabilities["interfaces"] = ["chip", ...(hasReader ? (["contactless"] as const) : []), "stripe", ...(hasPad ? (["keyed"] as const) : [])];
  return { ...familyCapabilities, interfaces: reads, onlinePin: hasPad, pinAfterTap: hasPad && hasReader, display: hasPad };
}
