import type { Fingerprint } from "../../src/terminal/driver.ts";

const VENDOR = 0x0801;
const SOURCE = "MagTek's own WebHID driver (DeviceConfig.js)";

const product = (productId: number): Fingerprint => ({
  over: "usb",
  vendorId: VENDOR,
  productId,
  score: 95,
  source: SOURCE,
});

/** mDynamo, tDynamo, eDynamo. The DynaWave's product id is not published. */
export const fingerprints: readonly Fingerprint[] = [product(0x001a), product(0x001c), product(0x001e)];
