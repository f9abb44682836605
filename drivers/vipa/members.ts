import type { Capabilities } from "../../src/card/capabilities.ts";

/** The most that a member of the family can do. */
export const familyCapabilities: Capabilities = {
  interfaces: ["chip", "contactless", "stripe", "keyed"],
  onlinePin: true,
  pinAfterTap: true,
  display: true,
  sealed: false,
};
