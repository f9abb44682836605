import { findTag, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import type { HostAnswer, KernelRequest } from "../../src/testbed/contact-kernel.ts";
import { tags } from "./message.ts";

/** A command's data as the device understood it, or the status word it answers. */
export type Understood<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly statusWord: string };

const INVALID = "9F21";
const MISSING = "9F27";
const PIN_INVALID = "9F0F";

/** The objects inside the one E0 of a command's data. */
export function commandObjects(data: Uint8Array): Understood<readonly Tlv[]> {
  const outer = parseTlv(data);
  const [e0, ...more] = outer.ok ? outer.objects : [];
  const inner = e0?.tag === "E0" && more.length === 0 ? parseTlv(e0.value) : undefined;
  return inner?.ok ? { ok: true, value: inner.objects } : { ok: false, statusWord: INVALID };
}

/** START TRANSACTION: what must be there, with the length and the digits it must have. */
const START_FIELDS = [
  ["9C", 1],
  ["9F02", 6],
  ["9A", 3],
  ["9F21", 3],
  ["5F2A", 2],
] as const;

export interface StartRequest extends Omit<KernelRequest, "unpredictableNumber" | "sequence"> {
  /** 5F36, where the host names it. */
  readonly decimals?: number;
}

export function startRequest(data: Uint8Array): Understood<StartRequest> {
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
  const text = (tag: (typeof START_FIELDS)[number][0]): string => values.get(tag) ?? "";
  const [decimals] = findTag(objects.value, "5F36") ?? [];
  return {
    ok: true,
    value: {
      type: text("9C"),
      amount: text("9F02"),
      date: text("9A"),
      time: text("9F21"),
      currency: text("5F2A"),
      ...(decimals !== undefined && { decimals }),
    },
  };
}

/** DFFF01: how many seconds the host lets the device wait; undefined where it says nothing. */
export function secondsIn(data: Uint8Array): number | undefined {
  const objects = commandObjects(data);
  const value = objects.ok ? findTag(objects.value, tags.seconds) : undefined;
  return value?.length === 2 ? ((value[0] ?? 0) << 8) | (value[1] ?? 0) : undefined;
}

/** ONLINE PIN: amount and currency to show, and the masked track of the card it is for (PROTOCOL.md 7.12). */
export interface PinCommand extends Pick<StartRequest, "amount" | "currency"> {
  readonly track: string;
}

export function pinRequest(data: Uint8Array): Understood<PinCommand> {
  const objects = commandObjects(data);
  if (!objects.ok) return { ok: false, statusWord: PIN_INVALID };
  const digits = (tag: string): string => toHex(findTag(objects.value, tag) ?? new Uint8Array(0));
  const [amount, currency] = [digits("9F02"), digits("5F2A")];
  const track = findTag(objects.value, tags.maskedSwipe);
  if (!/^[0-9]{12}$/.test(amount) || !/^[0-9]{4}$/.test(currency) || track === undefined || findTag(objects.value, "50") === undefined) {
    return { ok: false, statusWord: PIN_INVALID };
  }
  return { ok: true, value: { amount, currency, track: ascii(track) } };
}

/** CONTINUE TRANSACTION: 8A is mandatory, 91, 71 and 72 may be there (PROTOCOL.md 7.5). */
export function continueRequest(data: Uint8Array): Understood<HostAnswer> {
  const objects = commandObjects(data);
  if (!objects.ok) return objects;
  const responseCode = findTag(objects.value, "8A");
  if (responseCode === undefined) return { ok: false, statusWord: MISSING };
  if (responseCode.length !== 2) return { ok: false, statusWord: INVALID };
  const authentication = findTag(objects.value, "91");
  const scripts = objects.value.filter(({ tag }) => tag === "71" || tag === "72").map(({ value }) => value);
  return { ok: true, value: { responseCode, ...(authentication && { authentication }), scripts } };
}
