import { findTag, parseTlv, type Tlv } from "../../../src/emv/tlv.ts";
import { equal } from "../../../src/kit/bytes.ts";
import { fromHex, toHex } from "../../../src/kit/hex.ts";
import { applicationsOf, type ChipCard } from "./card.ts";
import { declaredLength } from "./card-verification-results.ts";
import {
  applicationCryptogram,
  type CryptogramScheme,
  cryptogramKey,
  cryptogramMessage,
  schemeOfData,
} from "./cryptogram.ts";
import { type AuthorizationRequest, type PosEntryMode, type Refusal, refusal } from "./issuer-contract.ts";

/** A verified cryptogram, with the data for its answer. */
export interface VerifiedCryptogram {
  readonly scheme: CryptogramScheme;
  readonly keys: { readonly card: Uint8Array; readonly session: Uint8Array };
  readonly arqc: Uint8Array;
  readonly atc: Uint8Array;
  readonly tags: readonly Tlv[];
}

export type CryptogramVerification =
  | { readonly ok: true; readonly cryptogram: VerifiedCryptogram }
  | { readonly ok: false; readonly refusal: Refusal };

/** Rebuilds the cryptogram from the received tags (emv-crypto recipes: "sandbox issuer") and compares. */
export function verifyCryptogram(card: ChipCard, icc: string): CryptogramVerification {
  const parse = parseTlv(fromHex(icc));
  if (!parse.ok) return fails("icc-data", `chip data: ${parse.error}`);
  const tags = parse.objects;
  const repeated = tags.find((object, at) => tags.findIndex((other) => other.tag === object.tag) !== at);
  if (repeated) return fails("icc-data", `chip data holds ${repeated.tag} twice`);
  const aids = ["84", "9F06", "4F"].flatMap((tag) => findTag(tags, tag) ?? []);
  const [aid] = aids;
  if (aid === undefined) return fails("icc-data", "chip data names no application (84, 9F06 or 4F)");
  const own = applicationsOf(card.profile).map((application) => application.aid);
  if (aids.some((other) => toHex(other) !== toHex(aid)) || !own.includes(toHex(aid)))
    return fails("mismatch", "application identifier is not that of this card");
  const issuerData = findTag(tags, "9F10") ?? new Uint8Array(0);
  const scheme = schemeOfData(aid, issuerData);
  if (scheme === undefined || scheme.version !== card.scheme.version)
    return fails("cryptogram", "cryptogram version (9F10) is not that of this card");
  // M/Chip starts with the key index, others with a length; not every cryptogram covers these bytes.
  const length = declaredLength(scheme.brand);
  const keyIndex = length === undefined ? issuerData[0] : issuerData[1];
  if (keyIndex !== KEY_INDEX || (length !== undefined && issuerData[0] !== length))
    return fails("cryptogram", "issuer key index (9F10) is not known");
  return compare(card, tags);
}

const KEY_INDEX = 0x01;

function compare({ scheme, masterKey, profile }: ChipCard, tags: readonly Tlv[]): CryptogramVerification {
  const built = cryptogramMessage(scheme, tags);
  if (!built.ok) return fails("icc-data", `chip data lacks ${built.missing}, or its length is wrong`);
  const arqc = findTag(tags, "9F26");
  const atc = findTag(tags, "9F36");
  const unpredictableNumber = findTag(tags, "9F37");
  if (arqc?.length !== 8 || atc === undefined || unpredictableNumber === undefined)
    return fails("icc-data", "chip data lacks 9F26");
  const sequence = findTag(tags, "5F34");
  if (sequence !== undefined && toHex(sequence) !== profile.panSequenceNumber)
    return fails("mismatch", "PAN sequence number (5F34) is not that of this card");
  const session = cryptogramKey(scheme, masterKey, atc, unpredictableNumber);
  if (!equal(applicationCryptogram(scheme, session, built.message), arqc))
    return fails("cryptogram", "application cryptogram (9F26) does not verify");
  return { ok: true, cryptogram: { scheme, keys: { card: masterKey, session }, arqc, atc, tags } };
}

/** EMV Book 4, annex A: point-of-service entry mode in 9F39 (gateway facts, 4.3). */
const ENTRY_MODES: Readonly<Record<PosEntryMode, readonly string[]>> = {
  MANUAL: ["01"],
  MAGSTRIPE: ["90", "02"],
  MAGSTRIPE_AS_FALLBACK: ["80"],
  ICC: ["05"],
  NFC_ICC: ["07"],
  NFC_MAGSTRIPE: ["91"],
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether the card signed the request's amount, currency, type, date and entry mode. Undefined: it did. */
export function mismatchOf(
  request: AuthorizationRequest,
  { profile }: ChipCard,
  tags: readonly Tlv[],
): Refusal | undefined {
  const hex = (tag: string): string => toHex(findTag(tags, tag) ?? new Uint8Array(0));
  const isNothing = request.credit && Number(hex("9F02")) === 0;
  // Some terminals request a refund's cryptogram over amount zero.
  if (!isNothing && hex("9F02") !== String(request.amount).padStart(12, "0"))
    return refusal("mismatch", "amount in 9F02 is not the amount asked for");
  if (request.currencyNumeric !== undefined && hex("5F2A") !== `0${request.currencyNumeric}`)
    return refusal("mismatch", "currency in 5F2A is not the currency asked for");
  if (hex("9C") !== (request.credit ? "20" : "00"))
    return refusal("mismatch", "transaction type in 9C is not the one asked for");
  if (!nearDates(request.now).includes(hex("9A")))
    return refusal("mismatch", "transaction date in 9A is more than a day away");
  if (findTag(tags, "9F39") !== undefined && !ENTRY_MODES[request.entryMode].includes(hex("9F39"))) {
    return refusal("mismatch", "entry mode in 9F39 is not pos.entryMode");
  }
  const sequence = request.panSequenceNumber;
  if (sequence !== undefined && Number(sequence) !== Number(profile.panSequenceNumber))
    return refusal("mismatch", "pos.panSequenceNumber is not that of this card");
  // TVR byte 3, bit 3: an online PIN was entered, so the request must contain it.
  if (((findTag(tags, "95")?.[2] ?? 0) & 0x04) !== 0 && request.pin === undefined)
    return refusal("mismatch", "TVR says that a PIN was entered, and none came along");
  return decisionMismatch(hex("9F27"), request.credit);
}

/** TVR, byte 3: bit 8 cardholder verification failed, bit 6 PIN try limit exceeded. */
const NOT_VERIFIED = 0x80;
const PIN_BLOCKED = 0x20;

/**
 * The terminal reports that cardholder verification failed, so the issuer refuses. Undefined: verified, or not
 * requested.
 */
export function unverifiedHolder(tags: readonly Tlv[]): Refusal | undefined {
  const third = findTag(tags, "95")?.[2] ?? 0;
  if ((third & NOT_VERIFIED) === 0) return undefined;
  if ((third & PIN_BLOCKED) !== 0) return refusal("pin-tries-exceeded", "TVR says that the card blocked its PIN");
  return refusal("not-verified", "TVR says that the cardholder was not verified");
}

/** Only an ARQC asks the issuer; for a refund an AAC is accepted too. */
function decisionMismatch(information: string, credit: boolean): Refusal | undefined {
  if (information === "" || information === "80" || (credit && information === "00")) return undefined;
  return refusal("mismatch", "cryptogram information (9F27) is not an ARQC");
}

/** YYMMDD of yesterday, today and tomorrow, because the terminal's date is local. */
function nearDates(now: number): readonly string[] {
  return [now - DAY_MS, now, now + DAY_MS].map((at) => new Date(at).toISOString().slice(2, 10).replaceAll("-", ""));
}

function fails(reason: Refusal["reason"], check: string): CryptogramVerification {
  return { ok: false, refusal: refusal(reason, check) };
}
