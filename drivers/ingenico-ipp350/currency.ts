import type { CollectRequest } from "../../src/card/command.ts";
import { findTag, type Tlv } from "../../src/emv/tlv.ts";
import { toHex } from "../../src/kit/hex.ts";
import type { Device } from "./flow.ts";

/*
 * The currency is of the device's own configuration, and no message sets or asks for it: an amount of another one is shown, and paid, as if it were of the device's
 * (PROTOCOL.md 6.12).
 */

/** What a chip's objects tell of it (5F2A). */
export function currencyIn(objects: readonly Tlv[]): Pick<Device, "currency"> {
  const told = toHex(findTag(objects, "5F2A") ?? new Uint8Array(0));
  return /^0[0-9]{3}$/.test(told) ? { currency: told.slice(1) } : {};
}

type Of = Pick<CollectRequest, "currencyCode" | "currencyNumeric">;
type Known = Pick<Device, "options" | "currency" | "usedIn">;

/** Why no card is to be asked for, or used, in this currency: the device is known to work in another one. */
export function otherCurrency({ currencyCode, currencyNumeric }: Of, { options, currency }: Known): string | undefined {
  if (options.currency !== "" && options.currency !== currencyCode) {
    return `the device works in ${options.currency} (option currency), the payment is in ${currencyCode}`;
  }
  if (currency === undefined || currency === currencyNumeric) return undefined;
  return `the device works in currency ${currency} (5F2A), the payment in ${currencyNumeric}: have one of them changed`;
}

/** The same for what tells none: tracks and typed numbers. A shop that works in one currency need not name it: where nobody has, that of its payments counts. */
export function unsureCurrency(request: Of, known: Known): string | undefined {
  const { options, currency, usedIn = request.currencyNumeric } = known;
  const other = otherCurrency(request, known);
  if (other !== undefined || options.currency !== "" || currency !== undefined || usedIn === request.currencyNumeric) return other;
  return `in which currency the device works is not known, no chip has told it (5F2A) yet, and payments before were in ${usedIn}: set the option currency`;
}
