import fc from "fast-check";
import { expect, test } from "vitest";
import { tdesKey } from "../../../packages/sandbox/testbed/des.ts";
import { hostKey } from "../../../packages/sandbox/testbed/dukpt.ts";
import { ksnCounter, withCounter } from "../../../packages/sandbox/testbed/ksn.ts";
import {
  createMemory,
  emptyMemoryImage,
  type MemoryImage,
  memoryImageSchema,
} from "../../../packages/sandbox/testbed/memory.ts";
import { decodePinBlock } from "../../../packages/sandbox/testbed/pin-block.ts";
import type { SealedBytes } from "../../../packages/sandbox/testbed/sealed-bytes.ts";
import { createSecureModule, type SecureModule } from "../../../packages/sandbox/testbed/secure-module.ts";
import { type SredLayout, sredLayoutOf } from "../../../packages/sandbox/testbed/sred-layouts.ts";
import { openSred } from "../../../packages/sandbox/testbed/sred-opening.ts";
import { isPublishedTestKsn, PUBLISHED_TEST_BDK } from "../../../packages/sandbox/testbed/test-keys.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { seededRandom } from "../../../src/kit/seeded-random.ts";

const PAN = "4761340000000050";
const card = [{ tag: "57", value: fromHex(`${PAN}D311220100000000`) }];

function layout(): SredLayout {
  const found = sredLayoutOf("MIURA_M020");
  if (found === undefined) throw new Error("no layout");
  return found;
}

function sealed(bytes: SealedBytes | undefined): SealedBytes {
  if (bytes === undefined) throw new Error("no key left");
  return bytes;
}

const fresh = (seed: number): SecureModule => createSecureModule(seededRandom(seed), createMemory(emptyMemoryImage));

test("a host with the published key opens what the module sealed, at whatever start", () => {
  fc.assert(
    fc.property(fc.integer(), fc.stringMatching(/^[0-9]{4,6}$/), (seed, pin) => {
      const secure = fresh(seed);
      for (let round = 0; round < 3; round += 1) {
        const block = sealed(secure.sealPin(pin, PAN));
        expect(decodePinBlock(tdesKey(hostKey(PUBLISHED_TEST_BDK, block.ksn, "pin")).decrypt(block.data), PAN)).toEqual(
          { ok: true, pin },
        );
        const data = sealed(secure.sealCard(layout(), card));
        expect(openSred(layout(), hostKey(PUBLISHED_TEST_BDK, data.ksn, "data-request"), data.data)).toEqual({
          ok: true,
          card: { pan: PAN, expiry: "3112" },
        });
      }
    }),
    { numRuns: 25 },
  );
});

test("PIN and SRED are two series of the published test identity, and each rises", () => {
  const secure = fresh(7);
  const pins = [1, 2, 3].map(() => sealed(secure.sealPin("1234", PAN)).ksn);
  const sreds = [1, 2, 3].map(() => sealed(secure.sealCard(layout(), card)).ksn);
  const identity = (ksn: Uint8Array) => toHex(withCounter(ksn, 0));
  expect(new Set(pins.map(identity)).size).toBe(1);
  expect(new Set([...pins, ...sreds].map(identity)).size).toBe(2);
  for (const series of [pins, sreds]) {
    const counters = series.map(ksnCounter);
    expect(counters).toEqual([...counters].sort((a, b) => a - b));
    expect(new Set(counters).size).toBe(3);
    expect(series.every((ksn) => isPublishedTestKsn(toHex(ksn)))).toBe(true);
  }
});

test("two simulators begin with different KSNs", () => {
  const starts = new Set(Array.from({ length: 50 }, (_, seed) => toHex(sealed(fresh(seed).sealPin("1234", PAN)).ksn)));
  expect(starts.size).toBe(50);
});

test("a module that finds its last KSN in memory goes on behind it", () => {
  let image: MemoryImage = emptyMemoryImage;
  const before = createSecureModule(seededRandom(1), createMemory(image, { changed: (next) => (image = next) }));
  const last = sealed(before.sealPin("1234", PAN)).ksn;
  expect(memoryImageSchema.parse(image).ksn.pin).toBe(toHex(last));
  const after = createSecureModule(seededRandom(2), createMemory(image));
  const next = sealed(after.sealPin("1234", PAN)).ksn;
  expect(ksnCounter(next)).toBeGreaterThan(ksnCounter(last));
  expect(toHex(withCounter(next, 0))).toBe(toHex(withCounter(last, 0)));
});

test("a module whose series is used up seals nothing more", () => {
  const memory = createMemory({ cards: {}, ksn: { pin: "FFFF98765432001FF800", sred: "FFFF98765432001FF800" } });
  const secure = createSecureModule(seededRandom(1), memory);
  expect(secure.sealPin("1234", PAN)).toBeUndefined();
  expect(secure.sealCard(layout(), card)).toBeUndefined();
});
