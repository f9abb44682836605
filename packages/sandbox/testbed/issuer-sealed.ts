import { findTag, type Tlv } from "../../../src/emv/tlv.ts";
import { equal } from "../../../src/kit/bytes.ts";
import { fromHex, isHex, toHex } from "../../../src/kit/hex.ts";
import type { ChipCard } from "./card.ts";
import type { CardProfile } from "./card-profile.ts";
import { magstripeData, tappedMagstripeData } from "./card-tracks.ts";
import { tdesKey } from "./des.ts";
import { type DukptUse, initialKey, keyChain, workingKey } from "./dukpt.ts";
import { type PosEntryMode, type Refusal, refusal, type SealedData } from "./issuer-contract.ts";
import { isUsedCounter, KSN_BYTES, ksnCounter, withCounter } from "./ksn.ts";
import { decodePinBlock } from "./pin-block.ts";
import { ownObjects, type SredLayout, sealSredForms, sredLayoutOf, typedData } from "./sred-layouts.ts";
import { openSred, type SredOpening } from "./sred-opening.ts";
import { isPublishedTestKsn } from "./test-keys.ts";

/** Working key of a KSN for one use. */
export type HostKeys = (ksn: Uint8Array, use: DukptUse) => Uint8Array;

/** Maximum number of cached terminals; a real host has as many as it serves. */
const MOST_SERIES = 1000;

/** Keys from the base key. Each series continues from its last transaction: two steps instead of up to ten. */
export function hostKeys(bdk: Uint8Array): HostKeys {
  const chains = new Map<string, (ksn: Uint8Array) => Uint8Array>();
  return (ksn, use) => {
    const series = toHex(withCounter(ksn, 0));
    const chain = chains.get(series) ?? keyChain(initialKey(bdk, ksn));
    if (chains.size >= MOST_SERIES) chains.clear();
    chains.set(series, chain);
    return workingKey(chain(ksn), use);
  };
}

export type Cards = ReadonlyMap<string, ChipCard>;

export type SredVerification =
  /** `icc` and `pin`: chip data and PIN block sealed together with the number. */
  | {
      readonly ok: true;
      readonly card: ChipCard;
      readonly ksn: Uint8Array;
      readonly icc?: string;
      readonly pin?: SealedData;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/** Opens SRED data by its device type's layout and finds the card. */
export function verifySred(
  keys: HostKeys,
  cards: Cards,
  sealed: SealedData,
  deviceType: string | undefined,
  entryMode: PosEntryMode,
): SredVerification {
  const fails = (check: string): SredVerification => ({ ok: false, refusal: refusal("sred", check) });
  const ksn = readKsn(sealed.ksn);
  if (typeof ksn === "string") return fails(`SRED ${ksn}`);
  if (deviceType === undefined) return fails("SRED data of a device without pos.deviceType cannot be read");
  const layout = sredLayoutOf(deviceType);
  if (layout === undefined) return fails(`SRED layout of pos.deviceType ${deviceType} is not known`);
  const key = keys(ksn, layout.use);
  const data = fromHex(sealed.data);
  const opened = openSred(layout, key, data, (inner) =>
    typeof readKsn(toHex(inner)) === "string" ? undefined : keys(inner, layout.use),
  );
  if (!opened.ok) return fails(`${opened.error}${otherKeys(sealed.ksn)}`);
  if (opened.ksn !== undefined && !equal(opened.ksn, ksn))
    return fails("SRED data names another KSN inside than pos.encryptedSred.ksn");
  const card = cards.get(opened.card.pan);
  if (card === undefined)
    return { ok: false, refusal: refusal("unknown-card", "SRED data holds a number that no card of this issuer has") };
  if (!isIntact(layout, key, card, entryMode, opened, data))
    return fails("SRED data does not decrypt to this card's data for pos.entryMode");
  const { icc, pin } = opened;
  return {
    ok: true,
    card,
    ksn,
    ...(icc !== undefined && { icc }),
    ...(pin && { pin: { data: toHex(pin.data), ksn: toHex(pin.ksn) } }),
  };
}

/** Other KSNs with the published test key open as well; data that does not open most likely uses another key. */
function otherKeys(ksn: string): string {
  return isPublishedTestKsn(ksn)
    ? ""
    : "; its KSN is not of the published test identity, so its key may be another one";
}

type Opened = Extract<SredOpening, { readonly ok: true }>;

/** A flipped bit may damage only the end of the track or the padding, so every byte of the card's data is compared. */
function isIntact(
  layout: SredLayout,
  key: Uint8Array,
  card: ChipCard,
  entryMode: PosEntryMode,
  { objects }: Opened,
  data: Uint8Array,
): boolean {
  const own = sealedObjects(layout, card, entryMode);
  return objects === undefined
    ? sealSredForms(layout, key, own).some((sealed) => equal(sealed, data))
    : areOf(ownObjects(layout, own), objects);
}

/** Objects that the card itself holds. All others come from the terminal and are covered by the cryptogram. */
const OF_THE_CARD: readonly string[] = [
  "57",
  "5A",
  "5F20",
  "5F24",
  "5F34",
  "9F6B",
  "DF41",
  "DF42",
  "DFDB01",
  "DFDB03",
  "DFDB05",
  "DFDB06",
];
const NUMBERS: readonly string[] = ["57", "5A", "9F6B", "DF42", "DFDB01", "DFDB05", "DFDB06"];

function areOf(own: readonly Tlv[], objects: readonly Tlv[]): boolean {
  const cards = objects.filter(({ tag }) => OF_THE_CARD.includes(tag));
  const holds = ({ tag, value }: Tlv): boolean => equal(findTag(own, tag) ?? new Uint8Array(0), value);
  return cards.every(holds) && cards.some(({ tag }) => NUMBERS.includes(tag));
}

/** Data that a terminal has of a card, and therefore encrypts, by entry mode. */
function sealedObjects(layout: SredLayout, { profile, data }: ChipCard, entryMode: PosEntryMode): readonly Tlv[] {
  switch (entryMode) {
    case "ICC":
    case "NFC_ICC":
      return data;
    case "MAGSTRIPE":
    case "MAGSTRIPE_AS_FALLBACK":
      return magstripeData(profile);
    case "NFC_MAGSTRIPE":
      return tappedMagstripeData(profile);
    case "MANUAL":
      return typedData(layout, profile.pan, `${profile.expiry.slice(2, 4)}${profile.expiry.slice(0, 2)}`) ?? [];
  }
}

export type PinVerification =
  | { readonly ok: true; readonly right: boolean; readonly ksn: Uint8Array }
  | { readonly ok: false; readonly refusal: Refusal };

/** Opens and compares a PIN block of ISO 9564 format 0. An unreadable block is never a wrong PIN. */
export function verifyPin(keys: HostKeys, sealed: SealedData, card: CardProfile): PinVerification {
  const fails = (check: string): PinVerification => ({ ok: false, refusal: refusal("pin-block", check) });
  const ksn = readKsn(sealed.ksn);
  if (typeof ksn === "string") return fails(`PIN ${ksn}`);
  const data = fromHex(sealed.data);
  if (data.length !== 8) return fails(`PIN block of ${data.length} bytes instead of 8`);
  const opened = decodePinBlock(tdesKey(keys(ksn, "pin")).decrypt(data), card.pan);
  return opened.ok
    ? { ok: true, right: opened.pin === card.pin, ksn }
    : fails(`${opened.error}${otherKeys(sealed.ksn)}`);
}

function readKsn(text: string): Uint8Array | string {
  if (!isHex(text) || text.length !== 2 * KSN_BYTES) return `KSN has not ${KSN_BYTES} bytes`;
  const ksn = fromHex(text);
  return isUsedCounter(ksnCounter(ksn)) ? ksn : "KSN has a counter that X9.24 never uses";
}
