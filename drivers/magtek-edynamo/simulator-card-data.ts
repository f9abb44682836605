import type { CardProfile } from "../../packages/sandbox/testbed/card-profile.ts";
import { maskedPan } from "../../packages/sandbox/testbed/card-tracks.ts";
import type { SealedBytes } from "../../packages/sandbox/testbed/sealed-bytes.ts";
import type { SecureModule } from "../../packages/sandbox/testbed/secure-module.ts";
import { knownSredLayout, type SredLayout } from "../../packages/sandbox/testbed/sred-layouts.ts";
import { type BlobFrame, encodeDynaPro, tags } from "../../src/card/dynapro-data.ts";
import { encodeTlvs, findTag, type Tlv } from "../../src/emv/tlv.ts";
import { concat, fromAscii } from "../../src/kit/bytes.ts";
import type { Via } from "../../src/simulator/session-contract.ts";

/** Data that this device encrypts (PROTOCOL.md 6.2). */
export const v5Layout: SredLayout = knownSredLayout("MAGTEK_EDYNAMO");

/** Data and MAC under a DUKPT TDES key (PROTOCOL.md 6.1). */
const DATA_KEY = 0x80;
const MAC_KEY = 0x82;
/** The device leaves room for the MAC and does not compute it (PROTOCOL.md 6.1). */
const NO_MAC = new Uint8Array(4);

const frameOf = (serialNumber: string, macKsn: Uint8Array): BlobFrame => ({
  macKsn,
  macType: MAC_KEY,
  serialNumber: fromAscii(serialNumber),
  mac: () => NO_MAC,
});

const one = (tag: string, ...bytes: readonly number[]): Tlv => ({ tag, value: Uint8Array.from(bytes) });

/** Magstripe tracks, under the data key of their own transaction (PROTOCOL.md 6.3). */
export function sealWithTracks(secure: SecureModule, data: readonly Tlv[]): SealedBytes | undefined {
  const [track1, track2] = [findTag(data, "5F21"), findTag(data, "5F22")];
  if (track1 === undefined && track2 === undefined) return secure.sealCard(v5Layout, data);
  const sealed = secure.sealParts(v5Layout.use, [track1 ?? new Uint8Array(0), track2 ?? new Uint8Array(0)]);
  if (sealed === undefined) return undefined;
  const [first = new Uint8Array(0), second = new Uint8Array(0)] = sealed.parts;
  const tracks: readonly Tlv[] = [
    one("DFDF36", 0x00),
    { tag: "DFDF37", value: first },
    one("DFDF38", 0x00),
    { tag: "DFDF39", value: second },
    { tag: "DFDF50", value: sealed.ksn },
    one("DFDF51", DATA_KEY),
  ];
  return secure.sealCard(v5Layout, [...data, { tag: "F4", value: encodeTlvs(tracks) }]);
}

function sealedObject({ data, ksn }: SealedBytes, padding: number): Tlv {
  const parts: readonly Tlv[] = [
    { tag: tags.data, value: data },
    { tag: tags.ksn, value: ksn },
    one(tags.encryption, DATA_KEY),
    one(tags.padding, padding),
  ];
  return { tag: tags.sealed, value: encodeTlvs(parts) };
}

const LEADING = 6;

function maskedTrack(via: Via, { pan, expiry, serviceCode }: CardProfile): Tlv {
  const track = `;${maskedPan(pan, "0", LEADING)}=${expiry.slice(0, 4)}${serviceCode}0000000000?`;
  return { tag: via === "magstripe" ? tags.maskedMagstripe : tags.maskedChip, value: fromAscii(track) };
}

/** DFDF52 (PROTOCOL.md 6.3): a magstripe whose service code shows a chip has its own type. */
function cardType(via: Via, profile: CardProfile): number {
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

/** A card that was read, as the device reports it. */
export interface Told {
  readonly via: Via;
  readonly profile: CardProfile;
  readonly data: readonly Tlv[];
}

/** Data of the ARQC notification; its EMV data is all encrypted. */
export function arqcData(serialNumber: string, { via, profile }: Told, sred: SealedBytes): Uint8Array {
  const objects: readonly Tlv[] = [
    one(tags.fallback, 0x00),
    maskedTrack(via, profile),
    one(tags.cardType, cardType(via, profile)),
    sealedObject(sred, 0),
  ];
  return encodeDynaPro(frameOf(serialNumber, sred.ksn), [{ tag: tags.arqc, value: encodeTlvs(objects) }]);
}

/** Clear receipt data, if the transaction has it (PROTOCOL.md 6.5). */
const MERCHANT = ["5F24", "5F2A", "9F02", "9F03", "9F06", "9F12", "9F1C", "9F39", "9C", "9F34"];
const BATCH = [...(v5Layout.form.is === "whole" ? v5Layout.form.tags : []), "8A"];

/** Data of the result notification. A transaction without a card has only its status. */
export function resultData(
  on: { readonly serialNumber: string; readonly secure: SecureModule },
  status: number,
  card: Told | undefined,
): Uint8Array {
  const { serialNumber, secure } = on;
  const told: Tlv = { tag: tags.status, value: encodeTlvs([one(tags.accepted, status), one(tags.reason, 0x00)]) };
  const batch = card && sealedBatch(secure, card);
  const sealed = batch === undefined ? [] : [sealedObject(batch, batch.padding)];
  const merchant = card === undefined ? [] : [{ tag: tags.merchant, value: encodeTlvs(merchantData(card)) }];
  const results: Tlv = { tag: tags.results, value: encodeTlvs([told, ...sealed, ...merchant]) };
  return concat(Uint8Array.of(NO_SIGNATURE), encodeDynaPro(frameOf(serialNumber, batch?.ksn ?? NO_KSN), [results]));
}

const NO_SIGNATURE = 0x00;
const NO_KSN = new Uint8Array(10);

function sealedBatch(secure: SecureModule, { data }: Told): (SealedBytes & { readonly padding: number }) | undefined {
  const inside: Tlv = {
    tag: "F2",
    value: encodeTlvs(BATCH.flatMap((tag) => data.find((object) => object.tag === tag) ?? [])),
  };
  const plain = encodeTlvs([{ tag: tags.plain, value: encodeTlvs([inside]) }]);
  const sealed = secure.sealParts(v5Layout.use, [plain]);
  const [part] = sealed?.parts ?? [];
  return sealed && part && { data: part, ksn: sealed.ksn, padding: part.length - plain.length };
}

function merchantData(card: Told): readonly Tlv[] {
  const clear = MERCHANT.flatMap((tag) => card.data.find((object) => object.tag === tag) ?? []);
  return [...clear, maskedTrack(card.via, card.profile)];
}
