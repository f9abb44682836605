import type { Fingerprint } from "../../src/terminal/driver.ts";

const PAX = 0x2fb8;
const SOURCE =
  "the maker's USB vendor id as other people's udev rules have it; product ids of the family are not published (PROTOCOL.md 1.3)";

/** The maker's other terminals use this vendor id with other protocols, so without a product it scores low. */
export const fingerprints: readonly Fingerprint[] = [
  { over: "serial", vendorId: PAX, product: /\b(?:D180|D200|D210|D300|D800|SP30)\b/i, score: 85, source: SOURCE },
  { over: "serial", vendorId: PAX, score: 30, source: SOURCE },
];
