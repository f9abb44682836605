import { toHex } from "../kit/hex.ts";
import { Secret } from "../kit/secret.ts";
import type { Sealed } from "./card-data.ts";

/** Bytes of a key serial number: TDES DUKPT (X9.24-1) and AES DUKPT (X9.24-3). */
const KSN_SIZES: readonly number[] = [10, 12];
/** The specification's limit for ciphertext; no card needs more. */
const MOST_SEALED = 1024;
const BLOCK = 8;

/**
 * Ciphertext with its key serial number; undefined if either has a wrong length. `sent`: the ciphertext inside the
 * device's own form, if the gateway needs more than the blocks.
 */
export function sealedOf(data: Uint8Array, ksn: Uint8Array, sent: Uint8Array = data): Sealed | undefined {
  const isCiphertext = data.length > 0 && data.length % BLOCK === 0 && sent.length <= MOST_SEALED;
  return isCiphertext && KSN_SIZES.includes(ksn.length)
    ? { data: new Secret(toHex(sent)), ksn: toHex(ksn) }
    : undefined;
}
