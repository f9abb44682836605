import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import { currencyOf } from "../../src/kit/money.ts";
import type { AskedAmount } from "../../src/simulator/request-text.ts";
import type { SessionRequest } from "../../src/simulator/session-contract.ts";
import type { HostAnswer } from "../../src/testbed/contact-kernel.ts";
import { parseObjects, tags } from "./message.ts";

/** A command's data as the device understood it, or the status word it answers. */
export type Understood<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly statusWord: string };

const INVALID = "9F21";
const MISSING = "9F27";

/** The objects inside the one E0 of a command's data. */
function commandObjects(data: Uint8Array): Understood<readonly Tlv[]> {
  const outer = parseObjects(data);
  const [e0, ...more] = outer.ok ? outer.objects : [];
  const inner = e0?.tag === "E0" && more.length === 0 ? parseObjects(e0.value) : undefined;
  return inner?.ok ? { ok: true, value: inner.objects } : { ok: false, statusWord: INVALID };
}

/** START TRANSACTION and START CONTACTLESS: what must be there, with the length and the digits it must have. */
const START_FIELDS = [
  ["9C", 1],
  ["9F02", 6],
  ["9A", 3],
  ["9F21", 3],
  ["5F2A", 2],
] as const;

export function startRequest(data: Uint8Array): Understood<SessionRequest> {
  const objects = commandObjects(data);
  if (!objects.ok) return objects;
  const values = new Map<string, string>();
  for (const [tag, length] of START_FIELDS) {
    const value = findTag(objects.value, tag);
    if (value === undefined) return { ok: false, statusWord: MISSING };
    const digits = toHex(value);
    if (value.length !== length || !/^[0-9]+$/.test(digits)) return { ok: false, statusWord: INVALID };
    values.set(tag, digits);
  }
  const digitsOf = (tag: (typeof START_FIELDS)[number][0]): string => values.get(tag) ?? "";
  return { ok: true, value: { type: digitsOf("9C"), amount: digitsOf("9F02"), date: digitsOf("9A"), time: digitsOf("9F21"), currency: digitsOf("5F2A") } };
}

/** What the host decided upon the card's data: C0 of the first CONTINUE (PROTOCOL.md 7.3). */
export function decisionIn(data: Uint8Array): Understood<boolean> {
  const objects = commandObjects(data);
  if (!objects.ok) return objects;
  const [decision] = findTag(objects.value, tags.decision) ?? [];
  return decision === undefined ? { ok: false, statusWord: MISSING } : { ok: true, value: decision === 0x01 };
}

const NOT_APPROVED = Uint8Array.of(0x30, 0x35);

/** The second CONTINUE, and CONTINUE CONTACTLESS: 8A is mandatory, C0 other than 01 asks for an AAC whatever it says (PROTOCOL.md 7.5). */
export function continueRequest(data: Uint8Array): Understood<HostAnswer> {
  const objects = commandObjects(data);
  if (!objects.ok) return objects;
  const code = findTag(objects.value, "8A");
  if (code === undefined) return { ok: false, statusWord: MISSING };
  if (code.length !== 2) return { ok: false, statusWord: INVALID };
  const decision = findTag(objects.value, tags.decision)?.[0];
  const responseCode = decision === 0x00 && /^(00|10|11)$/.test(ascii(code)) ? NOT_APPROVED : code;
  const authentication = findTag(objects.value, "91");
  const scripts = objects.value.filter(({ tag }) => tag === "71" || tag === "72").map(({ value }) => value);
  return { ok: true, value: { responseCode, ...(authentication && { authentication }), scripts } };
}

export type PinCommand = { readonly is: "fetch" } | { readonly is: "ask"; readonly amount: AskedAmount; readonly seconds: number };

const ALREADY_TYPED = 0x40;
const USUAL_PIN_SECONDS = 30;

/** ONLINE PIN (PROTOCOL.md 7.12). */
export function pinRequest(data: Uint8Array): Understood<PinCommand> {
  const objects = commandObjects(data);
  if (!objects.ok) return objects;
  const [flags = 0] = findTag(objects.value, tags.pinFlags) ?? [];
  if ((flags & ALREADY_TYPED) !== 0) return { ok: true, value: { is: "fetch" } };
  const amount = toHex(findTag(objects.value, tags.pinAmount) ?? new Uint8Array(0));
  const letters = ascii(findTag(objects.value, tags.pinCurrency) ?? new Uint8Array(0));
  if (!/^[0-9]{12}$/.test(amount) || !/^[A-Z]{3}$/.test(letters)) return { ok: false, statusWord: MISSING };
  const [decimals] = findTag(objects.value, tags.pinExponent) ?? [];
  const [seconds = USUAL_PIN_SECONDS] = findTag(objects.value, tags.pinSeconds) ?? [];
  const currency = `0${currencyOf(letters)?.numeric ?? "000"}`;
  return { ok: true, value: { is: "ask", amount: { amount, currency, ...(decimals !== undefined && { decimals }) }, seconds } };
}
