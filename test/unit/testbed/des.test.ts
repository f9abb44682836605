import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bitPad,
  keyCheckValue,
  oddParity,
  onesIn,
  retailMac,
  singleDesKey,
  tdesKey,
  zeroPad,
} from "../../../packages/sandbox/testbed/des.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { vector } from "./vectors.ts";

const key16 = fc.uint8Array({ minLength: 16, maxLength: 16 });
const blocks = fc
  .integer({ min: 0, max: 5 })
  .chain((count) => fc.uint8Array({ minLength: count * 8, maxLength: count * 8 }));

describe("DES against published values", () => {
  test("two-key TDES encrypts the published block", () => {
    const published = vector("tdes.ecb");
    expect(toHex(tdesKey(published.input("key")).encrypt(published.input("data")))).toBe(
      published.outputText("ciphertext"),
    );
  });
  test("TDES with equal halves is single DES", () => {
    const published = vector("des.single");
    expect(toHex(singleDesKey(published.input("key")).encrypt(published.input("data")))).toBe(
      published.outputText("ciphertext"),
    );
  });
  test("parity is made odd", () => {
    const published = vector("des.parity");
    expect(toHex(oddParity(published.input("key")))).toBe(published.outputText("key"));
  });
  test("the key check value is the published one", () => {
    const published = vector("des.kcv");
    expect(toHex(keyCheckValue(published.input("key")))).toBe(published.outputText("kcv3"));
  });
  test.each([
    ["mac.alg3.pad1", zeroPad],
    ["mac.alg3.pad2", bitPad],
    ["mac.alg3.pad2.aligned", bitPad],
  ] as const)("%s", (id, pad) => {
    const published = vector(id);
    const padded = pad(published.input("message"));
    expect(toHex(padded)).toBe(published.inputText("padded"));
    expect(toHex(retailMac(published.input("key")).mac(padded))).toBe(published.outputText("mac"));
  });
});

test("decryption undoes encryption, in ECB and CBC, however often a key is used", () => {
  fc.assert(
    fc.property(key16, fc.array(blocks, { minLength: 1, maxLength: 4 }), (bytes, messages) => {
      const key = tdesKey(bytes);
      for (const message of messages) {
        expect(toHex(key.decrypt(key.encrypt(message)))).toBe(toHex(message));
        expect(toHex(key.cbcDecrypt(key.cbcEncrypt(message)))).toBe(toHex(message));
      }
    }),
    { numRuns: 40 },
  );
});

test("equal blocks look equal in ECB and different in CBC", () => {
  const key = tdesKey(fromHex("0123456789ABCDEFFEDCBA9876543210"));
  const ecb = toHex(key.encrypt(new Uint8Array(16)));
  const cbc = toHex(key.cbcEncrypt(new Uint8Array(16)));
  expect(ecb.slice(0, 16)).toBe(ecb.slice(16));
  expect(cbc.slice(0, 16)).not.toBe(cbc.slice(16));
});

test("data that is not whole blocks and keys of another length are refused", () => {
  const key = tdesKey(new Uint8Array(16));
  expect(() => key.encrypt(new Uint8Array(7))).toThrow("7 bytes are not whole DES blocks");
  expect(() => tdesKey(new Uint8Array(8))).toThrow("16 bytes, not 8");
});

test("every byte with odd parity holds an odd number of ones and keeps its upper seven bits", () => {
  for (let byte = 0; byte < 256; byte += 1) {
    const adjusted = oddParity(Uint8Array.of(byte))[0] ?? 0;
    expect(onesIn(adjusted) % 2).toBe(1);
    expect(adjusted & 0xfe).toBe(byte & 0xfe);
  }
});
