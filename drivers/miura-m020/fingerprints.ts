import type { Fingerprint } from "../../src/terminal/driver.ts";

const SDK = "SDK17, ids that the vendor's own application accepts (PROTOCOL.md 1.1)";
const MIURA = 0x2dda;
/**
 * The Linux Foundation's id: any gadget with the kernel's serial function may use it, so without a name it says little.
 */
const LINUX_GADGET = 0x0525;

/** USB ids of a Miura terminal: PROTOCOL.md 1.1. */
export const fingerprints: readonly Fingerprint[] = [
  { over: "serial", vendorId: MIURA, score: 80, source: SDK },
  {
    over: "serial",
    vendorId: MIURA,
    product: /\bM0(?:0[67]|10|2[01])\b/,
    score: 95,
    source: `${SDK}; names of the models in device info (7.1)`,
  },
  ...[0xa4a7, 0xa4a5].flatMap((productId): readonly Fingerprint[] => [
    {
      over: "serial",
      vendorId: LINUX_GADGET,
      productId,
      score: 20,
      source: `${SDK}; the ids of every Linux serial gadget`,
    },
    { over: "serial", vendorId: LINUX_GADGET, productId, manufacturer: /miura/i, score: 80, source: SDK },
    { over: "serial", vendorId: LINUX_GADGET, productId, product: /miura/i, score: 80, source: SDK },
  ]),
];
