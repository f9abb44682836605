import type { Capabilities } from "../../src/card/capabilities.ts";

/** Capabilities of a full member of the family. */
export const familyCapabilities: Capabilities = {
  interfaces: ["chip", "contactless", "stripe", "keyed"],
  onlinePin: true,
  pinAfterTap: true,
  display: true,
  sealed: false,
};
