import type { HostAnswer, KernelRequest } from "../../packages/sandbox/testbed/contact-kernel.ts";
import { findTag, type Tlv, type TlvParse } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";

/** A command's parsed data, or the status word of its refusal. */
export type Understood<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly statusWord: string };

const INVALID = "9F21";
export const MISSING = "9F27";

/** The objects inside the one E0 of a command's data, parsed by the model's rules. */
export function objectsInside(parse: (bytes: Uint8Array) => TlvParse, data: Uint8Array): Understood<readonly Tlv[]> {
  const outer = parse(data);
  const [e0, ...more] = outer.ok ? outer.objects : [];
  const inner = e0?.tag === "E0" && more.length === 0 ? parse(e0.value) : undefined;
  return inner?.ok ? { ok: true, value: inner.objects } : { ok: false, statusWord: INVALID };
}

/** Required fields of a transaction start, with their length in bytes. */
const START_FIELDS = [
  ["9C", 1],
  ["9F02", 6],
  ["9A", 3],
  ["9F21", 3],
  ["5F2A", 2],
] as const;

export type StartedBy = Omit<KernelRequest, "unpredictableNumber" | "sequence">;

/** The fields of START TRANSACTION and START CONTACTLESS (PROTOCOL.md 7.3). */
export function startFields(objects: readonly Tlv[]): Understood<StartedBy> {
  const values = new Map<string, string>();
  for (const [tag, length] of START_FIELDS) {
    const value = findTag(objects, tag);
    if (value === undefined) return { ok: false, statusWord: MISSING };
    const digits = toHex(value);
    if (value.length !== length || !/^[0-9]+$/.test(digits)) return { ok: false, statusWord: INVALID };
    values.set(tag, digits);
  }
  const text = (tag: (typeof START_FIELDS)[number][0]): string => values.get(tag) ?? "";
  return {
    ok: true,
    value: { type: text("9C"), amount: text("9F02"), date: text("9A"), time: text("9F21"), currency: text("5F2A") },
  };
}

/** CONTINUE: 8A is mandatory; 91, 71 and 72 are optional (PROTOCOL.md 7.5). */
export function hostAnswer(objects: readonly Tlv[]): Understood<HostAnswer> {
  const responseCode = findTag(objects, "8A");
  if (responseCode === undefined) return { ok: false, statusWord: MISSING };
  if (responseCode.length !== 2) return { ok: false, statusWord: INVALID };
  const authentication = findTag(objects, "91");
  const scripts = objects.filter(({ tag }) => tag === "71" || tag === "72").map(({ value }) => value);
  return { ok: true, value: { responseCode, ...(authentication && { authentication }), scripts } };
}
