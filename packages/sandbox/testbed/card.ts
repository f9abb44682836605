import { findTag, type Tlv } from "../../../src/emv/tlv.ts";
import { fromAscii } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { checkIssuerAuthentication } from "./arpc.ts";
import { cardMasterKey } from "./card-keys.ts";
import type { Application, CardProfile } from "./card-profile.ts";
import { packed, packedTrack2 } from "./card-tracks.ts";
import {
  type CardResults,
  type CryptogramType,
  mastercardIssuerData,
  type OfflinePin,
  shortIssuerData,
} from "./card-verification-results.ts";
import {
  applicationCryptogram,
  type CryptogramScheme,
  cryptogramKey,
  cryptogramMessage,
  schemeOf,
} from "./cryptogram.ts";
import { PUBLISHED_TEST_ISSUER_KEYS } from "./test-keys.ts";

/** A cryptogram as the card made it, whatever terminal and host do with it. */
export interface CardWord {
  /** Name of the card in the deck. */
  readonly card: string;
  readonly type: CryptogramType;
  /** Application transaction counter (9F36). */
  readonly atc: number;
  /** The signed amount (9F02), in minor units. */
  readonly amount: number;
  /** 9F26, 16 upper-case hexadecimal digits. */
  readonly cryptogram: string;
}

/** A card with its derived keys. */
export interface ChipCard {
  readonly profile: CardProfile;
  readonly scheme: CryptogramScheme;
  readonly masterKey: Uint8Array;
  /** Data that a terminal reads before the first cryptogram. */
  readonly data: readonly Tlv[];
  /** Receives every cryptogram of the card. */
  readonly heard: ((word: CardWord) => void) | undefined;
}

type Personalised = Omit<ChipCard, "heard">;

/** Cache of personalised cards: deriving the keys takes six DES keys, and cards are presented repeatedly. */
const made = new WeakMap<CardProfile, Personalised>();

/** Throws a RangeError if the brand lacks the cryptogram version, which is an error in the deck. */
export function chipCard(profile: CardProfile, heard?: (word: CardWord) => void): ChipCard {
  const card = made.get(profile) ?? personalised(profile);
  made.set(profile, card);
  return { ...card, heard };
}

/** All applications of a card, in the order offered to the holder. */
export function applicationsOf({ aid, label, others }: CardProfile): readonly Application[] {
  return [{ aid, label }, ...others];
}

/** The card with that application selected, counted from 1: same number, keys and counters. */
export function withApplication(card: ChipCard, choice: number): ChipCard {
  const application = applicationsOf(card.profile)[choice - 1];
  if (application === undefined || application.aid === card.profile.aid) return card;
  const profile = { ...card.profile, ...application };
  return { ...card, profile, data: personalisedData(profile) };
}

function personalised(profile: CardProfile): Personalised {
  const scheme = schemeOf(profile.brand, profile.cryptogramVersion);
  if (scheme === undefined) throw new RangeError(`${profile.name}: no cryptogram version ${profile.cryptogramVersion}`);
  const masterKey = cardMasterKey(PUBLISHED_TEST_ISSUER_KEYS[profile.brand], profile.pan, profile.panSequenceNumber);
  return { profile, scheme, masterKey, data: personalisedData(profile) };
}

function personalisedData(profile: CardProfile): readonly Tlv[] {
  const { pan, serviceCode } = profile;
  const hex: readonly (readonly [string, string])[] = [
    ["4F", profile.aid],
    ["5F24", profile.expiry],
    ["5F28", profile.country],
    ["5F30", `0${serviceCode}`],
    ["5F34", profile.panSequenceNumber],
    ["82", profile.aip],
    ["84", profile.aid],
    ["8E", profile.cvmList],
  ];
  return [
    { tag: "50", value: fromAscii(profile.label) },
    { tag: "57", value: packedTrack2(profile) },
    { tag: "5A", value: packed(pan) },
    { tag: "5F20", value: fromAscii(profile.cardholder.padEnd(26)) },
    ...hex.map(([tag, value]) => ({ tag, value: fromHex(value) })),
  ];
}

/**
 * The card's state of one transaction, from GET PROCESSING OPTIONS. Immutable: every command returns the next state.
 */
export interface CardTransaction {
  readonly chip: ChipCard;
  readonly atc: Uint8Array;
  /** Result of the first GENERATE AC; ARPC and second cryptogram use the same key. */
  readonly first?: { readonly type: CryptogramType; readonly cryptogram: Uint8Array; readonly key: Uint8Array };
  readonly authentication: "not-done" | "approved" | "declined" | "failed";
  /** Result of the latest offline PIN. */
  readonly offlinePin?: OfflinePin;
}

export interface CardAnswer {
  readonly transaction: CardTransaction;
  readonly type: CryptogramType;
  /** 9F27, 9F36, 9F26 and 9F10. */
  readonly data: readonly Tlv[];
}

export function beginTransaction(chip: ChipCard, atc: number): CardTransaction {
  return { chip, atc: Uint8Array.of(atc >> 8, atc & 0xff), authentication: "not-done" };
}

/** VERIFY (EMV Book 3, 6.5.12), plaintext or enciphered. `triesLeft` are the tries before this one. */
export function verifyOfflinePin(
  transaction: CardTransaction,
  typed: string,
  triesLeft: number,
  enciphered: boolean,
): CardTransaction & { readonly offlinePin: OfflinePin } {
  const right = triesLeft > 0 && typed === transaction.chip.profile.pin;
  return {
    ...transaction,
    offlinePin: { right, enciphered, triesLeft: right ? PIN_TRIES : Math.max(0, triesLeft - 1) },
  };
}

/** Offline PIN tries before the card blocks the PIN. */
export const PIN_TRIES = 3;

/** A card may answer with a lower decision than requested, never a higher one (EMV Book 3, 9.3). */
const RANK: Readonly<Record<CryptogramType, number>> = { AAC: 0, ARQC: 1, TC: 2 };
const WISH: Readonly<Record<CardProfile["firstDecision"], CryptogramType>> = {
  online: "ARQC",
  approve: "TC",
  decline: "AAC",
};
const CRYPTOGRAM_INFORMATION: Readonly<Record<CryptogramType, number>> = { AAC: 0x00, TC: 0x40, ARQC: 0x80 };

/**
 * First GENERATE AC. `tags` are the terminal's data for CDOL1; throws a RangeError if one of the ten common elements is
 * missing.
 */
export function firstGenerateAc(transaction: CardTransaction, tags: readonly Tlv[], asked: CryptogramType): CardAnswer {
  const wish = WISH[transaction.chip.profile.firstDecision];
  const type = RANK[wish] < RANK[asked] ? wish : asked;
  const unpredictableNumber = findTag(tags, "9F37") ?? new Uint8Array(4);
  const key = cryptogramKey(transaction.chip.scheme, transaction.chip.masterKey, transaction.atc, unpredictableNumber);
  const data = cryptogramData(transaction, tags, type, key, { first: type, ...pinOf(transaction) });
  const cryptogram = findTag(data, "9F26") ?? new Uint8Array(0);
  return { transaction: { ...transaction, first: { type, cryptogram, key } }, type, data };
}

export type AuthenticateStatus = "9000" | "6300" | "6700" | "6985";

/**
 * EXTERNAL AUTHENTICATE with the value of tag 91: 6300 wrong ARPC, 6700 wrong length, 6985 out of order (EMV Book 3,
 * 6.5.4).
 */
export function externalAuthenticate(
  transaction: CardTransaction,
  data: Uint8Array,
): { readonly transaction: CardTransaction; readonly status: AuthenticateStatus } {
  const { first, chip } = transaction;
  if (first?.type !== "ARQC" || transaction.authentication !== "not-done") return { transaction, status: "6985" };
  const checked = checkIssuerAuthentication(
    chip.scheme,
    { card: chip.masterKey, session: first.key },
    first.cryptogram,
    data,
  );
  const refused = chip.profile.issuerAuthentication === "refuses";
  if (checked.is === "wrong-length")
    return { transaction: { ...transaction, authentication: "failed" }, status: "6700" };
  if (checked.is === "wrong" || refused)
    return { transaction: { ...transaction, authentication: "failed" }, status: "6300" };
  return {
    transaction: { ...transaction, authentication: checked.approves ? "approved" : "declined" },
    status: "9000",
  };
}

/**
 * Second GENERATE AC with the terminal's current `tags`; `online`: whether the issuer answered. A TC needs the
 * terminal's request, valid or optional issuer authentication, and the card's consent.
 */
export function secondGenerateAc(
  transaction: CardTransaction,
  tags: readonly Tlv[],
  asked: "TC" | "AAC",
  online: boolean,
): CardAnswer {
  const { first, authentication, chip } = transaction;
  if (first === undefined) throw new RangeError("second GENERATE AC without a first");
  const { issuerAuthentication, secondDecision } = chip.profile;
  const authenticated =
    authentication === "approved" || (authentication === "not-done" && issuerAuthentication === "optional");
  const type = asked === "TC" && online && authenticated && secondDecision === "as-asked" ? "TC" : "AAC";
  const data = cryptogramData(transaction, tags, type, first.key, {
    first: first.type,
    second: { type, authentication, online },
    ...pinOf(transaction),
  });
  return { transaction, type, data };
}

function pinOf({ offlinePin }: CardTransaction): Pick<CardResults, "offlinePin"> {
  return offlinePin === undefined ? {} : { offlinePin };
}

function cryptogramData(
  transaction: CardTransaction,
  tags: readonly Tlv[],
  type: CryptogramType,
  key: Uint8Array,
  results: CardResults,
): readonly Tlv[] {
  const { chip, atc } = transaction;
  const { brand } = chip.profile;
  const issuerData =
    brand === "mastercard"
      ? mastercardIssuerData(chip.profile, results)
      : shortIssuerData(chip.profile, brand, results);
  const own: readonly Tlv[] = [
    { tag: "82", value: fromHex(chip.profile.aip) },
    { tag: "9F36", value: atc },
    { tag: "9F10", value: issuerData },
  ];
  const built = cryptogramMessage(chip.scheme, [...own, ...tags]);
  if (!built.ok) throw new RangeError(`GENERATE AC without ${built.missing}`);
  const cryptogram = applicationCryptogram(chip.scheme, key, built.message);
  const amount = Number(toHex(findTag(tags, "9F02") ?? new Uint8Array(6)));
  chip.heard?.({
    card: chip.profile.name,
    type,
    atc: ((atc[0] ?? 0) << 8) | (atc[1] ?? 0),
    amount,
    cryptogram: toHex(cryptogram),
  });
  return [
    { tag: "9F27", value: Uint8Array.of(CRYPTOGRAM_INFORMATION[type]) },
    { tag: "9F36", value: atc },
    { tag: "9F26", value: cryptogram },
    { tag: "9F10", value: issuerData },
  ];
}
