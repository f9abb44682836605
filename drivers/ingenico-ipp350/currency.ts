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
type Known = Pick<Device, "options" | "currency">;

/** Why no card is to be asked for, or used, in this currency: the device is known to work in another one. */
export function otherCurrency({ currencyCode, currencyNumeric }: Of, { options, currency }: Known): string | undefined {
  if (options.currency !== "" && options.currency !== currencyCode) {
    return `the device works in ${options.currency} (option currency), the payment is in ${currencyCode}`;
  }
  if (currency === undefined || currency === currencyNumeric) return undefined;
  return `the device works in currency ${currency} (5F2A), the payment in ${currencyNumeric}: have one of them changed`;
}

/** The same where nobody has vouched for any: tracks and typed numbers tell none. */
export function unsureCurrency(request: Of, known: Known): string | undefined {
  const other = otherCurrency(request, known);
  if (other !== undefined || known.options.currency !== "" || known.currency !== undefined) return other;
  return "in which currency the device works is not known, no chip has told it (5F2A) yet: set the option currency";
}
