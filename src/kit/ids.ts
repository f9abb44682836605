import { toHex } from "./hex.ts";
import type { Random } from "./random.ts";

/** A payment's own id, `pay_` and 24 hexadecimal digits: 96 random bits, so that two bridges never meet in one. */
export function newPaymentId(random: Random): string {
  return `pay_${toHex(random.bytes(12)).toLowerCase()}`;
}

const NAME_DIGITS = 32;

/**
 * One for every attempt at the gateway: 32 hexadecimal digits (specification, "Basic payment parameters": 8-255 characters). `begins`: an even number of digits by which it is recognised;
 * the others are random.
 */
export function newMerchantTransactionId(random: Random, begins = ""): string {
  return `${begins}${toHex(random.bytes((NAME_DIGITS - begins.length) / 2)).toLowerCase()}`;
}

/** The gateway's ids are 32 letters or digits (specification, "Resources"); what is held to here is that one is a single safe step of a path. */
export function isGatewayId(id: string): boolean {
  return /^[A-Za-z0-9]{1,64}$/.test(id);
}
