import type { Tlv } from "../emv/tlv.ts";
import type { Secret } from "../kit/secret.ts";

/** How the card and the terminal met, as the terminal tells it; which `pos.entryMode` follows is decided by the payment (fallback is its knowledge). */
export type CardInterface = "chip" | "contactless-chip" | "contactless-magstripe" | "magstripe" | "keyed";

/** One run of ciphertext as the terminal made it, with the serial number of the key it used. Never journalled, never logged. */
export interface Sealed {
  /** Upper-case hexadecimal. */
  readonly data: Secret<string>;
  /** Key serial number, upper-case hexadecimal: 20 digits under TDES DUKPT, 24 under AES DUKPT. */
  readonly ksn: string;
}

/** What the terminal's own cryptogram decision was at the first GENERATE AC (EMV Book 3, 6.5.5). */
export type FirstDecision = "online" | "approved-offline" | "declined-offline";

export interface CardData {
  readonly interface: CardInterface;
  readonly decision: FirstDecision;
  /** Clear EMV objects, already without anything that must not leave the terminal in clear (emv/tags). Empty for a magstripe. */
  readonly icc: readonly Tlv[];
  /** Card data under the SRED key; absent only where the device seals all of it elsewhere. */
  readonly sred?: Sealed;
  /** The online PIN block, where the cardholder typed one. */
  readonly pin?: Sealed;
  /** Of a swiped card, by its service code; absent where the device does not show that, and where nothing was swiped. */
  readonly hasChip?: boolean;
  /** At most first six and last four digits of the number, as the terminal masks it; `beginning` where it shows four or five of the first six. */
  readonly masked: { readonly bin?: string; readonly beginning?: string; readonly last4: string };
}
