import { toHex } from "./hex.ts";
import type { Random } from "./random.ts";

/** `pay_` and 24 hexadecimal digits: 96 random bits, so that two bridges never make the same id. */
export function newPaymentId(random: Random): string {
  return `pay_${toHex(random.bytes(12)).toLowerCase()}`;
}

const NAME_DIGITS = 32;

/**
 * A new name for each attempt: 32 hexadecimal digits (specification, "Basic payment parameters": 8-255 characters).
 * `begins`, an even number of digits, identifies the bridge; the others are random.
 */
export function newMerchantTransactionId(random: Random, begins = ""): string {
  return `${begins}${toHex(random.bytes((NAME_DIGITS - begins.length) / 2)).toLowerCase()}`;
}

/**
 * The gateway's ids are 32 letters or digits (specification, "Resources"). This check only ensures a single safe step
 * of a path.
 */
export function isGatewayId(id: string): boolean {
  return /^[A-Za-z0-9]{1,64}$/.test(id);
}
