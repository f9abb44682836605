import { toHex } from "./hex.ts";
import type { Random } from "./random.ts";

/** A payment's own id, `pay_` and 24 hexadecimal digits: 96 random bits, so that two bridges never meet in one. */
export function newPaymentId(random: Random): string {
  return `pay_${toHex(random.bytes(12)).toLowerCase()}`;
}

/** One for every attempt at the gateway: 32 hexadecimal digits (specification, "Basic payment parameters": 8-255 characters). */
export function newMerchantTransactionId(random: Random): string {
  return toHex(random.bytes(16)).toLowerCase();
}
