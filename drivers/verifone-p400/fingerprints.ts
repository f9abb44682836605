import type { Fingerprint } from "../../src/terminal/driver.ts";

const CS = "C#, ids by which a shipping driver finds its devices (PROTOCOL.md 1.5)";
const VERIFONE = 0x11ca;

/**
 * The family's USB ids, as a virtual serial port: PROTOCOL.md 1.5. Verifone devices with other protocols share the
 * vendor id.
 */
export const fingerprints: readonly Fingerprint[] = [
  { over: "serial", vendorId: VERIFONE, score: 40, source: CS },
  { over: "serial", vendorId: VERIFONE, productId: 0x0300, score: 85, source: `${CS}: P400` },
  { over: "serial", vendorId: VERIFONE, productId: 0x0201, score: 85, source: `${CS}: UX300` },
  {
    over: "serial",
    vendorId: VERIFONE,
    product: /\b(?:P200|P400|M400|UX ?30[01])\b/i,
    score: 80,
    source: `${CS}; names of the models in RESET (10)`,
  },
];
