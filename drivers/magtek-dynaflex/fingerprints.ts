import type { Fingerprint } from "../../src/terminal/driver.ts";

const VENDOR = 0x0801;
const SOURCE = "MagTek's own WebHID driver (DeviceConfig.js), and the MMS manual";

const product = (productId: number): Fingerprint => ({
  over: "usb",
  vendorId: VENDOR,
  productId,
  score: 95,
  source: SOURCE,
});

/** All DynaFlex models, DynaProx, DynaFlex II GO. The ids in between belong to boot loaders with another protocol. */
export const fingerprints: readonly Fingerprint[] = [product(0x2020), product(0x2023), product(0x2024)];
