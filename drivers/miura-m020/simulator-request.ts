import type { HostAnswer } from "../../packages/sandbox/testbed/contact-kernel.ts";
import { findTag, parseTlv, type Tlv } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import { hostAnswer, objectsInside, type StartedBy, startFields, type Understood } from "../vipa/simulator-request.ts";
import { tags } from "./message.ts";

const PIN_INVALID = "9F0F";

/** The objects inside the one E0 of a command's data. */
export const commandObjects = (data: Uint8Array): Understood<readonly Tlv[]> => objectsInside(parseTlv, data);

export interface StartRequest extends StartedBy {
  /** 5F36, if the host sends it. */
  readonly decimals?: number;
}

export function startRequest(data: Uint8Array): Understood<StartRequest> {
  const objects = commandObjects(data);
  const fields = objects.ok ? startFields(objects.value) : objects;
  if (!objects.ok || !fields.ok) return fields;
  const [decimals] = findTag(objects.value, "5F36") ?? [];
  return { ok: true, value: { ...fields.value, ...(decimals !== undefined && { decimals }) } };
}

/** DFFF01: the host's limit for the device, in seconds; undefined without one. */
export function secondsIn(data: Uint8Array): number | undefined {
  const objects = commandObjects(data);
  const value = objects.ok ? findTag(objects.value, tags.seconds) : undefined;
  return value?.length === 2 ? ((value[0] ?? 0) << 8) | (value[1] ?? 0) : undefined;
}

/** ONLINE PIN: amount and currency to show, and the masked track of its card (PROTOCOL.md 7.12). */
export interface PinCommand extends Pick<StartRequest, "amount" | "currency"> {
  readonly track: string;
}

export function pinRequest(data: Uint8Array): Understood<PinCommand> {
  const objects = commandObjects(data);
  if (!objects.ok) return { ok: false, statusWord: PIN_INVALID };
  const digits = (tag: string): string => toHex(findTag(objects.value, tag) ?? new Uint8Array(0));
  const [amount, currency] = [digits("9F02"), digits("5F2A")];
  const track = findTag(objects.value, tags.maskedSwipe);
  if (
    !/^[0-9]{12}$/.test(amount) ||
    !/^[0-9]{4}$/.test(currency) ||
    track === undefined ||
    findTag(objects.value, "50") === undefined
  ) {
    return { ok: false, statusWord: PIN_INVALID };
  }
  return { ok: true, value: { amount, currency, track: ascii(track) } };
}

export function continueRequest(data: Uint8Array): Understood<HostAnswer> {
  const objects = commandObjects(data);
  return objects.ok ? hostAnswer(objects.value) : objects;
}
