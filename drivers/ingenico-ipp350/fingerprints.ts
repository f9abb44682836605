import type { Fingerprint } from "../../src/terminal/driver.ts";

const VENDOR = 0x0b00;

/** PROTOCOL.md 1.5: ids for which a source confirms this protocol. The vendor id alone also fits modems and readers. */
export const fingerprints: readonly Fingerprint[] = [
  {
    over: "usb",
    vendorId: VENDOR,
    productId: 0x0074,
    score: 90,
    source: "IS4C: USB HID of an iSC250 in production (PROTOCOL.md 1.5)",
  },
  {
    over: "serial",
    vendorId: VENDOR,
    productId: 0x0057,
    score: 90,
    source: "a kiosk's driver of an iUC285: virtual serial port (PROTOCOL.md 1.5)",
  },
  {
    over: "serial",
    vendorId: VENDOR,
    score: 30,
    source: "the maker's vendor id; other product ids are not published (PROTOCOL.md 1.5)",
  },
  {
    over: "usb",
    vendorId: VENDOR,
    score: 20,
    source: "the maker's vendor id; other product ids are not published (PROTOCOL.md 1.5)",
  },
];
