import { fromHex } from "../../../src/kit/hex.ts";
import type { Brand } from "./cryptogram.ts";

/** The base derivation key printed in ANSI X9.24-1:2009, annex A: public, so it protects nothing. */
export const PUBLISHED_TEST_BDK = fromHex("0123456789ABCDEFFEDCBA9876543210");

/**
 * The identity printed beside it, without the eleven bits that distinguish devices. KSNs of all simulated terminals
 * start with it.
 */
export const PUBLISHED_TEST_KSN_PREFIX = "FFFF98765432";

/** Issuer master key of the published vectors without a brand's test card, including Interac's. */
const EXAMPLE_ISSUER_KEY = fromHex("0123456789ABCDEFFEDCBA9876543210");

/**
 * Issuer master keys (application cryptograms) of the brands' published test cards; they reproduce the cryptograms in
 * test/vectors/emv-vectors.json.
 */
export const PUBLISHED_TEST_ISSUER_KEYS: Readonly<Record<Brand, Uint8Array>> = {
  visa: fromHex("2315208C9110AD402315208C9110AD40"),
  mastercard: fromHex("9E15204313F7318ACB79B90BD986AD29"),
  amex: EXAMPLE_ISSUER_KEY,
  discover: EXAMPLE_ISSUER_KEY,
  interac: EXAMPLE_ISSUER_KEY,
  jcb: EXAMPLE_ISSUER_KEY,
  unionpay: EXAMPLE_ISSUER_KEY,
};

/** Whether a KSN (hexadecimal) has the published test identity: live systems must refuse it. */
export function isPublishedTestKsn(ksn: string): boolean {
  return ksn.toUpperCase().startsWith(PUBLISHED_TEST_KSN_PREFIX);
}
