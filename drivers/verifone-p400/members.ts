import type { Capabilities } from "../../src/card/capabilities.ts";
import { familyCapabilities } from "../vipa/members.ts";

/** Differences between the members of the family (PROTOCOL.md 10). */
export interface Member {
  /** Prefix of the device's DF0D. */
  readonly name: string;
  /** Keypad and display are built in; otherwise they are a module. */
  readonly hasPad: boolean;
}

const members: readonly Member[] = [
  { name: "P200", hasPad: true },
  { name: "P400", hasPad: true },
  { name: "M400", hasPad: true },
  { name: "UX3", hasPad: false },
];

/** Module with keypad and display for an unattended member (PROTOCOL.md 10). */
const PAD_MODULE = /^UX1[0-9]{2}/;

/**
 * Capabilities for these names (DF0D of the device, then of its modules). An unknown device counts as having
 * everything.
 */
export function capabilitiesOf(names: readonly string[], hasReader: boolean): Capabilities {
  const [name = ""] = names;
  const member = members.find((one) => name.toUpperCase().startsWith(one.name));
  const hasPad = member?.hasPad !== false || names.some((module) => PAD_MODULE.test(module));
  const reads: Capabilities["interfaces"] = [
    "chip",
    ...(hasReader ? (["contactless"] as const) : []),
    "stripe",
    ...(hasPad ? (["keyed"] as const) : []),
  ];
  return {
    ...familyCapabilities,
    interfaces: reads,
    onlinePin: hasPad,
    pinAfterTap: hasPad && hasReader,
    display: hasPad,
  };
}
