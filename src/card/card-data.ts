import type { Tlv } from "../emv/tlv.ts";
import type { Secret } from "../kit/secret.ts";

/**
 * How the card was read, as the terminal reports it. The payment chooses `pos.entryMode`, because only it knows about a
 * fallback.
 */
export type CardInterface = "chip" | "contactless-chip" | "contactless-magstripe" | "magstripe" | "keyed";

/** Ciphertext from the terminal, with the serial number of its key. Never journalled, never logged. */
export interface Sealed {
  /** Upper-case hexadecimal. */
  readonly data: Secret<string>;
  /** Key serial number, upper-case hexadecimal: 20 digits under TDES DUKPT, 24 under AES DUKPT. */
  readonly ksn: string;
}

/** The card's decision at the first GENERATE AC (EMV Book 3, 6.5.5). */
export type FirstDecision = "online" | "approved-offline" | "declined-offline";

export interface CardData {
  readonly interface: CardInterface;
  readonly decision: FirstDecision;
  /** Clear EMV objects, without any that must not leave the terminal in clear (emv/tags). Empty for a magstripe. */
  readonly icc: readonly Tlv[];
  /** Card data under the SRED key; absent only if the device seals it elsewhere. */
  readonly sred?: Sealed;
  /** The online PIN block, if a PIN was entered. */
  readonly pin?: Sealed;
  /** From the service code of a swiped card; absent if the device hides it, or nothing was swiped. */
  readonly hasChip?: boolean;
  /**
   * At most the first six and last four digits, as the terminal masks them; `beginning` if it shows four or five of the
   * first six.
   */
  readonly masked: { readonly bin?: string; readonly beginning?: string; readonly last4: string };
}
