import type { Capabilities } from "../../src/card/capabilities.ts";
import type { Fingerprint } from "../../src/terminal/driver.ts";

/** What a whole member of the family can do (PROTOCOL.md 10). */
export const capabilities: Capabilities = {
  interfaces: ["chip", "contactless", "stripe", "keyed"],
  onlinePin: true,
  pinAfterTap: true,
  display: true,
  sealed: false,
};

/** Members that have less, by the name that they tell of themselves. */
const LESS: readonly { readonly name: RegExp; readonly has: Capabilities }[] = [
  { name: /\bi65[0-9]{2}/i, has: { ...capabilities, interfaces: ["stripe", "keyed"], pinAfterTap: false } },
  { name: /\biU(?:C|R)[0-9]{3}/i, has: { ...capabilities, interfaces: ["chip", "contactless", "stripe"] } },
];

/** What its own configuration leaves of it. */
export interface Switches {
  readonly contactless?: boolean;
  readonly keyed?: boolean;
}

export function capabilitiesOf(device: string, { contactless = true, keyed = true }: Switches): Capabilities {
  const { has } = LESS.find(({ name }) => name.test(device)) ?? { has: capabilities };
  const interfaces = has.interfaces.filter((way) => (way !== "contactless" || contactless) && (way !== "keyed" || keyed));
  return { ...has, interfaces, pinAfterTap: has.pinAfterTap && interfaces.includes("contactless") };
}

const VENDOR = 0x0b00;

/** PROTOCOL.md 1.5: the ids of which a source says that this protocol was spoken there. The maker's id alone is on modems and readers too. */
export const fingerprints: readonly Fingerprint[] = [
  { over: "usb", vendorId: VENDOR, productId: 0x0074, score: 90, source: "IS4C: USB HID of an iSC250 in production (PROTOCOL.md 1.5)" },
  { over: "serial", vendorId: VENDOR, productId: 0x0057, score: 90, source: "a kiosk's driver of an iUC285: virtual serial port (PROTOCOL.md 1.5)" },
  { over: "serial", vendorId: VENDOR, score: 30, source: "the maker's vendor id; other product ids are not published (PROTOCOL.md 1.5)" },
  { over: "usb", vendorId: VENDOR, score: 20, source: "the maker's vendor id; other product ids are not published (PROTOCOL.md 1.5)" },
];
