import type { CollectRequest } from "../../src/card/command.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import type { Device } from "./flow.ts";

/*
 * The device's currency is part of its configuration; no message sets or reads it. An amount in another currency would
 * be shown and paid as the device's own (PROTOCOL.md 6.12).
 */

/** The currency in a chip's objects (5F2A). */
export function currencyIn(objects: readonly Tlv[]): Pick<Device, "currency"> {
  const told = toHex(findTag(objects, "5F2A") ?? new Uint8Array(0));
  return /^0[0-9]{3}$/.test(told) ? { currency: told.slice(1) } : {};
}

type Of = Pick<CollectRequest, "currencyCode" | "currencyNumeric">;
type Known = Pick<Device, "options" | "currency" | "usedIn">;

/** Why this currency must not be used: the device is known to work in another one. */
export function otherCurrency({ currencyCode, currencyNumeric }: Of, { options, currency }: Known): string | undefined {
  if (options.currency !== "" && options.currency !== currencyCode) {
    return `the device works in ${options.currency} (option currency), the payment is in ${currencyCode}`;
  }
  if (currency === undefined || currency === currencyNumeric) return undefined;
  return `the device works in currency ${currency} (5F2A), the payment in ${currencyNumeric}: have one of them changed`;
}

/**
 * The same check for tracks and keyed numbers, which carry no currency. Without a configured currency, the one of
 * earlier payments counts.
 */
export function unsureCurrency(request: Of, known: Known): string | undefined {
  const { options, currency, usedIn = request.currencyNumeric } = known;
  const other = otherCurrency(request, known);
  if (other !== undefined || options.currency !== "" || currency !== undefined || usedIn === request.currencyNumeric)
    return other;
  return `in which currency the device works is not known, no chip has told it (5F2A) yet, and payments before were in ${usedIn}: set the option currency`;
}
