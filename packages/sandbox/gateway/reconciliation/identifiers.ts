import { createHash } from "node:crypto";

/**
 * 32 lower-case hexadecimal digits derived from the parts: reports are rebuilt from the ledger each time and must keep
 * their ids.
 */
export function madeId(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32);
}
