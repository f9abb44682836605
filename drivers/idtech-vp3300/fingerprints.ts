import type { Fingerprint } from "../../src/terminal/driver.ts";

const VENDOR = 0x0acd;
const SOURCE =
  "WEBHID: a public driver of a VP3300; other product ids of the family are not published (PROTOCOL.md 1.1)";

/** The vendor id is also used by readers of other protocols, so without a product it scores low. */
export const fingerprints: readonly Fingerprint[] = [
  { over: "usb", vendorId: VENDOR, productId: 0x3530, score: 90, source: SOURCE },
  {
    over: "usb",
    vendorId: VENDOR,
    product: /\b(?:VP3300|VP8800|VP8300|VP6800|VP3600|Kiosk)/i,
    score: 80,
    source: SOURCE,
  },
  { over: "usb", vendorId: VENDOR, score: 20, source: SOURCE },
];
