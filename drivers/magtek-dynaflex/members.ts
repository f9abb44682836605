import type { Capabilities } from "../../src/card/capabilities.ts";

/* Members of the family share the protocol and differ in hardware (PROTOCOL.md 1.1). */

export interface Member {
  readonly id: string;
  readonly title: string;
  readonly interfaces: Capabilities["interfaces"];
  /** A touch screen for texts, PINs, numbers and choices. A device without one sends its texts to the host. */
  readonly touch: boolean;
}

/** Everything that any member of the family can do. */
export const pro: Member = {
  id: "magtek-dynaflex",
  title: "MagTek DynaFlex Pro",
  interfaces: ["chip", "contactless", "stripe", "keyed"],
  touch: true,
};

export const plain: Member = {
  id: "magtek-dynaflex-ii",
  title: "MagTek DynaFlex II",
  interfaces: ["chip", "contactless", "stripe"],
  touch: false,
};

export const prox: Member = {
  id: "magtek-dynaprox",
  title: "MagTek DynaProx",
  interfaces: ["contactless"],
  touch: false,
};

/** The member by the device's model name; an unknown name counts as having no screen. */
export function memberOf(model: string): Member {
  if (/prox/i.test(model)) return prox;
  return /\b(pro|ped)\b/i.test(model) ? pro : plain;
}

export function capabilitiesOf({ interfaces, touch }: Member): Capabilities {
  return { interfaces, onlinePin: touch, pinAfterTap: false, display: touch, sealed: true };
}
