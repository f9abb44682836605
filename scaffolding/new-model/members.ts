import type { Capabilities } from "../../src/card/capabilities.ts";

/**
 * The most that a member of the family can do; say less here until more is built, and the stories of test/drivers ask
 * for less.
 */
export const familyCapabilities: Capabilities = {
  interfaces: ["chip"],
  onlinePin: true,
  pinAfterTap: false,
  display: false,
  sealed: false,
};
