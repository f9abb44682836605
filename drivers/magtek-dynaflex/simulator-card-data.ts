import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import { maskedPan } from "../../packages/sandbox/testbed/card-tracks.ts";
import { tdesKey } from "../../packages/sandbox/testbed/des.ts";
import { hostKeys } from "../../packages/sandbox/testbed/issuer-sealed.ts";
import type { SealedBytes } from "../../packages/sandbox/testbed/sealed-bytes.ts";
import { type SredLayout, sredLayoutOf } from "../../packages/sandbox/testbed/sred-layouts.ts";
import { PUBLISHED_TEST_BDK } from "../../packages/sandbox/testbed/test-keys.ts";
import { type BlobFrame, tags } from "../../src/card/dynapro-data.ts";
import { encodeTlvs, findTag, type Tlv } from "../../src/emv/tlv.ts";
import { fromAscii } from "../../src/kit/bytes.ts";
import type { Via } from "../../src/simulator/session-contract.ts";
import { encodeBlob } from "./blob.ts";

function layoutOf(deviceType: string): SredLayout {
  const layout = sredLayoutOf(deviceType);
  if (layout === undefined) throw new RangeError(`sred-layouts has no ${deviceType}`);
  return layout;
}

/** Data that this device encrypts (PROTOCOL.md 6.4). */
export const dynaflexLayout: SredLayout = layoutOf("MAGTEK_DYNAFLEX");

/** Data and MAC under a DUKPT TDES key (PROTOCOL.md 6.4). */
const DATA_KEY = 0x80;
const MAC_KEY = 0x82;
const MAC_BYTES = 4;
const BLOCK = 8;

const keys = hostKeys(PUBLISHED_TEST_BDK);

/**
 * The frame of card data. Its MAC follows ISO 16609 C.4, under the key of the same transaction, cut to its first bytes
 * (PROTOCOL.md 6.1).
 */
function frameOf(serialNumber: string, ksn: Uint8Array): BlobFrame {
  const key = tdesKey(keys(ksn, "mac-request"));
  const mac = (bytes: Uint8Array): Uint8Array => key.cbcEncrypt(bytes).slice(-BLOCK).slice(0, MAC_BYTES);
  return { macKsn: ksn, macType: MAC_KEY, serialNumber: fromAscii(serialNumber), mac };
}

function sealedObject({ data, ksn }: SealedBytes, padding = 0): Tlv {
  const parts: readonly Tlv[] = [
    { tag: tags.data, value: data },
    { tag: tags.ksn, value: ksn },
    { tag: tags.encryption, value: Uint8Array.of(DATA_KEY) },
    { tag: tags.padding, value: Uint8Array.of(padding) },
  ];
  return { tag: tags.sealed, value: encodeTlvs(parts) };
}

/**
 * Masked track 2: `leading` first digits and the last four stay. Zeros stand between, one of them changed for a valid
 * check digit (PROTOCOL.md 6.5).
 */
function maskedTrack({ pan, expiry, serviceCode }: CardProfile, leading: number): Uint8Array {
  const masked = maskedPan(pan, "0", leading);
  const at = pan.length >> 1;
  const corrected =
    Array.from({ length: 10 }, (_, digit) => `${masked.slice(0, at)}${digit}${masked.slice(at + 1)}`).find(
      passesCheck,
    ) ?? masked;
  return fromAscii(`;${corrected}=${expiry.slice(0, 4)}${serviceCode}0000000000?`);
}

/** ISO/IEC 7812-1, annex B. */
function passesCheck(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, at) => total + weighted(Number(digit), at % 2 === 1), 0);
  return sum % 10 === 0;
}

function weighted(digit: number, isDoubled: boolean): number {
  const value = isDoubled ? digit * 2 : digit;
  return value > 9 ? value - 9 : value;
}

/** Values that every card message contains. */
export interface Shows {
  readonly serialNumber: string;
  /** Clear digits at the start of a masked number. */
  readonly leading: number;
}

/** Content of an ARQC. */
export interface ArqcOf {
  readonly via: Via;
  readonly profile: CardProfile;
  readonly sred: SealedBytes;
  /** DFDF53. */
  readonly fallback: number;
}

/** DFDF52 (PROTOCOL.md 6.3): a magstripe whose service code shows a chip has its own type. */
function cardType({ via, profile }: Pick<ArqcOf, "via" | "profile">): number {
  switch (via) {
    case "chip":
      return 0x05;
    case "tap":
      return profile.tap === "magstripe" ? 0x08 : 0x06;
    case "magstripe":
      return /^[26]/.test(profile.serviceCode) ? 0x07 : 0x01;
    case "keyed":
      return 0x03;
  }
}

const isTrackOfMagstripe = (via: Via): boolean => via === "magstripe" || via === "keyed";

/** Payload of the ARQC notification; its EMV data is all encrypted. */
export function arqcPayload({ serialNumber, leading }: Shows, card: ArqcOf): Uint8Array {
  const { via, profile, sred, fallback } = card;
  const objects: readonly Tlv[] = [
    { tag: tags.fallback, value: Uint8Array.of(fallback) },
    { tag: isTrackOfMagstripe(via) ? tags.maskedMagstripe : tags.maskedChip, value: maskedTrack(profile, leading) },
    { tag: tags.cardType, value: Uint8Array.of(cardType(card)) },
    sealedObject(sred),
  ];
  return encodeBlob(frameOf(serialNumber, sred.ksn), [{ tag: tags.arqc, value: encodeTlvs(objects) }]);
}

/**
 * Clear batch data: approved transactions in F2. Reversal data of a chip that refused what its issuer approved is in F3
 * (PROTOCOL.md 6.4).
 */
export function batchPlain(data: readonly Tlv[], isReversed: boolean): Uint8Array {
  const { form } = dynaflexLayout;
  const named = form.is === "whole" ? [...form.tags, "8A"] : [];
  const objects = encodeTlvs(named.flatMap((tag) => data.find((object) => object.tag === tag) ?? []));
  const inside = [{ tag: "F2", value: objects }, ...(isReversed ? [{ tag: "F3", value: objects }] : [])];
  return encodeTlvs([{ tag: tags.plain, value: encodeTlvs(inside) }]);
}

/** Clear receipt data, if the transaction has it (PROTOCOL.md 6.6). */
const MERCHANT = ["5F24", "5F2A", "9F02", "9F03", "9F06", "9F12", "9F1C", "9F39", "9C", "9F34", "5F34"];

export interface BatchOf {
  readonly via: Via;
  readonly profile: CardProfile;
  readonly data: readonly Tlv[];
  readonly sred: SealedBytes;
  /** Padding after the last encrypted object, in bytes. */
  readonly padding: number;
  readonly isAccepted: boolean;
}

/** Payload of the batch data notification. */
export function batchPayload(
  { serialNumber, leading }: Shows,
  { via, profile, data, sred, padding, isAccepted }: BatchOf,
): Uint8Array {
  const merchant: readonly Tlv[] = [
    { tag: "DFDF40", value: Uint8Array.of(0) },
    ...MERCHANT.flatMap((tag) => {
      const value = findTag(data, tag);
      return value === undefined ? [] : [{ tag, value }];
    }),
    { tag: isTrackOfMagstripe(via) ? tags.maskedMagstripe : tags.maskedChip, value: maskedTrack(profile, leading) },
  ];
  const status = [
    { tag: tags.accepted, value: Uint8Array.of(isAccepted ? 0 : 1) },
    { tag: tags.reason, value: Uint8Array.of(0) },
  ];
  const results = encodeTlvs([
    { tag: tags.status, value: encodeTlvs(status) },
    sealedObject(sred, padding),
    { tag: tags.merchant, value: encodeTlvs(merchant) },
  ]);
  return encodeBlob(frameOf(serialNumber, sred.ksn), [{ tag: tags.results, value: results }]);
}
