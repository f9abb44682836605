import { findTag, type Tlv } from "../emv/tlv.ts";
import { concat } from "../kit/bytes.ts";
import { toHex } from "../kit/hex.ts";
import { commonSessionKey, mastercardSessionKey } from "./card-keys.ts";
import { bitPad, retailMac, zeroPad } from "./des.ts";

/** Whose keys and formats a card has. */
export type Brand = "visa" | "mastercard" | "amex" | "discover" | "jcb" | "unionpay" | "interac";

/** How one cryptogram version of one brand makes its application cryptogram and takes its issuer's answer. */
export interface CryptogramScheme {
  readonly brand: Brand;
  readonly version: number;
  readonly sessionKey: "none" | "common" | "mastercard";
  /** The parts of 9F10 that follow the ten common elements, each from one offset up to another. */
  readonly issuerData: readonly (readonly [from: number, to: number])[];
  readonly padding: 1 | 2;
  readonly arpcMethod: 1 | 2;
  /** Mastercard 10 and 11 make the ARPC with the card key although the cryptogram takes a session key. */
  readonly arpcKey: "card" | "session";
  /** The two bytes that ARPC method 1 is made over: the characters of 8A, or bits of which one says that the issuer approves. */
  readonly response: "characters" | "bits";
}

const WHOLE = [[0, 32]] as const;
/** Visa's short formats and those like them: the CVR with its length byte, after length, key index and version. */
const SHORT_CVR = [[3, 7]] as const;
/** M/Chip: the CVR after key index and version; the counters after the two bytes of the data authentication code. */
const MCHIP_CVR = [[2, 8]] as const;
const MCHIP_CVR_AND_COUNTERS = [
  [2, 8],
  [10, 18],
] as const;

/**
 * The byte alone does not tell: 11 is Visa 17 as well as Mastercard 17. So the brand comes first. American Express, Discover, JCB and UnionPay publish no vectors: their
 * rows are inferred, and only these simulated cards and this issuer have to agree on them.
 */
const SCHEMES: readonly CryptogramScheme[] = [
  { brand: "visa", version: 0x0a, ...direct(), issuerData: SHORT_CVR },
  { brand: "visa", version: 0x12, sessionKey: "common", issuerData: WHOLE, padding: 2, arpcMethod: 2, arpcKey: "session", response: "characters" },
  { brand: "mastercard", version: 0x10, ...mchip("mastercard"), issuerData: MCHIP_CVR },
  { brand: "mastercard", version: 0x11, ...mchip("mastercard"), issuerData: MCHIP_CVR_AND_COUNTERS },
  { brand: "mastercard", version: 0x14, ...mchip("common"), issuerData: MCHIP_CVR },
  { brand: "mastercard", version: 0x15, ...mchip("common"), issuerData: MCHIP_CVR_AND_COUNTERS },
  { brand: "interac", version: 0x85, sessionKey: "mastercard", issuerData: WHOLE, padding: 2, arpcMethod: 1, arpcKey: "session", response: "bits" },
  { brand: "amex", version: 0x01, ...direct(), issuerData: SHORT_CVR },
  { brand: "jcb", version: 0x01, ...direct(), issuerData: SHORT_CVR },
  { brand: "discover", version: 0x05, ...derived(), issuerData: SHORT_CVR },
  { brand: "unionpay", version: 0x01, ...derived(), issuerData: SHORT_CVR },
];

type Rest = Omit<CryptogramScheme, "brand" | "version" | "issuerData">;

/** The card's own key, as Visa's version 10. */
function direct(): Rest {
  return { sessionKey: "none", padding: 1, arpcMethod: 1, arpcKey: "card", response: "characters" };
}

/** A session key by the ATC, and ARPC method 1 with it. */
function derived(): Rest {
  return { sessionKey: "common", padding: 2, arpcMethod: 1, arpcKey: "session", response: "characters" };
}

function mchip(sessionKey: "common" | "mastercard"): Rest {
  return { sessionKey, padding: 2, arpcMethod: 1, arpcKey: sessionKey === "common" ? "session" : "card", response: "bits" };
}

export function schemeOf(brand: Brand, version: number): CryptogramScheme | undefined {
  return SCHEMES.find((scheme) => scheme.brand === brand && scheme.version === version);
}

/** Registered application providers (ISO/IEC 7816-5) whose cards this testbed can make. A000000098 is Visa's for US common debit. */
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

/** The brand of an application identifier (84, 9F06 or 4F) by its provider, or undefined where this testbed has no keys for it. */
export function brandOf(aid: Uint8Array): Brand | undefined {
  return PROVIDERS[toHex(aid.subarray(0, 5))];
}

/** The scheme that a card's own data names: the brand by AID, the version by 9F10. Undefined where either is not known here. */
export function schemeOfData(aid: Uint8Array, issuerApplicationData: Uint8Array): CryptogramScheme | undefined {
  const brand = brandOf(aid);
  if (brand === undefined) return undefined;
  // M/Chip begins with the key index, all others with a length byte.
  const version = issuerApplicationData[brand === "mastercard" ? 1 : 2];
  return version === undefined ? undefined : schemeOf(brand, version);
}

/** The ten elements every cryptogram begins with, in this order, with their lengths (EMV Book 2, 8.1.1). */
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

export type CryptogramMessage = { readonly ok: true; readonly message: Uint8Array } | { readonly ok: false; readonly missing: string };

/** What the cryptogram is made over, not padded yet, or the tag that is missing or has a wrong length. An absent 9F03 counts as zero. */
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

/** The key that makes the cryptogram of one transaction, from the card's master key. `atc` is 9F36, `unpredictableNumber` 9F37. */
export function cryptogramKey(scheme: CryptogramScheme, cardKey: Uint8Array, atc: Uint8Array, unpredictableNumber: Uint8Array): Uint8Array {
  switch (scheme.sessionKey) {
    case "none":
      return cardKey;
    case "common":
      return commonSessionKey(cardKey, atc);
    case "mastercard":
      return mastercardSessionKey(cardKey, atc, unpredictableNumber);
  }
}

/** ARQC, TC or AAC, eight bytes: they differ only by the message, of which CVR and TVR say which one it is. */
export function applicationCryptogram(scheme: CryptogramScheme, key: Uint8Array, message: Uint8Array): Uint8Array {
  return retailMac(key).mac(scheme.padding === 1 ? zeroPad(message) : bitPad(message));
}
