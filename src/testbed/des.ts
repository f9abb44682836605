import { createCipheriv, createDecipheriv, createSecretKey } from "node:crypto";
import { concat } from "../kit/bytes.ts";
import { toHex } from "../kit/hex.ts";

/** Bytes of one block. */
export const DES_BLOCK = 8;

/**
 * A DES key ready for use. `encrypt` and `decrypt` are ECB over whole blocks; `cbcEncrypt` and `cbcDecrypt` begin with a zero vector. All of them throw a
 * RangeError on data that is not whole blocks: padding is the caller's business.
 */
export interface DesKey {
  encrypt(data: Uint8Array): Uint8Array;
  decrypt(data: Uint8Array): Uint8Array;
  cbcEncrypt(data: Uint8Array): Uint8Array;
  cbcDecrypt(data: Uint8Array): Uint8Array;
}

/** Keys in use: terminal and issuer come by the same ones a moment after each other, and what makes a key ready costs more than what is then done with it. */
const ready = new Map<string, DesKey>();
const MOST_READY = 1024;

/** Two-key TDES (K1, K2, K1) with a key of 16 bytes. */
export function tdesKey(key: Uint8Array): DesKey {
  if (key.length !== 16) throw new RangeError(`a two-key TDES key has 16 bytes, not ${key.length}`);
  const name = toHex(key);
  const known = ready.get(name) ?? newTdesKey(key);
  if (ready.size >= MOST_READY) ready.clear();
  ready.set(name, known);
  return known;
}

/** The key is imported once: OpenSSL takes three times as long when it is given the bytes for every block. */
function newTdesKey(key: Uint8Array): DesKey {
  const secret = createSecretKey(key);
  // In ECB every block stands alone, so one context serves every call; a context is what costs time.
  let encryptor: ReturnType<typeof createCipheriv> | undefined;
  let decryptor: ReturnType<typeof createDecipheriv> | undefined;
  let chainer: ReturnType<typeof createCipheriv> | undefined;
  /** What the chainer will lay over the next block by itself. */
  let carried: Uint8Array = new Uint8Array(DES_BLOCK);
  return {
    encrypt: (data) => {
      encryptor ??= createCipheriv("des-ede-ecb", secret, null).setAutoPadding(false);
      return plainBytes(encryptor.update(wholeBlocks(data)));
    },
    decrypt: (data) => {
      decryptor ??= createDecipheriv("des-ede-ecb", secret, null).setAutoPadding(false);
      return plainBytes(decryptor.update(wholeBlocks(data)));
    },
    cbcEncrypt: (data) => {
      chainer ??= createCipheriv("des-ede-cbc", secret, new Uint8Array(DES_BLOCK)).setAutoPadding(false);
      if (data.length === 0) return data;
      // The context goes on from its last message: laid over the first block once more, that one's end falls out again, as if the vector were zero.
      const encrypted = plainBytes(chainer.update(laidOver(wholeBlocks(data), carried)));
      carried = encrypted.slice(-DES_BLOCK);
      return encrypted;
    },
    cbcDecrypt: (data) => {
      decryptor ??= createDecipheriv("des-ede-ecb", secret, null).setAutoPadding(false);
      const blocks = plainBytes(decryptor.update(wholeBlocks(data)));
      for (let at = DES_BLOCK; at < blocks.length; at += 1) blocks[at] = (blocks[at] ?? 0) ^ (data[at - DES_BLOCK] ?? 0);
      return blocks;
    },
  };
}

function laidOver(data: Uint8Array, block: Uint8Array): Uint8Array {
  const changed = data.slice();
  for (let at = 0; at < DES_BLOCK; at += 1) changed[at] = (data[at] ?? 0) ^ (block[at] ?? 0);
  return changed;
}

/** Single DES with a key of 8 bytes. OpenSSL 3 refuses it by name; TDES with equal halves is the same cipher. */
export function singleDesKey(key: Uint8Array): DesKey {
  return tdesKey(concat(key, key));
}

function wholeBlocks(data: Uint8Array): Uint8Array {
  if (data.length % DES_BLOCK !== 0) throw new RangeError(`${data.length} bytes are not whole DES blocks`);
  return data;
}

function plainBytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}

/** ISO 9797-1 padding method 1: zeros up to whole blocks, nothing where they are whole already. */
export function zeroPad(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(data.length / DES_BLOCK) * DES_BLOCK);
  padded.set(data);
  return padded;
}

/** ISO 9797-1 padding method 2: always 80, then zeros up to whole blocks. */
export function bitPad(data: Uint8Array): Uint8Array {
  return zeroPad(concat(data, Uint8Array.of(0x80)));
}

/** What stands before the padding of method 2; undefined where it is not padded so. */
export function bitUnpadded(data: Uint8Array): Uint8Array | undefined {
  const mark = data.lastIndexOf(0x80);
  const isPadding = mark >= data.length - DES_BLOCK && mark !== -1 && data.subarray(mark + 1).every((byte) => byte === 0x00);
  return isPadding ? data.subarray(0, mark) : undefined;
}

/** ISO 9797-1 MAC algorithm 3 with single DES (the retail MAC of X9.19), all eight bytes, over data that is padded already. */
export interface RetailMac {
  mac(padded: Uint8Array): Uint8Array;
}

export function retailMac(key: Uint8Array): RetailMac {
  const left = singleDesKey(key.subarray(0, 8));
  const both = tdesKey(key);
  return {
    mac: (padded) => {
      // All blocks but the last under the left half; then the last one under left, right and left, which is TDES.
      const chained = left.cbcEncrypt(padded.subarray(0, -DES_BLOCK)).slice(-DES_BLOCK);
      return both.encrypt(laidOver(padded.subarray(-DES_BLOCK), chained.length === 0 ? new Uint8Array(DES_BLOCK) : chained));
    },
  };
}

/** The same key with bit 1 of every byte set so that each byte holds an odd number of ones. DES ignores that bit; keys are stored and compared with it. */
export function oddParity(key: Uint8Array): Uint8Array {
  return key.map((byte) => {
    const upper = byte & 0xfe;
    return upper | (onesIn(upper) % 2 === 0 ? 1 : 0);
  });
}

/** How many bits of a number below 2^32 are set. */
export function onesIn(value: number): number {
  let ones = 0;
  for (let rest = value >>> 0; rest !== 0; rest &= rest - 1) ones += 1;
  return ones;
}

/** Key check value: the first three bytes of eight zero bytes under the key. */
export function keyCheckValue(key: Uint8Array): Uint8Array {
  return tdesKey(key).encrypt(new Uint8Array(DES_BLOCK)).slice(0, 3);
}
