import { concat, xor } from "../kit/bytes.ts";
import { fromHex } from "../kit/hex.ts";
import { singleDesKey, tdesKey } from "./des.ts";
import { ksnCounter, withCounter } from "./ksn.ts";

/** ANSI X9.24-1, A.2: what the right half of a key is changed with to derive the left half of the next one. */
const HALF_MASK = fromHex("C0C0C0C000000000");
const KEY_MASK = concat(HALF_MASK, HALF_MASK);

/**
 * What a transaction key is used for. Readers do not agree about card data: X9.24-1:2009 encrypts the masked key under itself ("data-request"); some leave that
 * step out ("data-request-unhashed"), some use the PIN variant. Which one a device uses stands in sred-layouts.
 */
export type DukptUse = "pin" | "mac-request" | "mac-response" | "data-request" | "data-request-unhashed" | "data-response";

/** X9.24-1, A.4.1, for each half of the key. */
const USES: Readonly<Record<DukptUse, { readonly mask: Uint8Array; readonly hashed: boolean }>> = {
  pin: { mask: fromHex("00000000000000FF00000000000000FF"), hashed: false },
  "mac-request": { mask: fromHex("000000000000FF00000000000000FF00"), hashed: false },
  "mac-response": { mask: fromHex("00000000FF00000000000000FF000000"), hashed: false },
  "data-request": { mask: fromHex("0000000000FF00000000000000FF0000"), hashed: true },
  "data-request-unhashed": { mask: fromHex("0000000000FF00000000000000FF0000"), hashed: false },
  "data-response": { mask: fromHex("000000FF00000000000000FF00000000"), hashed: true },
};

/** The key a device was loaded with: from the base derivation key and its KSN (of which the counter does not matter). X9.24-1, A.6. */
export function initialKey(bdk: Uint8Array, ksn: Uint8Array): Uint8Array {
  const identity = withCounter(ksn, 0).subarray(0, 8);
  return concat(tdesKey(bdk).encrypt(identity), tdesKey(xor(bdk, KEY_MASK)).encrypt(identity));
}

/**
 * The transaction keys of one device. It remembers the way to its last key: counters that follow each other share most of their steps (X9.24-1, A.3), and each
 * step costs two fresh DES keys.
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

/** The key of the one transaction that the KSN names. X9.24-1, A.3. */
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

/** The key of a transaction for one use. */
export function workingKey(transaction: Uint8Array, use: DukptUse): Uint8Array {
  const { mask, hashed } = USES[use];
  const masked = xor(transaction, mask);
  return hashed ? tdesKey(masked).encrypt(masked) : masked;
}

/** What a host does with a KSN that a device sent: base key, initial key, transaction key, working key in one. */
export function hostKey(bdk: Uint8Array, ksn: Uint8Array, use: DukptUse): Uint8Array {
  return workingKey(transactionKey(initialKey(bdk, ksn), ksn), use);
}
