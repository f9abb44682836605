import type { Tlv } from "../../../src/emv/tlv.ts";
import { concat } from "../../../src/kit/bytes.ts";
import { fromHex } from "../../../src/kit/hex.ts";
import type { Random } from "../../../src/kit/random.ts";
import { DES_BLOCK, tdesKey, zeroPad } from "./des.ts";
import { type DukptUse, initialKey, keyChain, workingKey } from "./dukpt.ts";
import { nextKsn } from "./ksn.ts";
import type { KsnSeries, Memory } from "./memory.ts";
import { encodePinBlock } from "./pin-block.ts";
import type { SealedBytes } from "./sealed-bytes.ts";
import { type SredLayout, sealSred } from "./sred-layouts.ts";
import { PUBLISHED_TEST_BDK, PUBLISHED_TEST_KSN_PREFIX } from "./test-keys.ts";

export interface SealedParts {
  /** Each encrypted with a zero vector of its own. */
  readonly parts: readonly Uint8Array[];
  readonly ksn: Uint8Array;
}

/** The terminal's key store. Its functions return undefined once a key series is used up. */
export interface SecureModule {
  /** An ISO format 0 block under the PIN key. */
  sealPin(pin: string, pan: string): SealedBytes | undefined;
  /** Seals the layout's card data under its data key; with the PIN block inside if the layout seals everything. */
  sealCard(layout: SredLayout, card: readonly Tlv[], pin?: SealedBytes): SealedBytes | undefined;
  /** Encrypts each part separately under one data key, padded with zeros. */
  sealParts(use: DukptUse, parts: readonly Uint8Array[]): SealedParts | undefined;
}

/**
 * PIN and SRED keys of the published test key are two series (two devices in X9.24). Identity (ten bits) and first
 * counters are random, so simulators share no KSN; `memory` continues its series.
 */
export function createSecureModule(random: Random, memory: Memory): SecureModule {
  const [high = 0, low = 0] = random.bytes(2);
  const device = ((high << 8) | low) & 0x3ff;
  const series = (name: KsnSeries) => {
    let last = memory.lastKsn(name) ?? firstKsn(random, (device << 1) | (name === "pin" ? 0 : 1));
    const keyOf = keyChain(initialKey(PUBLISHED_TEST_BDK, last));
    return (): { readonly key: Uint8Array; readonly ksn: Uint8Array } | undefined => {
      const ksn = nextKsn(last);
      if (ksn === undefined) return undefined;
      last = ksn;
      memory.setKsn(name, ksn);
      return { key: keyOf(ksn), ksn };
    };
  };
  const nextPin = series("pin");
  const nextSred = series("sred");
  return {
    sealPin: (pin, pan) => {
      const next = nextPin();
      return next && { data: tdesKey(workingKey(next.key, "pin")).encrypt(encodePinBlock(pin, pan)), ksn: next.ksn };
    },
    sealCard: (layout, card, pin) => {
      const next = nextSred();
      if (next === undefined) return undefined;
      const vector = layout.cipher === "own-vector" ? random.bytes(DES_BLOCK) : undefined;
      return {
        data: sealSred(layout, workingKey(next.key, layout.use), card, pin, vector),
        ksn: next.ksn,
        ...(vector && { vector }),
      };
    },
    sealParts: (use, parts) => {
      const next = nextSred();
      if (next === undefined) return undefined;
      const key = tdesKey(workingKey(next.key, use));
      return { parts: parts.map((part) => key.cbcEncrypt(zeroPad(part))), ksn: next.ksn };
    },
  };
}

/** The last eleven bits of identity, and a counter in the lower half of its range: a million transactions remain. */
function firstKsn(random: Random, device: number): Uint8Array {
  const [a = 0, b = 0, c = 0] = random.bytes(3);
  const counter = ((a << 16) | (b << 8) | c) & 0x0f_ffff;
  const tail = new Uint8Array(4);
  new DataView(tail.buffer).setUint32(0, ((device << 21) | counter) >>> 0);
  return concat(fromHex(PUBLISHED_TEST_KSN_PREFIX), tail);
}
