import type { Fingerprint } from "../../src/terminal/driver.ts";

/** How the family shows itself on USB, each id with its source; nothing is known yet. */
export const fingerprints: readonly Fingerprint[] = [];
