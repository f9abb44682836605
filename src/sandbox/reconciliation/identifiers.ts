import { createHash } from "node:crypto";

/** 32 lower-case hexadecimal digits that are always the same for the same parts: what is made from the ledger anew each time must not change its name. */
export function madeId(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32);
}
