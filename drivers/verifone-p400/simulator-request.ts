import type { HostAnswer } from "../../packages/sandbox/testbed/contact-kernel.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { ascii } from "../../src/kit/bytes.ts";
import { toHex } from "../../src/kit/hex.ts";
import { currencyOf } from "../../src/kit/money.ts";
import type { AskedAmount } from "../../src/simulator/request-text.ts";
import type { SessionRequest } from "../../src/simulator/session-contract.ts";
import { hostAnswer, MISSING, objectsInside, startFields, type Understood } from "../vipa/simulator-request.ts";
import { parseObjects, tags } from "./message.ts";

/** The objects inside the one E0 of a command's data. */
const commandObjects = (data: Uint8Array): Understood<readonly Tlv[]> => objectsInside(parseObjects, data);

export function startRequest(data: Uint8Array): Understood<SessionRequest> {
  const objects = commandObjects(data);
  return objects.ok ? startFields(objects.value) : objects;
}

/** The host's decision on the card's data: C0 of the first CONTINUE (PROTOCOL.md 7.3). */
export function decisionIn(data: Uint8Array): Understood<boolean> {
  const objects = commandObjects(data);
  if (!objects.ok) return objects;
  const [decision] = findTag(objects.value, tags.decision) ?? [];
  return decision === undefined ? { ok: false, statusWord: MISSING } : { ok: true, value: decision === 0x01 };
}

const NOT_APPROVED = Uint8Array.of(0x30, 0x35);

/** The second CONTINUE, and CONTINUE CONTACTLESS: C0 other than 01 requests an AAC, for any 8A (PROTOCOL.md 7.5). */
export function continueRequest(data: Uint8Array): Understood<HostAnswer> {
  const objects = commandObjects(data);
  const answer = objects.ok ? hostAnswer(objects.value) : objects;
  if (!objects.ok || !answer.ok) return answer;
  const decision = findTag(objects.value, tags.decision)?.[0];
  const isRefused = decision === 0x00 && /^(00|10|11)$/.test(ascii(answer.value.responseCode));
  return isRefused ? { ok: true, value: { ...answer.value, responseCode: NOT_APPROVED } } : answer;
}

export type PinCommand =
  | { readonly is: "fetch" }
  | { readonly is: "ask"; readonly amount: AskedAmount; readonly seconds: number };

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
  return {
    ok: true,
    value: { is: "ask", amount: { amount, currency, ...(decimals !== undefined && { decimals }) }, seconds },
  };
}
