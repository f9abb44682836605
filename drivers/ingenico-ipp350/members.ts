import type { Capabilities } from "../../src/card/capabilities.ts";

/** Capabilities of a full member of the family (PROTOCOL.md 10). */
export const familyCapabilities: Capabilities = {
  interfaces: ["chip", "contactless", "stripe", "keyed"],
  onlinePin: true,
  pinAfterTap: true,
  display: true,
  sealed: false,
};

/** Members with fewer capabilities, by their own model name. */
const LESS: readonly { readonly name: RegExp; readonly has: Capabilities }[] = [
  { name: /\bi65[0-9]{2}/i, has: { ...familyCapabilities, interfaces: ["stripe", "keyed"], pinAfterTap: false } },
  { name: /\biU(?:C|R)[0-9]{3}/i, has: { ...familyCapabilities, interfaces: ["chip", "contactless", "stripe"] } },
];

/** Readers that the device's configuration leaves switched on. */
export interface Switches {
  readonly contactless?: boolean;
  readonly keyed?: boolean;
}

export function capabilitiesOf(device: string, { contactless = true, keyed = true }: Switches): Capabilities {
  const { has } = LESS.find(({ name }) => name.test(device)) ?? { has: familyCapabilities };
  const interfaces = has.interfaces.filter(
    (way) => (way !== "contactless" || contactless) && (way !== "keyed" || keyed),
  );
  return { ...has, interfaces, pinAfterTap: has.pinAfterTap && interfaces.includes("contactless") };
}
