import { findTag, type Tlv } from "../../../src/emv/tlv.ts";
import { concat } from "../../../src/kit/bytes.ts";
import { toHex } from "../../../src/kit/hex.ts";
import { commonSessionKey, mastercardSessionKey } from "./card-keys.ts";
import { bitPad, retailMac, zeroPad } from "./des.ts";

/** Selects keys and formats of a card. */
export type Brand = "visa" | "mastercard" | "amex" | "discover" | "jcb" | "unionpay" | "interac";

/** Rules of one brand's cryptogram version, for application cryptogram and issuer authentication. */
export interface CryptogramScheme {
  readonly brand: Brand;
  readonly version: number;
  readonly sessionKey: "none" | "common" | "mastercard";
  /** Byte ranges of 9F10 that follow the ten common elements. */
  readonly issuerData: readonly (readonly [from: number, to: number])[];
  readonly padding: 1 | 2;
  readonly arpcMethod: 1 | 2;
  /** Mastercard 10 and 11 use the card key for the ARPC although the cryptogram uses a session key. */
  readonly arpcKey: "card" | "session";
  /** The two response bytes of ARPC method 1: the characters of 8A, or bits with an approval bit. */
  readonly response: "characters" | "bits";
}

const WHOLE = [[0, 32]] as const;
/** Visa's short formats and similar: the CVR with its length, after length, key index and version. */
const SHORT_CVR = [[3, 7]] as const;
/** M/Chip: the CVR after key index and version, and the counters after the data authentication code of two bytes. */
const MCHIP_CVR = [[2, 8]] as const;
const MCHIP_CVR_AND_COUNTERS = [
  [2, 8],
  [10, 18],
] as const;

/**
 * Brand before version: version 11 exists at Visa and Mastercard. American Express, Discover, JCB and UnionPay publish
 * no vectors; their rows are inferred, for these cards and this issuer only.
 */
const SCHEMES: readonly CryptogramScheme[] = [
  { brand: "visa", version: 0x0a, ...direct(), issuerData: SHORT_CVR },
  {
    brand: "visa",
    version: 0x12,
    sessionKey: "common",
    issuerData: WHOLE,
    padding: 2,
    arpcMethod: 2,
    arpcKey: "session",
    response: "characters",
  },
  { brand: "mastercard", version: 0x10, ...mchip("mastercard"), issuerData: MCHIP_CVR },
  { brand: "mastercard", version: 0x11, ...mchip("mastercard"), issuerData: MCHIP_CVR_AND_COUNTERS },
  { brand: "mastercard", version: 0x14, ...mchip("common"), issuerData: MCHIP_CVR },
  { brand: "mastercard", version: 0x15, ...mchip("common"), issuerData: MCHIP_CVR_AND_COUNTERS },
  {
    brand: "interac",
    version: 0x85,
    sessionKey: "mastercard",
    issuerData: WHOLE,
    padding: 2,
    arpcMethod: 1,
    arpcKey: "session",
    response: "bits",
  },
  { brand: "amex", version: 0x01, ...direct(), issuerData: SHORT_CVR },
  { brand: "jcb", version: 0x01, ...direct(), issuerData: SHORT_CVR },
  { brand: "discover", version: 0x05, ...derived(), issuerData: SHORT_CVR },
  { brand: "unionpay", version: 0x01, ...derived(), issuerData: SHORT_CVR },
];

type Rest = Omit<CryptogramScheme, "brand" | "version" | "issuerData">;

/** The card's own key, as in Visa's version 10. */
function direct(): Rest {
  return { sessionKey: "none", padding: 1, arpcMethod: 1, arpcKey: "card", response: "characters" };
}

/** Session key by ATC, also for ARPC method 1. */
function derived(): Rest {
  return { sessionKey: "common", padding: 2, arpcMethod: 1, arpcKey: "session", response: "characters" };
}

function mchip(sessionKey: "common" | "mastercard"): Rest {
  return {
    sessionKey,
    padding: 2,
    arpcMethod: 1,
    arpcKey: sessionKey === "common" ? "session" : "card",
    response: "bits",
  };
}

export function schemeOf(brand: Brand, version: number): CryptogramScheme | undefined {
  return SCHEMES.find((scheme) => scheme.brand === brand && scheme.version === version);
}

/**
 * Registered application providers (ISO/IEC 7816-5) that this testbed can simulate. A000000098 is Visa's for US common
 * debit.
 */
const PROVIDERS: Readonly<Record<string, Brand>> = {
  A000000003: "visa",
  A000000098: "visa",
  A000000004: "mastercard",
  A000000025: "amex",
  A000000152: "discover",
  A000000065: "jcb",
  A000000333: "unionpay",
  A000000277: "interac",
};

/** Brand of an application identifier (84, 9F06 or 4F); undefined: no keys for its provider. */
export function brandOf(aid: Uint8Array): Brand | undefined {
  return PROVIDERS[toHex(aid.subarray(0, 5))];
}

/** Scheme of a card's data: brand by AID, version by 9F10. Undefined: either is unknown. */
export function schemeOfData(aid: Uint8Array, issuerApplicationData: Uint8Array): CryptogramScheme | undefined {
  const brand = brandOf(aid);
  if (brand === undefined) return undefined;
  // M/Chip starts with the key index, others with a length.
  const version = issuerApplicationData[brand === "mastercard" ? 1 : 2];
  return version === undefined ? undefined : schemeOf(brand, version);
}

/** The ten common elements of every cryptogram, in this order, with lengths (EMV Book 2, 8.1.1). */
const COMMON: readonly (readonly [tag: string, length: number])[] = [
  ["9F02", 6],
  ["9F03", 6],
  ["9F1A", 2],
  ["95", 5],
  ["5F2A", 2],
  ["9A", 3],
  ["9C", 1],
  ["9F37", 4],
  ["82", 2],
  ["9F36", 2],
];

export type CryptogramMessage =
  | { readonly ok: true; readonly message: Uint8Array }
  | { readonly ok: false; readonly missing: string };

/**
 * The cryptogram's message before padding, or the tag that is missing or of wrong length. A missing 9F03 counts as
 * zero.
 */
export function cryptogramMessage(scheme: CryptogramScheme, tags: readonly Tlv[]): CryptogramMessage {
  const parts: Uint8Array[] = [];
  for (const [tag, length] of COMMON) {
    const value = findTag(tags, tag) ?? (tag === "9F03" ? new Uint8Array(length) : undefined);
    if (value?.length !== length) return { ok: false, missing: tag };
    parts.push(value);
  }
  const issuerData = findTag(tags, "9F10");
  if (issuerData === undefined) return { ok: false, missing: "9F10" };
  for (const [from, to] of scheme.issuerData) parts.push(issuerData.subarray(from, to));
  return { ok: true, message: concat(...parts) };
}

/** The cryptogram key of one transaction, from the card's master key. `atc` is 9F36, `unpredictableNumber` 9F37. */
export function cryptogramKey(
  scheme: CryptogramScheme,
  cardKey: Uint8Array,
  atc: Uint8Array,
  unpredictableNumber: Uint8Array,
): Uint8Array {
  switch (scheme.sessionKey) {
    case "none":
      return cardKey;
    case "common":
      return commonSessionKey(cardKey, atc);
    case "mastercard":
      return mastercardSessionKey(cardKey, atc, unpredictableNumber);
  }
}

/** ARQC, TC or AAC, eight bytes: CVR and TVR in the message make the difference. */
export function applicationCryptogram(scheme: CryptogramScheme, key: Uint8Array, message: Uint8Array): Uint8Array {
  return retailMac(key).mac(scheme.padding === 1 ? zeroPad(message) : bitPad(message));
}
