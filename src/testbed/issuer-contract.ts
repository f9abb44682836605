import type { Minor } from "../kit/money.ts";
import type { Brand } from "./cryptogram.ts";

/** pos.entryMode (specification, "Point of sale"). */
export type PosEntryMode = "MANUAL" | "MAGSTRIPE" | "MAGSTRIPE_AS_FALLBACK" | "ICC" | "NFC_ICC" | "NFC_MAGSTRIPE";

/** Ciphertext and the serial number of its key, both in hexadecimal, as they stand in a request. */
export interface SealedData {
  readonly data: string;
  readonly ksn: string;
}

/** What the acquirer hands to the issuer: the parameters of a request that the card's owner must answer for. */
export interface AuthorizationRequest {
  readonly amount: Minor;
  /** ISO 4217, three digits; undefined: whatever the card signed, because the request names no money. */
  readonly currencyNumeric: string | undefined;
  /** Money for the cardholder (CD) instead of from him. */
  readonly credit: boolean;
  readonly entryMode: PosEntryMode;
  readonly deviceType: string | undefined;
  readonly sred: SealedData;
  /** Absent where the terminal seals it together with the card data. */
  readonly pin: SealedData | undefined;
  /** TLV in hexadecimal; absent where the terminal seals it together with the card data. */
  readonly icc: string | undefined;
  readonly panSequenceNumber: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Why the issuer refuses by itself. `pin-block` (wrong key, wrong number, torn block) is never a wrong PIN; `mismatch` is a cryptogram that verifies over something
 * else than what was asked for; `replay` is a KSN or an ATC that was seen before.
 */
export type RefusalReason =
  | "sred"
  | "unknown-card"
  | "expired-card"
  | "icc-data"
  | "cryptogram"
  | "mismatch"
  | "replay"
  | "pin-block"
  | "wrong-pin"
  | "pin-tries-exceeded"
  | "not-verified";

export interface Refusal {
  readonly reason: RefusalReason;
  /** Authorization response code, two characters. */
  readonly arc: string;
  /** Which check failed, in words without card data. */
  readonly check: string;
}

const RESPONSE_CODES: Readonly<Record<RefusalReason, string>> = {
  sred: "30",
  "unknown-card": "14",
  "expired-card": "54",
  "icc-data": "30",
  cryptogram: "05",
  mismatch: "05",
  replay: "05",
  "pin-block": "30",
  "wrong-pin": "55",
  "pin-tries-exceeded": "75",
  "not-verified": "05",
};

export function refusal(reason: RefusalReason, check: string): Refusal {
  return { reason, arc: RESPONSE_CODES[reason], check };
}

/** What may be told about a card. */
export interface KnownCard {
  readonly brand: Brand;
  /** First six digits. */
  readonly bin: string;
  readonly last4: string;
  /** YYMM. */
  readonly expiry: string;
}

/** What the issuer is told to answer, by its own verification or by who tests. */
export interface Conclusion {
  readonly approved: boolean;
  /** Two characters. */
  readonly arc: string;
  readonly variation: "without-91" | "wrong-91" | "scripts" | undefined;
}

export interface Verification {
  /** "valid", or "invalid: " and why; this is what a ledger may keep instead of the ciphertext. */
  readonly sred: string;
  readonly pin: string | undefined;
  readonly card: KnownCard | undefined;
  /** The card ended its transaction at its first cryptogram (9F27 is an AAC, as a refund asks for): it waits for no issuer authentication. */
  readonly isCardDone: boolean;
  /** Undefined: as far as the issuer can tell, the card is there and its holder knows the PIN. */
  readonly refusal: Refusal | undefined;
  /**
   * The answer for the card, TLV in hexadecimal: 8A always, 91 where the cryptogram verified, declines too. Undefined without a chip. A soft decline (1A, 65, 70)
   * lets the same cryptogram come once more, with a PIN.
   */
  conclude(conclusion: Conclusion): string | undefined;
}

export interface Issuer {
  verify(request: AuthorizationRequest): Verification;
}

/** Where the issuer keeps what it saw, text under a name. What it keeps holds no card number and no PIN. */
export interface IssuerMemory {
  remembered(key: string): string | undefined;
  remember(key: string, record: string): void;
}
