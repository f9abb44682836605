import type { Minor } from "../../../src/kit/money.ts";
import type { Brand } from "./cryptogram.ts";

/** pos.entryMode (specification, "Point of sale"). */
export type PosEntryMode = "MANUAL" | "MAGSTRIPE" | "MAGSTRIPE_AS_FALLBACK" | "ICC" | "NFC_ICC" | "NFC_MAGSTRIPE";

/** Ciphertext and its KSN in hexadecimal, as in a request. */
export interface SealedData {
  readonly data: string;
  readonly ksn: string;
}

export interface AuthorizationRequest {
  readonly amount: Minor;
  /**
   * ISO 4217, three digits; undefined: the request names no money, so any currency that the card signed is accepted.
   */
  readonly currencyNumeric: string | undefined;
  /** Credit to the cardholder (CD) instead of a debit. */
  readonly credit: boolean;
  readonly entryMode: PosEntryMode;
  readonly deviceType: string | undefined;
  readonly sred: SealedData;
  /** Absent if sealed together with the card data. */
  readonly pin: SealedData | undefined;
  /** TLV in hexadecimal; absent if sealed together with the card data. */
  readonly icc: string | undefined;
  readonly panSequenceNumber: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * `pin-block`: wrong key, wrong number or damaged block, never a wrong PIN. `mismatch`: a valid cryptogram over other
 * data. `replay`: KSN or ATC seen before.
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
  /** The failed check, in words without card data. */
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

/** Card data that may be disclosed. */
export interface KnownCard {
  readonly brand: Brand;
  /** First six digits. */
  readonly bin: string;
  readonly last4: string;
  /** YYMM. */
  readonly expiry: string;
}

/** The decision to answer with, by verification or by a test. */
export interface Conclusion {
  readonly approved: boolean;
  /** Two characters. */
  readonly arc: string;
  readonly variation: "without-91" | "wrong-91" | "scripts" | undefined;
}

export interface Verification {
  /** "valid", or "invalid: " with the reason; a ledger may keep it in place of the ciphertext. */
  readonly sred: string;
  readonly pin: string | undefined;
  readonly card: KnownCard | undefined;
  /**
   * The card finished with its first cryptogram (9F27 is AAC, as for a refund) and expects no issuer authentication.
   */
  readonly isCardDone: boolean;
  /** Undefined: card and PIN are genuine as far as the issuer can tell. */
  readonly refusal: Refusal | undefined;
  /**
   * TLV for the card in hexadecimal: 8A, and 91 if the cryptogram verified. Undefined without chip. After a soft
   * decline (1A, 65, 70) the same cryptogram may return with a PIN.
   */
  conclude(conclusion: Conclusion): string | undefined;
}

export interface Issuer {
  verify(request: AuthorizationRequest): Verification;
}

/** The issuer's storage, text by name. It contains no card number and no PIN. */
export interface IssuerMemory {
  remembered(key: string): string | undefined;
  remember(key: string, record: string): void;
}
