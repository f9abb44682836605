import { createHash } from "node:crypto";
import type { Json } from "../../engine/ports.ts";

/**
 * JSON with sorted member names (UTF-16 code units) and no blanks (RFC 8785 for the values a register can send): one
 * text for one content.
 */
export function canonicalJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.flatMap(([name, member]) => (member === undefined ? [] : [`${JSON.stringify(name)}:${canonicalJson(member)}`])).join(",")}}`;
}

const isList = (value: Exclude<Json, null | boolean | number | string>): value is readonly Json[] =>
  Array.isArray(value);

/** A repetition may change these: they control the start, not the purchase. */
const NOT_CONTENT = new Set(["queue", "expiresInMs", "despite"]);

/**
 * SHA-256, hexadecimal, of a start's canonical JSON as sent, without the fields above (contract, section 3,
 * `reference`).
 */
export function fingerprintOf(params: { readonly [key: string]: Json }): string {
  const content = Object.fromEntries(Object.entries(params).filter(([name]) => !NOT_CONTENT.has(name)));
  return createHash("sha256").update(canonicalJson(content), "utf8").digest("hex");
}
