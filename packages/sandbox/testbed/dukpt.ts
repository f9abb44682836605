import { concat, xor } from "../../../src/kit/bytes.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import { singleDesKey, tdesKey } from "./des.ts";
import { ksnCounter, withCounter } from "./ksn.ts";

/** ANSI X9.24-1, A.2: mask of the key for deriving the next key's left half. */
const HALF_MASK = fromHex("C0C0C0C000000000");
const KEY_MASK = concat(HALF_MASK, HALF_MASK);

/**
 * Use of a transaction key. For card data X9.24-1:2009 encrypts the masked key under itself ("data-request"); some
 * readers omit that step, some use the PIN variant (sred-layouts).
 */
export type DukptUse =
  | "pin"
  | "mac-request"
  | "mac-response"
  | "data-request"
  | "data-request-unhashed"
  | "data-response";

/** X9.24-1, A.4.1, for both key halves. */
const USES: Readonly<Record<DukptUse, { readonly mask: Uint8Array; readonly hashed: boolean }>> = {
  pin: { mask: fromHex("00000000000000FF00000000000000FF"), hashed: false },
  "mac-request": { mask: fromHex("000000000000FF00000000000000FF00"), hashed: false },
  "mac-response": { mask: fromHex("00000000FF00000000000000FF000000"), hashed: false },
  "data-request": { mask: fromHex("0000000000FF00000000000000FF0000"), hashed: true },
  "data-request-unhashed": { mask: fromHex("0000000000FF00000000000000FF0000"), hashed: false },
  "data-response": { mask: fromHex("000000FF00000000000000FF00000000"), hashed: true },
};

/** Initial key of a device, from base derivation key and KSN without its counter. X9.24-1, A.6. */
export function initialKey(bdk: Uint8Array, ksn: Uint8Array): Uint8Array {
  const identity = withCounter(ksn, 0).subarray(0, 8);
  return concat(tdesKey(bdk).encrypt(identity), tdesKey(xor(bdk, KEY_MASK)).encrypt(identity));
}

/**
 * Transaction keys of one device. It caches the derivation path: successive counters share most steps (X9.24-1, A.3),
 * and each step costs two new DES keys.
 */
export function keyChain(initial: Uint8Array): (ksn: Uint8Array) => Uint8Array {
  const path: { readonly reached: number; readonly key: Uint8Array }[] = [];
  return (ksn) => {
    const counter = ksnCounter(ksn);
    let key = initial;
    let reached = 0;
    let depth = 0;
    for (let bit = 0x10_0000; bit > 0; bit >>= 1) {
      if ((counter & bit) === 0) continue;
      reached |= bit;
      const known = path[depth];
      if (known?.reached === reached) {
        key = known.key;
      } else {
        key = step(key, withCounter(ksn, reached).subarray(2));
        path.splice(depth, path.length, { reached, key });
      }
      depth += 1;
    }
    return key;
  };
}

/** Transaction key of a KSN. X9.24-1, A.3. */
export function transactionKey(initial: Uint8Array, ksn: Uint8Array): Uint8Array {
  return keyChain(initial)(ksn);
}

function step(key: Uint8Array, register: Uint8Array): Uint8Array {
  return concat(half(xor(key, KEY_MASK), register), half(key, register));
}

function half(key: Uint8Array, register: Uint8Array): Uint8Array {
  const right = key.subarray(8, 16);
  return xor(singleDesKey(key.subarray(0, 8)).encrypt(xor(register, right)), right);
}

/** Working key of a transaction for one use. */
export function workingKey(transaction: Uint8Array, use: DukptUse): Uint8Array {
  const { mask, hashed } = USES[use];
  const masked = xor(transaction, mask);
  return hashed ? tdesKey(masked).encrypt(masked) : masked;
}

/** Working key for a received KSN: base, initial, transaction and working key in one call. */
export function hostKey(bdk: Uint8Array, ksn: Uint8Array, use: DukptUse): Uint8Array {
  return workingKey(transactionKey(initialKey(bdk, ksn), ksn), use);
}
