import { createCipheriv, createDecipheriv, createSecretKey } from "node:crypto";
import { concat } from "../../../src/kit/bytes.ts";
import { toHex } from "../../../src/kit/hex.ts";

/** Block size in bytes. */
export const DES_BLOCK = 8;

/**
 * A DES key: ECB over whole blocks; CBC with a zero vector. Throws a RangeError on incomplete blocks, because padding
 * is the caller's task.
 */
export interface DesKey {
  encrypt(data: Uint8Array): Uint8Array;
  decrypt(data: Uint8Array): Uint8Array;
  cbcEncrypt(data: Uint8Array): Uint8Array;
  cbcDecrypt(data: Uint8Array): Uint8Array;
}

/**
 * Cache of keys: terminal and issuer derive the same ones in succession, and setting up a key costs more than using it.
 */
const ready = new Map<string, DesKey>();
const MOST_READY = 1024;

/** Two-key TDES (K1, K2, K1), key of 16 bytes. */
export function tdesKey(key: Uint8Array): DesKey {
  if (key.length !== 16) throw new RangeError(`a two-key TDES key has 16 bytes, not ${key.length}`);
  const name = toHex(key);
  const known = ready.get(name) ?? newTdesKey(key);
  if (ready.size >= MOST_READY) ready.clear();
  ready.set(name, known);
  return known;
}

/** The key is imported once: passing its bytes for every block makes OpenSSL three times slower. */
function newTdesKey(key: Uint8Array): DesKey {
  const secret = createSecretKey(key);
  // ECB blocks are independent, so one context serves all calls; creating a context is slow.
  let encryptor: ReturnType<typeof createCipheriv> | undefined;
  let decryptor: ReturnType<typeof createDecipheriv> | undefined;
  let chainer: ReturnType<typeof createCipheriv> | undefined;
  /** The block that the CBC context will combine with the next one. */
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
      // The context continues from its last message. Combining the first block with that message's last block cancels
      // it, as with a zero vector.
      const encrypted = plainBytes(chainer.update(laidOver(wholeBlocks(data), carried)));
      carried = encrypted.slice(-DES_BLOCK);
      return encrypted;
    },
    cbcDecrypt: (data) => {
      decryptor ??= createDecipheriv("des-ede-ecb", secret, null).setAutoPadding(false);
      const blocks = plainBytes(decryptor.update(wholeBlocks(data)));
      for (let at = DES_BLOCK; at < blocks.length; at += 1)
        blocks[at] = (blocks[at] ?? 0) ^ (data[at - DES_BLOCK] ?? 0);
      return blocks;
    },
  };
}

function laidOver(data: Uint8Array, block: Uint8Array): Uint8Array {
  const changed = data.slice();
  for (let at = 0; at < DES_BLOCK; at += 1) changed[at] = (data[at] ?? 0) ^ (block[at] ?? 0);
  return changed;
}

/** Single DES, key of 8 bytes. OpenSSL 3 rejects it by name; TDES with equal halves is the same cipher. */
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

/** ISO 9797-1 padding method 1: zeros up to whole blocks, none if already whole. */
export function zeroPad(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(data.length / DES_BLOCK) * DES_BLOCK);
  padded.set(data);
  return padded;
}

/** ISO 9797-1 padding method 2: always 80, then zeros up to whole blocks. */
export function bitPad(data: Uint8Array): Uint8Array {
  return zeroPad(concat(data, Uint8Array.of(0x80)));
}

/** The data before padding method 2; undefined: no such padding. */
export function bitUnpadded(data: Uint8Array): Uint8Array | undefined {
  const mark = data.lastIndexOf(0x80);
  const isPadding =
    mark >= data.length - DES_BLOCK && mark !== -1 && data.subarray(mark + 1).every((byte) => byte === 0x00);
  return isPadding ? data.subarray(0, mark) : undefined;
}

/** ISO 9797-1 MAC algorithm 3 with single DES (retail MAC of X9.19), eight bytes, over padded data. */
export interface RetailMac {
  mac(padded: Uint8Array): Uint8Array;
}

export function retailMac(key: Uint8Array): RetailMac {
  const left = singleDesKey(key.subarray(0, 8));
  const both = tdesKey(key);
  return {
    mac: (padded) => {
      // All blocks but the last under the left half; the last under left, right and left, which is TDES.
      const chained = left.cbcEncrypt(padded.subarray(0, -DES_BLOCK)).slice(-DES_BLOCK);
      return both.encrypt(
        laidOver(padded.subarray(-DES_BLOCK), chained.length === 0 ? new Uint8Array(DES_BLOCK) : chained),
      );
    },
  };
}

/** Sets bit 1 of every byte for odd parity. DES ignores that bit, but keys are stored and compared with it. */
export function oddParity(key: Uint8Array): Uint8Array {
  return key.map((byte) => {
    const upper = byte & 0xfe;
    return upper | (onesIn(upper) % 2 === 0 ? 1 : 0);
  });
}

/** Number of set bits of a number below 2^32. */
export function onesIn(value: number): number {
  let ones = 0;
  for (let rest = value >>> 0; rest !== 0; rest &= rest - 1) ones += 1;
  return ones;
}

/** Key check value: first three bytes of eight encrypted zero bytes. */
export function keyCheckValue(key: Uint8Array): Uint8Array {
  return tdesKey(key).encrypt(new Uint8Array(DES_BLOCK)).slice(0, 3);
}
